/*
 * Connects to another program's server: the common part of a WebSocket and a plain HTTP request.
 * The two users of libwebsockets' client in this folder contain a `struct dial`, which is the user
 * data of their connection. Their callbacks report the outcome to it.
 */
#ifndef RUNNER_NET_DIAL_H
#define RUNNER_NET_DIAL_H

#include "runner/loop/loop.h"
#include "runner/net/server_url.h"

#include <libwebsockets.h>
#include <pthread.h>

enum dial_state {
    DIAL_TRYING, /* not finished */
    DIAL_DONE,   /* the WebSocket is open, or the answer is complete */
    DIAL_FAILED, /* not reached, or refused; `reason` is set */
};

struct dial {
    struct loop *loop;
    const struct server_kind *peer;
    struct lws *wsi; /* used on the loop thread; NULL: no connection */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* signals the state, or what the owner guards by the mutex */
    enum dial_state state;
    unsigned status; /* HTTP status; 0 until it arrives */
    char reason[200];
};

void dial_init(struct dial *dial, struct loop *loop, const struct server_kind *peer);
void dial_finish(struct dial *dial);

/*
 * Tries the server's addresses in turn until one is DIAL_DONE. `protocols` is a static table with
 * one entry, whose callback libwebsockets calls. http_method NULL means a WebSocket. Any thread but
 * the loop's. Returns false with DISCONNECTED or TIMEOUT; no callback follows then.
 */
bool dial_run(struct dial *dial, const struct server_url *server,
              const struct lws_protocols *protocols, const char *http_method,
              struct deadline deadline, struct br_error *err);

/* Functions for callbacks, on the loop thread. */

/* Returns the dial of a connection; NULL after its owner has detached from it. */
struct dial *dial_of(struct lws *wsi);

/* Sets the outcome and wakes the waiting thread. Has no effect unless the state is DIAL_TRYING. */
void dial_set(struct dial *dial, enum dial_state state, const char *reason);

/* Records the status of an answer whose headers have arrived. */
void dial_take_status(struct dial *dial);

/* Detaches from the connection and kills it; no callback follows. */
void dial_cut(struct dial *dial);

#endif
