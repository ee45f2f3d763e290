/*
 * Servers on the loop thread. A listener serves WebSocket and HTTP/1.1 on one TCP port, or lines of
 * text on a Unix socket. A message is the content of a text frame or of a line. Each connection has
 * an id that is never reused; a message to a connection that is gone is dropped.
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
    const char *name; /* in metrics and messages: "actions" */
    enum net_framing framing;
    const char *unix_path; /* for lines; in a directory that other users cannot enter */
    const char *host;      /* for WebSocket; NULL: 127.0.0.1 and ::1; any other needs a token */
    int port;              /* 0: a free port */
    int fds[SOCKET_MAX];   /* sockets that listen already, instead; takes ownership */
    size_t fd_count;
    struct net_access access;
    bool leaves_token;         /* accepts WebSockets without the token; the handler closes them */
    bool allows_local_origins; /* pages of this machine may connect, too */
    bool allows_extensions;    /* browser extensions may connect, too */
    struct net_limits limits;
    struct net_handler handler;
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
 * Starts to listen; copies the strings. Not on the loop thread. NULL with INVALID_ACTION for
 * invalid options and for an address that is in use.
 */
struct net_listener *net_listen(struct loop *loop, const struct net_listener_options *options,
                                struct br_error *err);

/* The TCP port, of the first socket; 0 for a Unix socket. */
int net_listener_port(const struct net_listener *listener);

/* The address of the first socket, in numbers; "" for a Unix socket. Borrowed. */
const char *net_listener_address(const struct net_listener *listener);

/* Replaces the access lists; open connections stay. Copies the strings. Not on the loop thread. */
void net_listener_set_access(struct net_listener *listener, const struct net_access *access);

/*
 * Stops accepting; open connections stay. Closes the listening sockets without shutdown(), since
 * other processes may have them, too. Not on the loop thread.
 */
void net_listener_refuse(struct net_listener *listener);

/*
 * Stops accepting, sends what is queued, closes WebSockets with 1001, and kills what is left after
 * `timeout_ms`; on_closed is called for each. Not on the loop thread. Meanwhile only callbacks on
 * the loop thread may send. NULL is fine.
 */
void net_listener_close(struct net_listener *listener, int timeout_ms);

/* Sends a copy of the message; adds the newline of a line. Any thread. */
void net_send(struct net_listener *listener, uint64_t id, const char *text, size_t length,
              enum net_class class);

/*
 * Sends a text, without a copy where it is very long; takes ownership. It has a NUL, or any other
 * byte, behind its length. On the loop thread.
 */
void net_send_text(struct net_listener *listener, uint64_t id, char *text, size_t length);

/* Answers a request that was to be answered later; takes ownership of the body. Any thread. */
void net_answer(struct net_listener *listener, uint64_t id, struct net_answer *answer);

/* Sends what is queued, then closes; WebSockets send code and reason. Any thread. */
void net_close(struct net_listener *listener, uint64_t id, unsigned code, const char *reason);

/* Stops or resumes reading from the client. On the loop thread. */
void net_pause(struct net_listener *listener, uint64_t id, bool is_paused);

#endif
