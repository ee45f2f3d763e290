/*
 * Servers on the loop thread. A listener serves WebSocket and HTTP/1.1 on one TCP port, or lines of
 * text on a Unix socket. A message is the content of a text frame or of a line. Each connection has
 * an id that is never reused. A message to a closed connection is dropped.
 */
#ifndef RUNNER_NET_SERVER_H
#define RUNNER_NET_SERVER_H

#include "runner/base/error.h"
#include "runner/loop/loop.h"
#include "runner/net/gate.h"
#include "runner/net/handler.h"
#include "runner/net/socket.h"

struct net_listener;

struct net_listener_options {
    const char *name; /* name in metrics and messages, such as "actions" */
    enum net_framing framing;
    const char *unix_path; /* for lines; must be in a directory that other users cannot enter */
    const char *host;      /* for WebSocket; NULL: 127.0.0.1 and ::1; others need a token */
    int port;              /* 0: any free port */
    int fds[SOCKET_MAX];   /* already listening sockets, used instead; takes ownership */
    size_t fd_count;
    struct net_access access;
    bool leaves_token; /* accepts WebSockets without the token; the handler must close them */
    bool allows_local_origins; /* also accepts pages of this machine */
    bool allows_extensions;    /* also accepts browser extensions */
    struct net_limits limits;
    struct net_log log;
    struct net_handler handler;
    /* Set before the first callback of the handler, which may use it; NULL: the result is enough */
    struct net_listener **ret_listener;
};

#define NET_LISTENER_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .limits = {                                                                                \
            .max_connections = 256,                                                                \
            .max_message = 16 << 20,                                                               \
            .max_queue = 64 << 20,                                                                 \
            .handshake_ms = 10000,                                                                 \
            .ping_ms = 30000,                                                                      \
            .pong_ms = 10000                                                                       \
        }                                                                                          \
    }

/*
 * Starts to listen. Copies the strings. Not on the loop thread. Returns NULL with INVALID_ACTION
 * for invalid options and for an address in use.
 */
struct net_listener *net_listen(struct loop *loop, const struct net_listener_options *options,
                                struct br_error *err);

/* Returns the TCP port of the first socket; 0 for a Unix socket. */
int net_listener_port(const struct net_listener *listener);

/* Returns the numeric address of the first socket; "" for a Unix socket. Borrowed. */
const char *net_listener_address(const struct net_listener *listener);

/* Replaces the access lists, copying them; open connections remain. Not on the loop thread. */
void net_listener_set_access(struct net_listener *listener, const struct net_access *access);

/*
 * Stops accepting; open connections remain. Closes the listening sockets without shutdown(), since
 * other processes may have inherited them. Not on the loop thread.
 */
void net_listener_refuse(struct net_listener *listener);

/*
 * Stops accepting, sends the queued messages, closes WebSockets with 1001, answers waiting requests
 * with 503, and kills the remaining connections after `timeout_ms`. Calls on_closed for each. Not
 * on the loop thread. Meanwhile only callbacks on the loop thread may send. Accepts NULL.
 */
void net_listener_close(struct net_listener *listener, int timeout_ms);

/* Sends a copy of the message, with a newline if the framing is lines. Any thread. */
void net_send(struct net_listener *listener, uint64_t id, const char *text, size_t length,
              enum net_class class);

/*
 * Sends a text, without copying it if it is very long. Takes ownership. The text must be followed
 * by one more byte, such as a NUL. Loop thread only.
 */
void net_send_text(struct net_listener *listener, uint64_t id, char *text, size_t length);

/* Answers a request whose answer was deferred. Takes ownership of the body. Any thread. */
void net_answer(struct net_listener *listener, uint64_t id, struct net_answer *answer);

/* Sends the queued messages, then closes. WebSockets also send code and reason. Any thread. */
void net_close(struct net_listener *listener, uint64_t id, unsigned code, const char *reason);

/*
 * Writes a line to the listener's log about a client that the handler refuses by net_close(), at
 * most one a second. address: of its net_peer. Loop thread only.
 */
void net_say_refused(struct net_listener *listener, const char *address, const char *why);

/* Stops or resumes reading from the client. Loop thread only. */
void net_pause(struct net_listener *listener, uint64_t id, bool is_paused);

#endif
