/*
 * `serve --http`: one request is one batch, in a session of its own. See one_shot.h for the paths,
 * besides which are GET /ready, /health and /metrics. What cannot run yet waits in a queue with a
 * limit and a deadline. The end of a connection cancels its batch, unless it has an
 * Idempotency-Key: such a batch runs once, and its answer is kept for a while.
 */
#ifndef RUNNER_SERVERS_HTTP_HTTP_SERVER_H
#define RUNNER_SERVERS_HTTP_HTTP_SERVER_H

#include "runner/net/server.h"
#include "runner/sessions/pool.h"

struct http_server;

struct http_server_options {
    struct net_listener_options listener; /* the server fills in what it sets itself */
    struct pool_options pool;             /* the same */
    size_t chunk_size;                    /* of lines; see struct ndjson_writer */
    bool has_progress;
    int max_queued; /* requests that wait for others to end */
    int queue_ms;   /* how long they wait at most */
    int batch_ms;   /* how long a batch runs at most */
    int keep_ms;    /* how long an answer with an Idempotency-Key is kept */
};

/* Starts the server. NULL with the error. */
struct http_server *http_server_start(struct loop *loop, const struct http_server_options *options,
                                      struct br_error *err);
struct net_listener *http_server_listener(const struct http_server *server);

/* Refuses new and waiting requests with 503; running batches continue. NULL is fine. */
void http_server_drain(struct http_server *server);

/* Cancels what runs, which is answered, closes the connections and frees. NULL is fine. */
void http_server_stop(struct http_server *server);

#endif
