#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/console_out.h"
#include "runner/cli/console_pages.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/warm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 500 }; /* between two checks of the pages */

static void say_listening(const struct cli_options *options, int port)
{
    CLEANUP_FREE char *url = xasprintf("ws://127.0.0.1:%d", port);
    if (!options->is_json || options->output) {
        cli_warn("listening at %s", url);
        return;
    }
    json_auto_t *line =
        json_pack("{s:s, s:s, s:s}", "kind", "listening", "server", "console-bridge", "url", url);
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT);
    puts(text);
    fflush(stdout);
}

/* Waits for a signal, or until no page is left. False: the output cannot be written. */
static bool wait_for_end(const struct interrupt *interrupt, const struct console_out *out,
                         struct console_pages *pages, const char *output, struct br_error *err)
{
    struct pollfd ends[] = { { .fd = interrupt_fd(interrupt), .events = POLLIN },
                             { .fd = printer_end_fd(out->printer), .events = POLLIN },
                             { .fd = pages ? console_pages_end_fd(pages) : -1, .events = POLLIN } };
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        ready = poll(ends, 3, pages ? LOOK_MS : -1);
        if (ready == 0) {
            console_pages_look(pages);
        }
    }
    int failure = printer_failure(out->printer);
    /* A reader such as `head` has closed the pipe: that is the end, not a failure. */
    if (failure == 0 || (failure == EPIPE && !output)) {
        return true;
    }
    return error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot write %s",
                           output ? output : "the output");
}

static bool listen_to(const struct cli_options *options, struct loop *loop, int fd,
                      const struct interrupt *interrupt, struct br_error *err)
{
    struct console_out out = { 0 };
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    listener.port = options->console.port;
    listener.access.origins = options->allowed_origins.items;
    bool is_started = console_out_start(&out, options, fd, options->is_json, loop, err) &&
                      console_out_listen(&out, &listener, loop, err);
    bool is_fine = is_started;
    if (is_started) {
        say_listening(options, net_listener_port(console_server_listener(out.server)));
        is_fine = wait_for_end(interrupt, &out, NULL, options->output, err);
    }
    console_out_stop(&out);
    return is_fine;
}

/* Follows pages that are opened here, or tabs of another browser. */
static bool watch_pages(const struct cli_options *options, struct loop *loop, int fd,
                        const struct interrupt *interrupt, struct br_error *err)
{
    struct console_out out = { 0 };
    struct console_pages *pages = NULL;
    bool is_fine = false;
    if (console_out_start(&out, options, fd, options->is_json, loop, err) &&
        (pages = console_pages_open(options, out.hub, err))) {
        is_fine = wait_for_end(interrupt, &out, pages, options->output, err);
        if (is_fine && console_pages_are_over(pages)) {
            is_fine = error_set(err, BR_PAGE_CRASHED, "no page is left");
        }
    }
    console_pages_close(pages);
    console_out_stop(&out);
    return is_fine;
}

static bool has_print_failed(void *data)
{
    return printer_failure(data) != 0;
}

static bool follow_session(const struct cli_options *options, struct loop *loop, int fd,
                           struct interrupt *interrupt, struct br_error *err)
{
    struct console_out out = { 0 };
    bool is_fine = console_out_start(&out, options, fd, options->is_json, loop, err) &&
                   console_pages_follow(warm_session_name(options, NULL), out.hub, interrupt,
                                        has_print_failed, out.printer, err);
    console_out_stop(&out);
    return is_fine;
}

/* Prints the consoles of a warm session, of pages, or of extensions. */
static bool print(const struct cli_options *options, int fd, struct interrupt *interrupt,
                  struct br_error *err)
{
    bool has_pages = options->operand_count > 0 || options->browser.connect;
    struct loop *loop = loop_create(false, err);
    bool is_fine = loop && (options->warm ? follow_session(options, loop, fd, interrupt, err)
                            : has_pages   ? watch_pages(options, loop, fd, interrupt, err)
                                          : listen_to(options, loop, fd, interrupt, err));
    loop_destroy(loop);
    return is_fine;
}

static bool check_sources(const struct cli_options *options, struct br_error *err)
{
    bool has_pages = options->operand_count > 0 || options->browser.connect;
    if (options->warm && has_pages) {
        error_set(err, BR_INVALID_ACTION, "--session cannot be combined with a URL or --connect");
        return error_hint(err, "--session follows a session that is open already");
    }
    if (options->console.port >= 0 && (options->warm || has_pages)) {
        error_set(err, BR_INVALID_ACTION, "--port is only for extensions");
        return error_hint(err, "start another `browser-runner console` for them");
    }
    return true;
}

/* Returns -1 with the error. */
static int open_output(const struct cli_options *options, struct br_error *err)
{
    if (!options->output || strcmp(options->output, "-") == 0) {
        return STDOUT_FILENO;
    }
    int fd = open(options->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write %s", options->output);
    }
    return fd;
}

static int run_console(struct cli_options *options)
{
    struct br_error err = { 0 };
    if (!check_sources(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    if (options->console.port < 0) {
        options->console.port = CONSOLE_PORT;
    }
    int fd = open_output(options, &err);
    if (fd < 0) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    bool is_done = print(options, fd, interrupt, &err);
    interrupt_destroy(interrupt);
    if (fd != STDOUT_FILENO) {
        close(fd);
    }
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : cli_exit_code(&err);
}

const struct command command_console = {
    .name = "console",
    .operands = "[URL]…",
    .summary = "Prints the console output of pages, live",
    .description =
        "Listens on 127.0.0.1, port 9223, for browser extensions that speak console-bridge, and "
        "prints the console calls of their pages: a line each, groups indented, tables drawn, "
        "errors with their stacks. Nothing that a page prints can control the terminal. A terminal "
        "gets at most 200 messages a second from each tab, a file or pipe gets all. Any browser "
        "extension and any program on this machine may connect. With URLs it opens these pages "
        "instead and prints their consoles, with frames and workers, through reloads and crashes; "
        "--session follows the page of a warm session, --connect all open tabs of a browser. Ends "
        "on Ctrl-C or SIGTERM. "
        "Exit codes: 0 ended by a signal, 1 the output cannot be written, 2 bad input or the port "
        "is in use.",
    .examples = "  browser-runner console\n"
                "  browser-runner console http://localhost:3000/ --headed\n"
                "  browser-runner console --session shop\n"
                "  browser-runner console --connect http://127.0.0.1:9222\n"
                "  browser-runner console --levels warn,error --location\n"
                "  browser-runner console --json | jq -r .text\n"
                "  browser-runner console --output console.log --timestamp iso\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_CONSOLE,
    .max_operands = 100,
    .run = run_console,
};
