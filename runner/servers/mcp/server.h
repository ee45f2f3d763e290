/*
 * The server of the Model Context Protocol: clients call tools, which are actions in warm sessions
 * of the daemon. The daemon is started by the first tool that needs a page. Any transport may be
 * used: it gives each message to the server, and sends what it gets.
 */
#ifndef RUNNER_SERVERS_MCP_SERVER_H
#define RUNNER_SERVERS_MCP_SERVER_H

#include "runner/base/clock.h"
#include "runner/net/server.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct mcp_server;
struct mcp_peer;
struct mcp_socket;

struct mcp_options {
    const json_t *settings; /* { settings, defaults } with which sessions are opened; borrowed */
    const char *const *check_options; /* words before the suite, for browser_check; end with NULL */
    const char *directory; /* as `files` of a policy: where a suite must be; NULL: anywhere */
    int64_t idle_ms;       /* without a message and a call that runs; 0: no limit */
    const char *session;   /* an open session that clients on stdio begin with; NULL: none */
};

struct mcp_server *mcp_create(const struct mcp_options *options);

/* Returns how long the server may still be idle; 0: it is to end; -1: for ever. */
int mcp_idle_left_ms(struct mcp_server *server);

/* Waits until no call runs, and cancels none; returns whether that is so. */
bool mcp_await_calls(struct mcp_server *server, struct deadline deadline);

/* Cancels what runs, and ends the sessions that were opened. All peers must be closed. */
void mcp_destroy(struct mcp_server *server);

struct mcp_transport {
    void *data;
    /*
     * Sends a message, on any thread but one at a time. The text is borrowed, with a NUL after it;
     * code is that of an error, otherwise 0.
     */
    void (*send)(void *data, const char *text, size_t length, int code);
    bool has_session; /* calls without a session use one of the connection's own */
};

/* A connection, or a single request. */
struct mcp_peer *mcp_peer_open(struct mcp_server *server, const struct mcp_transport *transport);

/* Handle one message, which is borrowed. They do not block, except in send(). */
void mcp_peer_take(struct mcp_peer *peer, const char *text, size_t length);
void mcp_peer_take_json(struct mcp_peer *peer, json_t *root);

/* Nothing is sent any more when this returns; `cancels` ends the calls that run. */
void mcp_peer_close(struct mcp_peer *peer, bool cancels);

/*
 * Serves one client on the descriptors, until its input ends, stop_fd is readable, or
 * it was idle for too long. Returns false
 * with the error.
 */
bool mcp_serve_stdio(struct mcp_server *server, int input, int output, int stop_fd,
                     struct br_error *err);

/*
 * Serves clients on a socket, in the same lines, each with a session of its own; or over HTTP at
 * the path /mcp, where calls name their session. Sets framing and limits of the options.
 * Close it before the server. NULL with the error.
 */
struct mcp_socket *mcp_listen(struct mcp_server *server, struct loop *loop,
                              struct net_listener_options *options, struct br_error *err);
struct net_listener *mcp_socket_listener(const struct mcp_socket *socket);
void mcp_socket_close(struct mcp_socket *socket); /* NULL is fine */

#endif
