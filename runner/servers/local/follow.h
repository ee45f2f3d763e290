/* A client that hears what the page of a warm session says to its console. */
#ifndef RUNNER_SERVERS_LOCAL_FOLLOW_H
#define RUNNER_SERVERS_LOCAL_FOLLOW_H

#include "runner/net/server.h"
#include "runner/sessions/worker.h"

struct follow;

/*
 * From now on lines {"kind": "console", "message": …} go to the connection, each with a message of
 * console-bridge; some may be lost, and are counted in an error message. Holds the worker, whose
 * end is not told.
 */
struct follow *follow_start(struct worker *worker, struct net_listener *listener,
                            uint64_t connection);

/* Whether the session ends, so that nothing more comes. */
bool follow_is_over(const struct follow *follow);

/* Nothing is sent behind its return. NULL is fine. */
void follow_stop(struct follow *follow);

#endif
