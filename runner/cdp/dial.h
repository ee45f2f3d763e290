/*
 * Connecting to a server of others: what a WebSocket and a plain HTTP request have in common.
 * The two users of libwebsockets' client in this folder put a `struct dial` first in what they
 * give to it, and tell it in their callbacks how it went.
 */
#ifndef RUNNER_CDP_DIAL_H
#define RUNNER_CDP_DIAL_H

#include "runner/cdp/endpoint.h"
#include "runner/loop/loop.h"
#include "runner/loop/websockets.h"

#include <pthread.h>

enum dial_state {
    DIAL_TRYING, /* on its way */
    DIAL_DONE,   /* the WebSocket is up, or the answer is complete */
    DIAL_FAILED, /* not reached or refused; the reason is set */
};

struct dial {
    struct loop *loop;
    const struct endpoint_peer *peer;
    struct lws *wsi; /* of the loop thread; NULL when there is none */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* the state, or what the owner guards with the mutex */
    enum dial_state state;
    unsigned status; /* of HTTP; 0 while there is none */
    char reason[200];
};

void dial_init(struct dial *dial, struct loop *loop, const struct endpoint_peer *peer);
void dial_finish(struct dial *dial);

/*
 * Tries the addresses of the endpoint one after the other until one is DIAL_DONE. `protocols` is a
 * static table of one entry, by which libwebsockets calls back; http_method is NULL for a
 * WebSocket. Any thread but the loop's. False with DISCONNECTED, or TIMEOUT; then no callback comes
 * any more.
 */
bool dial_run(struct dial *dial, const struct endpoint *endpoint,
              const struct lws_protocols *protocols, const char *http_method,
              struct deadline deadline, struct br_error *err);

/* For callbacks, on the loop thread. */

/* The dial that a connection belongs to; NULL when its owner has let go of it. */
struct dial *dial_of(struct lws *wsi);

/* Notes how it went, and wakes the thread that waits. What is not DIAL_TRYING any more stays so. */
void dial_set(struct dial *dial, enum dial_state state, const char *reason);

/* Notes the status of the answer whose headers are in. */
void dial_take_status(struct dial *dial);

/* Lets go of the connection, which is killed; no callback comes for it any more. */
void dial_cut(struct dial *dial);

#endif
