/* Sends the console calls of a warm session to a client. */
#ifndef RUNNER_SERVERS_LOCAL_FOLLOW_H
#define RUNNER_SERVERS_LOCAL_FOLLOW_H

#include "runner/net/service.h"
#include "runner/sessions/worker.h"

struct follow;

/*
 * Sends lines {"kind": "console", "message": …} to the client from now on, each with a message
 * of console-bridge. Lines may be dropped; an error message counts them. Holds the worker. Calls
 * on_over on the worker's thread when the browser is gone and cannot be started again.
 */
struct follow *follow_start(struct worker *worker, const struct service_client *client,
                            void (*on_over)(void *data), void *data);

/* Whether the session ends, or has no browser any more. */
bool follow_is_over(const struct follow *follow);

/*
 * Sends the last line, {"kind": "ended", "reason", "errorCode" if it is an error}. `reason` NULL:
 * that of the session.
 */
void follow_say_end(const struct follow *follow, const char *reason);

/* Sends nothing after it has returned. NULL is fine. */
void follow_stop(struct follow *follow);

#endif
