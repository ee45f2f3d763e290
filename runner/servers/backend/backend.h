/*
 * The server of actions: a WebSocket connection is a session. Texts with instructions come in, as
 * XML or JSON, and the lines of `run` go out, a message each. The client's own words are objects
 * with a `kind`:
 *   {"kind":"cancel","id":3}            the action whose response has this id, or will; without an
 *                                       id all that was sent so far
 *   {"kind":"subscribe","events":[…]}   lines of kind event, by their names; [] ends them
 * The URL is /actions, its query `session` the client's own id of the session, `after` the id of
 * the last response that it has, where it takes up a session again, `progress=1` lines of kind
 * progress.
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
