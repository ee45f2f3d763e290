/*
 * An agent of debug-bridge: a connection to a relay, which receives the messages of a session and
 * sends commands. All functions belong to one thread other than the loop's.
 */
#ifndef RUNNER_SERVERS_CLIENTS_BRIDGE_AGENT_H
#define RUNNER_SERVERS_CLIENTS_BRIDGE_AGENT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/loop/loop.h"

#include <jansson.h>

struct agent;

/*
 * Completes the URL of a relay: adds the path /debug, role=agent, the session and the token (NULL:
 * not given) where they are missing. INVALID_ACTION without a session, and for a URL that is not a
 * WebSocket's. Caller frees.
 */
char *agent_url(const char *url, const char *session_id, const char *token, struct br_error *err);

/* NULL with DISCONNECTED or TIMEOUT. */
struct agent *agent_connect(struct loop *loop, const char *url, struct deadline deadline,
                            struct br_error *err);
void agent_close(struct agent *agent); /* NULL is fine */

enum agent_news {
    AGENT_MESSAGE, /* *ret_message is set; caller decrefs */
    AGENT_NOTHING, /* no message until the deadline */
    AGENT_STOPPED, /* stop_fd became readable */
    AGENT_GONE,    /* the connection has ended, all messages were returned; err says why */
};

/* Waits for the next message; ignores those that are no JSON objects. stop_fd -1: none. */
enum agent_news agent_next(struct agent *agent, int stop_fd, struct deadline deadline,
                           json_t **ret_message, struct br_error *err);

/* How many messages were dropped since the last call, since too many waited. */
size_t agent_take_dropped(struct agent *agent);

bool agent_send(struct agent *agent, const json_t *message, struct deadline deadline,
                struct br_error *err);

#endif
