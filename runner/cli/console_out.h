/* Where pages' consoles are told: a hub, whoever brings it what they say, and a printer. */
#ifndef RUNNER_CLI_CONSOLE_OUT_H
#define RUNNER_CLI_CONSOLE_OUT_H

#include "runner/cli/command.h"
#include "runner/cli/printer.h"
#include "runner/servers/console_bridge/server.h"

struct console_out {
    int fd;
    struct printer *printer;
    struct console_hub *hub;
    struct console_server *server; /* NULL: nobody may connect */
};

/*
 * Tells it to the descriptor as the options say, to a terminal no faster than anybody reads. The
 * loop is for fetching source maps. On failure it is to be stopped as well.
 */
bool console_out_start(struct console_out *out, const struct cli_options *options, int fd,
                       bool is_json, struct loop *loop, struct br_error *err);

/* Lets extensions connect. */
bool console_out_listen(struct console_out *out, const struct cli_options *options,
                        struct loop *loop, int port, struct br_error *err);

/* Tells what has come, and ends. */
void console_out_stop(struct console_out *out);

#endif
