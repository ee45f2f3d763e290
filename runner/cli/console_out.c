#include "runner/cli/console_out.h"

#include "runner/base/policy.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    TERMINAL_RATE = 200,
    MIN_COLUMNS = 20,
    USUAL_COLUMNS = 80,
    /* With a further line of up to PIPE_BUF / 2 bytes, a pipe takes them as one piece. */
    HELD_BYTES = PIPE_BUF / 2,
};

static bool wants_colors(int fd)
{
    const char *no_color = getenv("NO_COLOR");
    return isatty(fd) && !(no_color && *no_color);
}

/* Asks each time: the window may be resized. */
static size_t columns(void *data)
{
    const struct console_out *out = data;
    struct winsize size = { 0 };
    if (!isatty(out->fd)) {
        return 0;
    }
    bool is_known = ioctl(out->fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= MIN_COLUMNS;
    return is_known ? size.ws_col : USUAL_COLUMNS;
}

static void on_text(void *data, const char *text, bool is_urgent)
{
    const struct console_out *out = data;
    printer_add_text(out->printer, text, is_urgent);
}

bool console_out_start(struct console_out *out, const struct cli_options *options, int fd,
                       bool is_json, struct loop *loop, struct br_error *err)
{
    const struct cli_console_options *console = &options->console;
    bool is_terminal = isatty(fd);
    struct console_hub_options hub = {
        .output = {
            .print = console->print,
            .is_json = is_json,
            .max_held = is_terminal ? 0 : HELD_BYTES, /* a terminal may lose lines, one by one */
            .on_text = on_text,
            .columns = columns,
            .data = out,
        },
        .is_verbose = console->print.has_latency,
        .max_rate = console->max_rate >= 0    ? console->max_rate
                    : is_terminal && !is_json ? TERMINAL_RATE
                                              : 0,
        .loop = console->has_no_maps ? NULL : loop,
    };
    hub.output.print.style.has_colors = wants_colors(fd);
    out->fd = fd;
    if (!policy_create(&options->session.policy, &out->policy, err)) {
        return false;
    }
    hub.policy = out->policy;
    out->printer = printer_start(fd, !is_terminal, err);
    out->hub = out->printer ? console_hub_create(&hub, err) : NULL;
    return out->hub;
}

bool console_out_listen(struct console_out *out, const struct net_listener_options *listener,
                        struct loop *loop, struct br_error *err)
{
    out->server = console_server_start(loop, out->hub, listener, err);
    return out->server;
}

void console_out_stop(struct console_out *out)
{
    if (out->printer) {
        printer_hurry(out->printer);
    }
    console_server_stop(out->server);
    console_hub_destroy(out->hub);
    console_server_destroy(out->server);
    printer_stop(out->printer);
    policy_destroy(out->policy);
}
