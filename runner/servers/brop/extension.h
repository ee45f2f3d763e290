/*
 * The extension that serves its own Chrome: it connects to a separate port, gets a welcome and
 * commands, and answers them. One may be connected. Used on the server's thread only.
 *   to it:   {"type": "brop_command", "id": "ext_1", "method": …, "params": {…}}
 *   from it: {"type": "response", "id": "ext_1", "success": …, …}, {"type": "ping", "timestamp": …}
 */
#ifndef RUNNER_SERVERS_BROP_EXTENSION_H
#define RUNNER_SERVERS_BROP_EXTENSION_H

#include "runner/servers/brop/parts.h"

/* NULL with the error. */
struct brop_extension *brop_extension_start(struct brop *brop,
                                            const struct net_listener_options *listener,
                                            struct br_error *err);
struct net_listener *brop_extension_listener(const struct brop_extension *extension);

/* Drops commands that wait for it. NULL is fine. */
void brop_extension_forget(struct brop_extension *extension);

/* After the service has ended. NULL is fine. */
void brop_extension_destroy(struct brop_extension *extension);

bool brop_extension_is_connected(const struct brop_extension *extension);

/* Forwards the command, or answers that no extension is connected; takes ownership. */
void brop_extension_forward(struct brop_extension *extension, struct brop_command *command);

/* Answers commands that have waited for too long; when to call it again. */
struct deadline brop_extension_sweep(struct brop_extension *extension);

#endif
