/*
 * The BROP server: clients send commands as messages over WebSockets and get a reply for each.
 * Commands for one tab run in order, commands for the tabs of different windows in parallel; each
 * window is a session, in one browser. /logs?limit=N is the server's own log.
 * docs/protocols.md.
 */
#ifndef RUNNER_SERVERS_BROP_SERVER_H
#define RUNNER_SERVERS_BROP_SERVER_H

#include "runner/net/server.h"
#include "runner/sessions/sessions.h"

struct brop;

struct brop_options {
    struct net_listener_options listener; /* the server sets name, framing and handler */
    struct sessions *sessions;            /* borrowed, and outlives it */
    const json_t *settings; /* of each window's session; borrowed; NULL: all defaults */
    bool has_extension;     /* an extension may connect, to a port of its own */
    struct net_listener_options extension_listener;
    bool prefers_extension; /* commands go to it unless they say otherwise */
    struct net_log log;     /* receives a line for each connection */
};

/* Starts the server's thread. NULL with the error. */
struct brop *brop_start(struct loop *loop, const struct brop_options *options,
                        struct br_error *err);
struct net_listener *brop_listener(struct brop *brop);

/* For the extension; only with has_extension. */
struct net_listener *brop_listener_of_extension(struct brop *brop);

/* Answers /logs, where the specification has it, too: at a CDP endpoint. On the loop thread. */
void brop_answer_request(void *brop, const struct net_request *request, struct net_answer *answer);

/* Ends all tabs, and closes all connections in an orderly way. NULL is fine. */
void brop_stop(struct brop *brop);

#endif
