#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/url_parts.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/option.h"
#include "runner/cli/systemd.h"
#include "runner/cli/warm.h"
#include "runner/formats/terminal_log.h"
#include "runner/servers/local/client.h"
#include "runner/servers/local/daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    ASK_MS = 10000,
    START_MS = 60000, /* limit for a browser to start and the page to load */
    STOP_MS = 30000,  /* limit for a browser to save its profile */
    IDLE_S = 30 * 60,
};

/* What is needed to print an answer. */
struct printing {
    const struct cli_options *options;
    const char *name; /* of the session to start */
    bool was_opened;
};

static void print_text(const char *label, const char *text)
{
    CLEANUP_FREE char *harmless = terminal_harmless(text ? text : "");
    if (*harmless) {
        printf("%s%s", label, harmless);
    }
}

static void print_age(const char *label, double ms)
{
    if (ms < 120000) {
        printf("%s%.0f s", label, ms / 1000);
    } else if (ms < 2 * 3600000.0) {
        printf("%s%.0f min", label, ms / 60000);
    } else {
        printf("%s%.1f h", label, ms / 3600000);
    }
}

static void print_session(const json_t *session)
{
    const char *action = json_member_string(session, "action");
    double memory = json_member_number(session, "memoryBytes", 0);
    printf("%s: %s", json_member_string(session, "name"), json_member_string(session, "state"));
    if (action) {
        printf(" %s for %.0f ms", action, json_member_number(session, "runningMs", 0));
    }
    print_age(", open ", json_member_number(session, "ageMs", 0));
    print_age(", idle ", json_member_number(session, "idleMs", 0));
    printf(", %.0f actions", json_member_number(session, "actions", 0));
    if (memory > 0) {
        printf(", %.0f MB", memory / 1e6);
    }
    print_text("\n  ", json_member_string(session, "url"));
    print_text(" ", json_member_string(session, "title"));
    print_text("\n  profile ", json_member_string(session, "profile"));
    print_text("\n  connected to ", json_member_string(session, "connect"));
    print_text("\n  last error: ", json_member_string(session, "lastError"));
    putchar('\n');
}

static void print_sessions(const struct printing *printing, const json_t *line)
{
    size_t index;
    json_t *session;
    json_array_foreach (json_object_get(line, "sessions"), index, session) {
        if (printing->options->is_names) {
            puts(json_member_string(session, "name"));
        } else {
            print_session(session);
        }
    }
    if (index == 0 && !printing->options->is_names) {
        fputs("no session is open\n", stderr);
    }
}

static void print_stopped(const struct printing *printing, const json_t *line)
{
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(line, "sessions"), index, name) {
        printf("%s: stopped\n", json_string_value(name));
    }
    if (json_member_bool(line, "daemonEnds", false)) {
        puts("the daemon ends");
    } else if (index == 0) {
        printf("%s: was not open\n", printing->name);
    }
}

/* Prints the response to the `start` of a session, which may already have been open. */
static void print_started(const struct printing *printing, const json_t *line)
{
    bool is_loaded = json_member_bool(line, "success", false);
    if (is_loaded) {
        printf("%s: %s at", printing->name, printing->was_opened ? "open" : "was open, is now");
        print_text(" ", json_member_string(line, "url"));
        print_text(" ", json_member_string(line, "title"));
        putchar('\n');
    } else if (printing->was_opened) {
        printf("%s: open\n", printing->name);
    }
}

static void print_line(struct printing *printing, const json_t *line, const char *kind)
{
    if (strcmp(kind, "sessions") == 0) {
        print_sessions(printing, line);
    } else if (strcmp(kind, "session") == 0) {
        print_session(line);
    } else if (strcmp(kind, "stopped") == 0) {
        print_stopped(printing, line);
    } else if (strcmp(kind, "response") == 0) {
        print_started(printing, line);
    }
}

/* Reads why the page of a `start` was not loaded. */
static bool read_failure(const json_t *response, struct br_error *err)
{
    const char *code = json_member_string(response, "errorCode");
    const char *message = json_member_string(response, "error");
    const char *hint = json_member_string(response, "hint");
    error_set(err, error_code_from_name(code ? code : ""), "%s", message ? message : "");
    return hint ? error_hint(err, "%s", hint) : false;
}

static bool on_line(void *data, json_t *line, const char *text, struct br_error *err)
{
    struct printing *printing = data;
    const char *kind = json_member_string(line, "kind");
    if (!kind) {
        return true;
    }
    bool is_response = strcmp(kind, "response") == 0;
    printing->was_opened |= strcmp(kind, "opened") == 0;
    if (!printing->options->is_json) {
        print_line(printing, line, kind);
    } else if (strcmp(kind, "summary") != 0) {
        puts(text);
    }
    return !is_response || json_member_bool(line, "success", false) || read_failure(line, err);
}

static int ask(struct cli_options *options, json_t *request, bool forbids_start, int64_t timeout_ms,
               struct br_error *err)
{
    CLEANUP_FREE char *name = xstrdup(json_member_string(request, "session"));
    struct printing printing = { .options = options, .name = name };
    struct warm_exchange exchange = {
        .forbids_start = forbids_start,
        .timeout_ms = timeout_ms,
        .data = &printing,
        .on_line = on_line,
    };
    interrupt_exits();
    bool is_done = warm_ask(&exchange, request, err);
    fflush(stdout);
    if (is_done && !exchange.was_interrupted) {
        return EXIT_SUCCESS;
    }
    if (!is_done) {
        cli_print_error(err);
    }
    return exchange.was_interrupted ? EXIT_INTERRUPTED : cli_exit_code(err);
}

/* Returns the operand at an index, NULL if there is none. */
static const char *operand(const struct cli_options *options, size_t index)
{
    return index < options->operand_count ? options->operands[index] : NULL;
}

/* session start [NAME] [URL]: a single operand with a : or / is a URL. */
static int start(struct cli_options *options, struct br_error *err)
{
    const char *name = operand(options, 1);
    const char *url = operand(options, 2);
    if (name && !url && strpbrk(name, ":/")) {
        url = name;
        name = NULL;
    }
    CLEANUP_FREE char *address = url_complete(url ? url : "about:blank");
    json_t *request = local_request("act", warm_session_name(options, name));
    json_auto_t *instruction = json_pack("{s:s, s:o}", "type", "start", "url", json_text(address));
    CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
    json_object_set_new(request, "opens", json_true());
    json_object_set_new(request, "instructions", json_string(text));
    json_object_set_new(request, "unlessOpen", json_boolean(!url));
    if (options->console.url) {
        json_object_set_new(request, "consoleBridge", json_text(options->console.url));
    }
    if (!warm_add_settings(request, options, err)) {
        json_decref(request);
        cli_print_error(err);
        return EXIT_USAGE;
    }
    return ask(options, request, false, START_MS + options->session.timeout_ms, err);
}

static int stop(struct cli_options *options, struct br_error *err)
{
    if (options->is_all && !local_client_finds_daemon()) {
        fputs("no daemon runs\n", stderr);
        return EXIT_SUCCESS;
    }
    const char *name = warm_session_name(options, operand(options, 1));
    if (!local_client_finds_daemon()) {
        printf("%s: was not open\n", name);
        return EXIT_SUCCESS;
    }
    json_t *request = local_request("stop", name);
    if (options->is_all) {
        json_object_set_new(request, "all", json_true());
    }
    return ask(options, request, true, STOP_MS, err);
}

static int list(struct cli_options *options, struct br_error *err)
{
    if (!local_client_finds_daemon()) {
        static const char nothing[] = "{\"kind\":\"sessions\",\"sessions\":[]}";
        fprintf(options->is_json ? stdout : stderr, "%s\n",
                options->is_json ? nothing : "no session is open");
        return EXIT_SUCCESS;
    }
    return ask(options, local_request("list", NULL), true, ASK_MS, err);
}

static int info(struct cli_options *options, struct br_error *err)
{
    return ask(options, local_request("info", warm_session_name(options, operand(options, 1))),
               true, ASK_MS, err);
}

static void log_line(void *data, const char *line)
{
    (void)data;
    fprintf(stderr, "%s\n", line);
}

static void say_listening(const char *path)
{
    json_auto_t *line = json_pack("{s:s, s:s, s:o}", "kind", "listening", "server", "local", "path",
                                  json_text(path));
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT);
    puts(text);
    fflush(stdout);
    /* The parent process has closed our stdout. */
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0 && !isatty(STDOUT_FILENO)) {
        dup2(null, STDOUT_FILENO);
    }
    if (null >= 0) {
        close(null);
    }
}

static int serve(struct cli_options *options, struct br_error *err)
{
    const char *of_environment = getenv("BROWSER_RUNNER_IDLE");
    if (options->idle_s < 0 && of_environment &&
        !option_int(of_environment, 0, 365 * 24 * 3600, &options->idle_s, err)) {
        error_context(err, "BROWSER_RUNNER_IDLE");
        cli_print_error(err);
        return EXIT_USAGE;
    }
    struct systemd systemd;
    struct net_listener_options inherited = NET_LISTENER_OPTIONS_INIT;
    bool is_fine = systemd_init(&systemd, err);
    systemd_take(&systemd, NULL, &inherited);
    if (is_fine && systemd.socket_count > 1) {
        is_fine = error_set(err, BR_INVALID_ACTION,
                            "the service manager has %zu sockets for a "
                            "daemon that needs one",
                            systemd.socket_count);
    }
    systemd_finish(&systemd);
    if (!is_fine) {
        cli_print_error(err);
        return EXIT_USAGE;
    }
    setvbuf(stderr, NULL, _IOLBF, 0);
    struct interrupt *interrupt = interrupt_create(false);
    const struct daemon_options daemon = {
        .idle_ms = 1000LL * (options->idle_s < 0 ? IDLE_S : options->idle_s),
        .stop_fd = interrupt_fd(interrupt),
        .listen_fd = inherited.fd_count ? inherited.fds[0] : -1,
        .log = { log_line, NULL },
        .on_listening = say_listening,
    };
    bool is_done = daemon_run(&daemon, err);
    interrupt_destroy(interrupt);
    if (!is_done) {
        cli_print_error(err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_ACTION_FAILED;
}

static const struct verb {
    const char *name;
    int (*run)(struct cli_options *options, struct br_error *err);
    size_t max_operands; /* after the subcommand */
} verbs[] = {
    { "start", start, 2 }, { "stop", stop, 1 },    { "list", list, 0 },
    { "info", info, 1 },   { "daemon", serve, 0 },
};
enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

static int run_session(struct cli_options *options)
{
    struct br_error err = { 0 };
    const char *names[VERB_COUNT];
    const char *word = options->operands[0];
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verbs[i].name;
        if (strcmp(verbs[i].name, word) == 0) {
            if (options->operand_count - 1 <= verbs[i].max_operands) {
                return verbs[i].run(options, &err);
            }
            cli_warn("session %s: too many arguments; see browser-runner session --help", word);
            return EXIT_USAGE;
        }
    }
    const char *nearest = names_nearest(word, names, VERB_COUNT);
    cli_warn("session has no \"%s\"; %s%s%s", word, nearest ? "did you mean " : "see --help",
             nearest ? nearest : "", nearest ? "?" : "");
    return EXIT_USAGE;
}

const struct command command_session = {
    .name = "session",
    .operands = "start|stop|info [NAME] [URL] | list | daemon",
    .summary = "Keeps browsers open between commands, by name, for act",
    .description =
        "start opens a session in a daemon, which continues after this command has ended; each "
        "user has one daemon, which is started if necessary. Without NAME the session is called "
        "default. Sessions of one profile share its browser and its logins, each with its own tab; "
        "with --isolated they share nothing. With --connect and --tab the session uses a tab that "
        "a person has open. stop ends a session; the browser ends with its last session, and saves "
        "its profile. stop --all ends the daemon as well. list and info answer while pages hang. "
        "daemon runs the daemon in the foreground, for service managers; it accepts a socket that "
        "they have opened (LISTEN_FDS).",
    .examples = "  browser-runner session start shop http://localhost:3000/\n"
                "  browser-runner act click \"Sign in\" --session shop\n"
                "  browser-runner session stop --all\n",
    .words = "start stop list info daemon",
    .option_groups = OPTIONS_BROWSER | OPTIONS_SESSION,
    .min_operands = 1,
    .max_operands = 3,
    .run = run_session,
};
