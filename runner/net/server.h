/*
 * Servers on the loop thread: listeners and their connections, of two kinds. WebSocket and HTTP/1.1
 * on one TCP port; lines of text on a Unix socket. A message is what a text frame or a line holds.
 * Connections are known by an id that is never used again: what is sent to one that has gone is
 * dropped.
 */
#ifndef RUNNER_NET_SERVER_H
#define RUNNER_NET_SERVER_H

#include "runner/base/error.h"
#include "runner/loop/loop.h"
#include "runner/net/handler.h"

struct net_listener;

struct net_listener_options {
    const char *name; /* of the server, in metrics and messages: "actions" */
    enum net_framing framing;
    const char *unix_path; /* lines; in a directory that others cannot enter */
    const char *host;      /* WebSocket; NULL: 127.0.0.1 and ::1; another needs a token */
    int port;              /* 0: a free one */
    int fd;                /* a socket that listens already, taken; -1: none */
    const char *token;     /* NULL: none is asked for */
    bool leaves_token;     /* a WebSocket without it is let in, for the handler to close */
    const char *const *allow_origins; /* NULL-terminated, or NULL: no page may connect */
    bool allows_local_origins;        /* pages that this machine serves may, too */
    bool allows_extensions;           /* extensions of a browser may, too */
    const char *const *allow_hosts;   /* beside addresses and localhost */
    struct net_limits limits;
    struct net_handler handler;
};

#define NET_LISTENER_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .fd = -1, .limits = {                                                                      \
            .max_connections = 256,                                                                \
            .max_message = 16 << 20,                                                               \
            .max_queue = 64 << 20,                                                                 \
            .handshake_ms = 10000,                                                                 \
            .ping_ms = 30000,                                                                      \
            .pong_ms = 10000                                                                       \
        }                                                                                          \
    }

/*
 * Listens. Strings are copied. Not on the loop thread. NULL with INVALID_ACTION for options that
 * cannot be used and addresses that are taken.
 */
struct net_listener *net_listen(struct loop *loop, const struct net_listener_options *options,
                                struct br_error *err);

/* Of TCP; 0 otherwise. */
int net_listener_port(const struct net_listener *listener);

/*
 * Ends in an orderly way: nobody else is let in, what waits is sent, WebSockets are closed with
 * 1001, and all are gone within `timeout_ms`; on_closed comes for each. Not on the loop thread.
 * When it is called, no thread sends any more but the loop's, from callbacks. NULL is fine.
 */
void net_listener_close(struct net_listener *listener, int timeout_ms);

/* Sends a message; copies it. On any thread. A line gets its newline. */
void net_send(struct net_listener *listener, uint64_t id, const char *text, size_t length,
              enum net_class class);

/* Sends what waits, then closes; the code is a WebSocket's. On any thread. */
void net_close(struct net_listener *listener, uint64_t id, unsigned code, const char *reason);

/* Stops or goes on reading what the client sends. On the loop thread. */
void net_pause(struct net_listener *listener, uint64_t id, bool is_paused);

#endif
