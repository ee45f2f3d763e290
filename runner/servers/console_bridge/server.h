/*
 * console-bridge: extensions tell of their pages' consoles over a WebSocket at 127.0.0.1, and only
 * there. What they say goes to a hub. docs/console.md.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_SERVER_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_SERVER_H

#include "runner/net/server.h"
#include "runner/servers/console_bridge/hub.h"

enum { CONSOLE_PORT = 9223 };

struct console_server;

/*
 * Listens; port 0 takes a free one. Any extension of the browser may connect, and programs that
 * send no Origin; pages may not but those of `allow_origins` (NULL-terminated, or NULL). NULL with
 * INVALID_ACTION when the port is taken.
 */
struct console_server *console_server_start(struct loop *loop, struct console_hub *hub, int port,
                                            const char *const *allow_origins, struct br_error *err);
int console_server_port(const struct console_server *server);

/* Closes all connections; the hub has heard of it when this returns. NULL is fine. */
void console_server_stop(struct console_server *server);

/* When the hub has ended, too. */
void console_server_destroy(struct console_server *server);

#endif
