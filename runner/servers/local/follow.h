/* A client that hears what the page of a warm session says to its console. */
#ifndef RUNNER_SERVERS_LOCAL_FOLLOW_H
#define RUNNER_SERVERS_LOCAL_FOLLOW_H

#include "runner/net/server.h"
#include "runner/sessions/worker.h"

struct follow;

/*
 * From now on lines {"kind": "console", "message": …} go to the connection, each with a message of
 * console-bridge; some may be lost, and are counted in an error message. Holds the worker. on_over
 * is called on the worker's thread when the browser is gone and cannot be started again.
 */
struct follow *follow_start(struct worker *worker, struct net_listener *listener,
                            uint64_t connection, void (*on_over)(void *data), void *data);

/* Whether the session ends, or has no browser any more. */
bool follow_is_over(const struct follow *follow);

/*
 * Sends the last line, {"kind": "ended", "reason", "errorCode" if it is an error}. `reason` NULL:
 * that of the session.
 */
void follow_say_end(const struct follow *follow, const char *reason);

/* Nothing is sent behind its return. NULL is fine. */
void follow_stop(struct follow *follow);

#endif
