#include "runner/checks/server.h"

#include "runner/checks/server_process.h"
#include "runner/net/http.h"

#include <string.h>

enum {
    PAUSE_MS = 100,      /* between two requests */
    REQUEST_MS = 5000,   /* for one request: the server may build its pages for the first one */
    LISTENING_MS = 1000, /* for the check whether a server already listens */
    SHOWN_WORDS = 600,   /* bytes of its output in errors */
};

struct server {
    struct server_process *process; /* NULL: a server that was already running */
};

/* A wait for the server to answer. */
struct wait {
    const struct suite_server *options;
    struct server_process *process; /* NULL: a server that was already running */
    struct server_url url;
    struct lookup_addresses addresses;
    int interrupt_fd;
    enum http_probe_state best; /* the best state seen so far */
    int status;                 /* of the last answer; 0: none */
};

/* Appends the last lines of the output to the message. Returns false. */
static bool fail_with_output(struct server_process *process, enum br_code code, const char *message,
                             struct br_error *err)
{
    CLEANUP_FREE char *words = process ? server_process_last_words(process, SHOWN_WORDS) : NULL;
    if (words && *words) {
        return error_set(err, code, "%s; its last output:\n%s", message, words);
    }
    return error_set(err, code, "%s%s", message, process ? ", and wrote nothing" : "");
}

static bool has_ended(const struct wait *wait, struct br_error *err)
{
    char how[64];
    if (!wait->process || !server_process_has_ended(wait->process, how, sizeof(how))) {
        return false;
    }
    CLEANUP_FREE char *message =
        xasprintf("the server %s before %.200s answered", how, wait->options->url);
    fail_with_output(wait->process, BR_UNKNOWN_ERROR, message, err);
    error_hint(err, "correct the \"command\" of the suite's \"server\"; it must stay in the "
                    "foreground while it serves");
    return true;
}

static bool fail_late(const struct wait *wait, struct br_error *err)
{
    static const char *const reasons[] = {
        [HTTP_PROBE_NOBODY] = "no server listens there",
        [HTTP_PROBE_SILENT] = "it takes connections and gives no answer of HTTP",
        [HTTP_PROBE_REFUSED] = "it answers with HTTP status",
        [HTTP_PROBE_READY] = "",
        [HTTP_PROBE_STOPPED] = "",
    };
    CLEANUP_FREE char *status =
        wait->best == HTTP_PROBE_REFUSED ? xasprintf(" %d", wait->status) : xstrdup("");
    CLEANUP_FREE char *message =
        xasprintf("the server is not ready at %.200s after %d ms: %s%s", wait->options->url,
                  wait->options->timeout_ms, reasons[wait->best], status);
    fail_with_output(wait->process, BR_TIMEOUT, message, err);
    return error_hint(err, "raise \"timeout\" of the suite's \"server\", or correct its \"url\"");
}

static bool fail_interrupted(struct br_error *err)
{
    return error_set(err, BR_UNKNOWN_ERROR, "interrupted while waiting for the server");
}

/* If the deadline cut the last request short, its state is ignored. */
static enum http_probe_state ask(struct wait *wait, const struct http_probe_stop *stop,
                                 struct deadline deadline)
{
    int status = 0;
    enum http_probe_state state =
        http_probe(&wait->url, &wait->addresses, stop,
                   deadline_earlier(deadline, deadline_in_ms(REQUEST_MS)), &status);
    wait->status = status ? status : wait->status;
    wait->best = state < HTTP_PROBE_READY && state > wait->best ? state : wait->best;
    return state;
}

static bool wait_until_ready(struct wait *wait, struct br_error *err)
{
    struct deadline deadline = deadline_in_ms(wait->options->timeout_ms);
    const struct http_probe_stop stop = {
        .fds = { wait->process ? server_process_end_fd(wait->process) : -1, wait->interrupt_fd },
    };
    for (;;) {
        enum http_probe_state state = ask(wait, &stop, deadline);
        if (has_ended(wait, err)) {
            return false;
        }
        if (state == HTTP_PROBE_READY) {
            return true;
        }
        if (state == HTTP_PROBE_STOPPED) {
            return fail_interrupted(err);
        }
        if (deadline_passed(deadline)) {
            return fail_late(wait, err);
        }
        http_probe_pause(&stop, PAUSE_MS);
    }
}

/* Checks whether a server listens at the address before ours is started. */
static enum http_probe_state probe_existing(struct wait *wait)
{
    const struct http_probe_stop stop = { .fds = { -1, wait->interrupt_fd } };
    /* Listening suffices, so the request is made as for https, which only connects. */
    struct server_url plain = wait->url;
    plain.is_tls = true;
    return http_probe(&plain, &wait->addresses, &stop, deadline_in_ms(LISTENING_MS), &wait->status);
}

static bool fail_in_use(const struct suite_server *options, struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION,
              "a server already listens at %.200s before the suite's server is started",
              options->url);
    return error_hint(err, "end that program, give the server another port, or use the running one "
                           "with \"reuse\": true in the suite's \"server\"");
}

static bool start(struct wait *wait, struct br_error *err)
{
    const struct suite_server *options = wait->options;
    enum http_probe_state state = probe_existing(wait);
    if (state == HTTP_PROBE_STOPPED) {
        return fail_interrupted(err);
    }
    if (state == HTTP_PROBE_NOBODY) {
        wait->process = server_process_start(options->command, options->directory, err);
        return wait->process != NULL;
    }
    return options->is_reused || fail_in_use(options, err);
}

struct server *server_start(const struct suite_server *options, int interrupt_fd,
                            struct br_error *err)
{
    struct wait wait = { .options = options, .interrupt_fd = interrupt_fd };
    if (!server_url_parse(options->url, &wait.url, err) ||
        !server_url_resolve(&wait.url, deadline_in_ms(options->timeout_ms), &wait.addresses, err)) {
        error_context(err, "the address of the suite's server");
        return NULL;
    }
    if (!start(&wait, err) || !wait_until_ready(&wait, err)) {
        server_process_stop(wait.process);
        return NULL;
    }
    struct server *server = xcalloc(1, sizeof(*server));
    server->process = wait.process;
    return server;
}

bool server_is_reused(const struct server *server)
{
    return !server->process;
}

bool server_check(struct server *server, struct br_error *err)
{
    char how[64];
    if (!server->process || !server_process_has_ended(server->process, how, sizeof(how))) {
        return true;
    }
    CLEANUP_FREE char *message = xasprintf("the server %s while the checks ran", how);
    return fail_with_output(server->process, BR_UNKNOWN_ERROR, message, err);
}

bool server_stop(struct server *server)
{
    bool is_done = !server || server_process_stop(server->process);
    free(server);
    return is_done;
}
