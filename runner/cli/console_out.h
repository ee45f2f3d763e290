/* The output of consoles: a hub, a printer, and a server for extensions. */
#ifndef RUNNER_CLI_CONSOLE_OUT_H
#define RUNNER_CLI_CONSOLE_OUT_H

#include "runner/cli/command.h"
#include "runner/cli/printer.h"
#include "runner/servers/console_bridge/server.h"

struct console_out {
    int fd;
    struct policy *policy; /* the rules for fetching source maps; NULL: none */
    struct printer *printer;
    struct console_hub *hub;
    struct console_server *server; /* NULL: no extension can connect */
};

/*
 * Starts printing to the descriptor by the options; limits the rate on a terminal. The loop fetches
 * source maps. Call console_out_stop() after a failure, too.
 */
bool console_out_start(struct console_out *out, const struct cli_options *options, int fd,
                       bool is_json, struct loop *loop, struct br_error *err);

/* Starts the server for extensions, as console_server_start(). */
bool console_out_listen(struct console_out *out, const struct net_listener_options *listener,
                        struct loop *loop, struct br_error *err);

/* Prints what was received, and ends. */
void console_out_stop(struct console_out *out);

#endif
