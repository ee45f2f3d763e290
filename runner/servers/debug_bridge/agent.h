/*
 * debug-bridge as an agent has it: a connection to somebody's relay, what is said in its session
 * and what is sent there. Functions without another word belong to one thread, which is not the
 * loop's.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_AGENT_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_AGENT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/loop/loop.h"

#include <jansson.h>

struct agent;

/*
 * The address of a relay with what it lacks: the path /debug, role=agent, the session and the
 * token; NULL: not given. INVALID_ACTION without a session, and for what is no WebSocket. Caller
 * frees.
 */
char *agent_url(const char *url, const char *session_id, const char *token, struct br_error *err);

/* NULL with DISCONNECTED or TIMEOUT. */
struct agent *agent_connect(struct loop *loop, const char *url, struct deadline deadline,
                            struct br_error *err);
void agent_close(struct agent *agent); /* NULL is fine */

enum agent_news {
    AGENT_MESSAGE, /* *ret_message is one; caller decrefs */
    AGENT_NOTHING, /* until the deadline */
    AGENT_STOPPED, /* stop_fd became readable */
    AGENT_GONE,    /* the connection has ended, and all that came was given; err says why */
};

/* Waits for the next message that is a JSON object; others are left out. stop_fd: -1 for none. */
enum agent_news agent_next(struct agent *agent, int stop_fd, struct deadline deadline,
                           json_t **ret_message, struct br_error *err);

/* How many messages were dropped since the last call, because nobody took them. */
size_t agent_take_dropped(struct agent *agent);

bool agent_send(struct agent *agent, const json_t *message, struct deadline deadline,
                struct br_error *err);

#endif
