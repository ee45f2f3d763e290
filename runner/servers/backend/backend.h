/*
 * The actions server: each WebSocket connection is a session. Clients send texts with instructions,
 * as XML or JSON, and receive the lines of `run`, one per message. Control messages are objects
 * with a `kind`:
 *   {"kind":"cancel","id":3}            cancels the action whose response has or will have this id;
 *                                       without an id, everything sent so far
 *   {"kind":"subscribe","events":[…]}   requests lines of kind event, by their names; [] ends them
 *
 * The URL is /actions, with an optional query: `session` is the client's own id of the session,
 * `after` the id of the last response that the client has when it continues a session, and
 * `progress=1` requests lines of kind progress.
 */
#ifndef RUNNER_SERVERS_BACKEND_BACKEND_H
#define RUNNER_SERVERS_BACKEND_BACKEND_H

#include "runner/net/server.h"
#include "runner/sessions/sessions.h"

struct backend;

struct backend_options {
    struct net_listener_options listener; /* the server fills in what it sets itself */
    struct sessions *sessions;            /* borrowed; must outlive the server */
    const json_t *settings;               /* for each session; borrowed; NULL: all defaults */
    size_t chunk_size;
    bool has_progress;
    int64_t linger_ms; /* how long a session waits for its client to reconnect; 0: not at all */
};

/* Starts the server on its own thread. NULL with the error. */
struct backend *backend_start(struct loop *loop, const struct backend_options *options,
                              struct br_error *err);
struct net_listener *backend_listener(struct backend *server);

/*
 * Cancels what runs, which is answered, and closes all connections in an orderly way. NULL is fine.
 */
void backend_stop(struct backend *server);

#endif
