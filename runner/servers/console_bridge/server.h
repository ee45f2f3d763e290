/*
 * The console-bridge server: extensions send their pages' console calls over a WebSocket, only on
 * 127.0.0.1. Passes messages to a hub. docs/console.md.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_SERVER_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_SERVER_H

#include "runner/net/server.h"
#include "runner/servers/console_bridge/hub.h"

enum { CONSOLE_PORT = 9223 };

struct console_server;

/*
 * Starts to listen at 127.0.0.1, or at sockets that are there; of the options it uses these, the
 * port and the origins. Accepts any browser extension, programs, which send no Origin, and pages
 * of the origins. NULL with INVALID_ACTION when the port is in use.
 */
struct console_server *console_server_start(struct loop *loop, struct console_hub *hub,
                                            const struct net_listener_options *options,
                                            struct br_error *err);
struct net_listener *console_server_listener(struct console_server *server);

/* Closes all connections; has posted that to the hub when it returns. NULL is fine. */
void console_server_stop(struct console_server *server);

/* Call it after the hub was destroyed. NULL is fine. */
void console_server_destroy(struct console_server *server);

#endif
