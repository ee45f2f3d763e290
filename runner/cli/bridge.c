#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/cli/bridge_text.h"
#include "runner/cli/bridge_words.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/formats/response_json.h"
#include "runner/servers/clients/bridge_agent.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    CONNECT_MS = 10000,
    /* After the first hello: the relay repeats the hellos of all present apps at once. */
    SETTLE_MS = 300,
    /* After an answer: some apps send no command_result. */
    RESULT_MS = 1000,
    MAX_OPERANDS = 64,
};

enum outcome {
    DONE,
    FAILED,
    STOPPED, /* ended by a signal */
    GONE,    /* the connection has ended */
};

struct bridge {
    const struct cli_options *options;
    struct interrupt *interrupt;
    struct agent *agent;
    json_t *apps;    /* {"appId", "name", "url", "capabilities"}, by id */
    char prefix[16]; /* of requestIds */
    unsigned sent;
    bool is_json;
    struct br_error err; /* for GONE and FAILED */
};

static int exit_code_of(enum outcome outcome)
{
    static const int codes[] = {
        [DONE] = EXIT_SUCCESS,
        [FAILED] = EXIT_ACTION_FAILED,
        [STOPPED] = EXIT_INTERRUPTED,
        [GONE] = EXIT_NO_BROWSER,
    };
    return codes[outcome];
}

static const char *id_of(const json_t *message)
{
    const char *id = json_member_string(message, "appId");
    return id ? id : "";
}

static const char *type_of(const json_t *message)
{
    const char *type = json_member_string(message, "type");
    return type ? type : "";
}

static void print_json(const json_t *message)
{
    CLEANUP_FREE char *text = json_line(message, NULL);
    puts(text);
    fflush(stdout);
}

static void print_text(FILE *file, const json_t *message,
                       void (*add)(struct strbuf *, const json_t *))
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    add(&text, message);
    fputs(text.data, file);
    fflush(file);
    strbuf_finish(&text);
}

static void print(const struct bridge *bridge, const json_t *message,
                  void (*add)(struct strbuf *, const json_t *))
{
    if (bridge->is_json) {
        print_json(message);
    } else {
        print_text(stdout, message, add);
    }
}

static enum agent_news next(struct bridge *bridge, struct deadline deadline, json_t **ret_message)
{
    enum agent_news news = agent_next(bridge->agent, interrupt_fd(bridge->interrupt), deadline,
                                      ret_message, &bridge->err);
    size_t dropped = agent_take_dropped(bridge->agent);
    if (dropped > 0) {
        cli_warn("%zu messages were dropped: they arrive faster than they are printed", dropped);
    }
    return news;
}

/* The outcome of a wait that returned no message. */
static enum outcome outcome_of(enum agent_news news)
{
    return news == AGENT_STOPPED ? STOPPED : news == AGENT_GONE ? GONE : FAILED;
}

static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const struct cli_options *options, const json_t *message)
{
    return (!options->bridge_types || is_listed(options->bridge_types, type_of(message))) &&
           (!options->bridge_app || strcmp(options->bridge_app, id_of(message)) == 0);
}

/* Prints messages until the connection ends or a signal arrives. */
static enum outcome watch(struct bridge *bridge)
{
    while (!ferror(stdout)) {
        json_t *message;
        enum agent_news news = next(bridge, deadline_in_ms(INT64_MAX), &message);
        if (news == AGENT_STOPPED) {
            return DONE;
        }
        if (news == AGENT_GONE) {
            return GONE;
        }
        if (news == AGENT_MESSAGE && is_wanted(bridge->options, message)) {
            print(bridge, message, bridge_text_add_telemetry);
        }
        json_decref(message);
    }
    return DONE;
}

static json_t *get_app(struct bridge *bridge, const char *id)
{
    json_t *app = json_object_get(bridge->apps, id);
    if (!app) {
        app = json_pack("{s:s?}", "appId", *id ? id : NULL);
        json_object_set_new(bridge->apps, id, app);
    }
    return app;
}

/* Updates the apps by a message. True for hello and capabilities, which an app sends first. */
static bool note_app(struct bridge *bridge, const json_t *message)
{
    const char *type = type_of(message);
    const char *event = json_member_string(message, "event");
    if (strcmp(type, "hello") == 0) {
        json_t *app = get_app(bridge, id_of(message));
        json_object_set(app, "name", json_object_get(message, "appName"));
        json_object_set(app, "url", json_object_get(message, "url"));
        return true;
    }
    if (strcmp(type, "capabilities") == 0) {
        json_object_set(get_app(bridge, id_of(message)), "capabilities",
                        json_object_get(message, "capabilities"));
        return true;
    }
    if (strcmp(type, "connection_event") == 0 && event && strcmp(event, "app_disconnected") == 0) {
        json_object_del(bridge->apps, id_of(message));
    }
    return false;
}

/* Waits for the first hello, then SETTLE_MS for those of other apps. */
static enum outcome find_apps(struct bridge *bridge)
{
    struct deadline deadline = deadline_in_ms(bridge->options->session.timeout_ms);
    for (;;) {
        json_t *message;
        enum agent_news news = next(bridge, deadline, &message);
        if (news == AGENT_MESSAGE) {
            bool was_empty = json_object_size(bridge->apps) == 0;
            if (note_app(bridge, message) && was_empty) {
                deadline = deadline_in_ms(SETTLE_MS);
            }
            json_decref(message);
        } else if (news != AGENT_NOTHING) {
            return outcome_of(news);
        } else if (json_object_size(bridge->apps) > 0) {
            return DONE;
        } else {
            error_set(&bridge->err, BR_TIMEOUT, "no app has said hello in this session");
            error_hint(&bridge->err, "is its session \"%s\"? With --app a command does not wait",
                       bridge->options->bridge_session);
            return FAILED;
        }
    }
}

static enum outcome list(struct bridge *bridge)
{
    enum outcome outcome = find_apps(bridge);
    const char *id;
    json_t *app;
    json_object_foreach (bridge->apps, id, app) {
        print(bridge, app, bridge_text_add_app);
    }
    return outcome;
}

/* Writes the picture to --output; replaces `data` in the message by `file`. */
static bool save_picture(struct bridge *bridge, json_t *message)
{
    const char *path = bridge->options->output;
    const char *data = json_member_string(message, "data");
    /* Some apps send a data: URL. */
    const char *comma = data && strncmp(data, "data:", 5) == 0 ? strchr(data, ',') : NULL;
    const char *text = comma ? comma + 1 : data ? data : "";
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    if (!base64_decode(text, strlen(text), &bytes, &size, &bridge->err)) {
        return error_context(&bridge->err, "the picture");
    }
    if (size == 0) {
        return error_set(&bridge->err, BR_UNKNOWN_ERROR, "the app sent an empty picture");
    }
    if (!cli_write_file(path, bytes, size, &bridge->err)) {
        return false;
    }
    json_object_del(message, "data");
    json_object_set_new(message, "file", json_text(path));
    return true;
}

static void print_picture(const struct bridge *bridge, const json_t *message)
{
    const char *path = json_member_string(message, "file");
    if (bridge->is_json) {
        print_json(message);
    } else if (path) {
        puts(path);
    } else {
        cli_warn("the picture was received; --output FILE saves it");
    }
}

/* Prints the answer to a request_… command. False: it is an error, or could not be written. */
static bool take_answer(struct bridge *bridge, json_t *message)
{
    const json_t *error = json_object_get(message, "error");
    bool is_picture = strcmp(type_of(message), "screenshot") == 0;
    if (json_is_object(error)) {
        const char *code = json_member_string(error, "code");
        const char *text = json_member_string(error, "message");
        return error_set(&bridge->err, BR_UNKNOWN_ERROR, "%s: %s", code ? code : "failed",
                         text ? text : "");
    }
    if (is_picture && bridge->options->output && !save_picture(bridge, message)) {
        return false;
    }
    if (is_picture) {
        print_picture(bridge, message);
    } else {
        print(bridge, message, bridge_text_add_answer);
    }
    return true;
}

enum relation { OTHER, ANSWER, RESULT };

/* Whether a message answers the command, or is its result. */
static enum relation relate(const json_t *command, const json_t *message)
{
    const char *asked = json_member_string(command, "requestId");
    const char *given = json_member_string(message, "requestId");
    const char *app = json_member_string(command, "appId");
    const char *answer = bridge_words_answer(type_of(command));
    if (app && *id_of(message) && strcmp(app, id_of(message)) != 0) {
        return OTHER;
    }
    bool is_ours = given && asked && strcmp(given, asked) == 0;
    if (strcmp(type_of(message), "command_result") == 0) {
        /* A relay may answer a command above its rate with this id instead of the command's. */
        return is_ours || (given && strcmp(given, "rate_limit") == 0) ? RESULT : OTHER;
    }
    if (!answer || strcmp(type_of(message), answer) != 0) {
        return OTHER;
    }
    /* Some apps send states without a requestId. */
    return is_ours || (!given && strcmp(answer, "state_update") == 0) ? ANSWER : OTHER;
}

static enum outcome take_result(struct bridge *bridge, const json_t *result, bool has_failed)
{
    if (bridge->is_json) {
        print_json(result);
    } else {
        print_text(stdout, result, bridge_text_add_result);
    }
    return json_member_bool(result, "success", false) && !has_failed ? DONE : FAILED;
}

static enum outcome give_up(struct bridge *bridge, const json_t *command, bool has_answer)
{
    if (has_answer) {
        return DONE;
    }
    error_set(&bridge->err, BR_TIMEOUT, "no result of %.60s within %d ms", type_of(command),
              bridge->options->session.timeout_ms);
    return FAILED;
}

static enum outcome await_result(struct bridge *bridge, const json_t *command)
{
    struct deadline deadline = deadline_in_ms(bridge->options->session.timeout_ms);
    bool has_answer = false;
    bool has_failed = false;
    for (;;) {
        json_t *received;
        enum agent_news news = next(bridge, deadline, &received);
        json_auto_t *message = received;
        if (news == AGENT_NOTHING) {
            return has_failed ? FAILED : give_up(bridge, command, has_answer);
        }
        if (news != AGENT_MESSAGE) {
            return outcome_of(news);
        }
        enum relation relation = relate(command, message);
        if (relation == RESULT) {
            return take_result(bridge, message, has_failed);
        }
        if (relation == ANSWER) {
            has_answer = true;
            has_failed |= !take_answer(bridge, message);
            deadline = deadline_earlier(deadline, deadline_in_ms(RESULT_MS));
        }
    }
}

static void refuse_several(struct bridge *bridge)
{
    const char *id;
    json_t *app;
    error_set(&bridge->err, BR_INVALID_ACTION, "this session has several apps");
    error_hint(&bridge->err, "choose one with --app ID");
    json_object_foreach (bridge->apps, id, app) {
        print_text(stderr, app, bridge_text_add_app);
    }
}

/* The app to command: the one of --app, or the session's only one. */
static enum outcome choose_app(struct bridge *bridge, const char **ret_app, bool *ret_is_usage)
{
    *ret_app = bridge->options->bridge_app;
    *ret_is_usage = false;
    if (*ret_app) {
        return DONE;
    }
    enum outcome outcome = find_apps(bridge);
    if (outcome != DONE) {
        return outcome;
    }
    if (json_object_size(bridge->apps) > 1) {
        refuse_several(bridge);
        *ret_is_usage = true;
        return FAILED;
    }
    const char *id = json_object_iter_key(json_object_iter(bridge->apps));
    *ret_app = *id ? id : NULL;
    return DONE;
}

static enum outcome run_command(struct bridge *bridge, const char *app, json_t *command)
{
    bridge_command_complete(command, bridge->options->bridge_session, app, bridge->prefix,
                            ++bridge->sent);
    struct deadline deadline = deadline_in_ms(bridge->options->session.timeout_ms);
    if (!agent_send(bridge->agent, command, deadline, &bridge->err)) {
        return bridge->err.code == BR_DISCONNECTED ? GONE : FAILED;
    }
    return await_result(bridge, command);
}

/* Waits until stdin is readable. False: a signal arrived. */
static bool await_input(const struct bridge *bridge)
{
    struct pollfd fds[] = {
        { .fd = STDIN_FILENO, .events = POLLIN },
        { .fd = interrupt_fd(bridge->interrupt), .events = POLLIN },
    };
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    return !fds[1].revents;
}

/* Runs the command in each line. Ends at an invalid line, but not at a command that fails. */
static enum outcome run_lines(struct bridge *bridge, const char *app, bool *ret_is_usage)
{
    CLEANUP_FREE char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    enum outcome all = DONE;
    /* Unbuffered: await_input() does not see bytes that stdio has read already. */
    setvbuf(stdin, NULL, _IONBF, 0);
    while (await_input(bridge) && (length = getline(&line, &capacity, stdin)) >= 0) {
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        json_auto_t *command = json_parse(line, (size_t)length, "the line", &bridge->err);
        if (!command || !json_member_string(command, "type")) {
            error_set(&bridge->err, BR_INVALID_ACTION,
                      "a line of stdin is not a JSON object with a type");
            *ret_is_usage = true;
            return FAILED;
        }
        enum outcome outcome = run_command(bridge, app, command);
        if (outcome == STOPPED || outcome == GONE) {
            return outcome;
        }
        if (outcome == FAILED && bridge->err.code != BR_OK) {
            cli_print_error(&bridge->err);
            bridge->err = (struct br_error){ 0 };
        }
        all = outcome == FAILED ? FAILED : all;
    }
    return interrupt_was_received(bridge->interrupt) ? STOPPED : all;
}

/* Lists apps, watches, or runs commands. */
static enum outcome work(struct bridge *bridge, json_t *command, bool *ret_is_usage)
{
    const struct cli_options *options = bridge->options;
    const char *app = NULL;
    if (options->is_list) {
        return list(bridge);
    }
    if (options->operand_count == 1) {
        return watch(bridge);
    }
    enum outcome outcome = choose_app(bridge, &app, ret_is_usage);
    if (outcome != DONE) {
        return outcome;
    }
    return command ? run_command(bridge, app, command) : run_lines(bridge, app, ret_is_usage);
}

static int run_connected(struct bridge *bridge, json_t *command)
{
    bool is_usage = false;
    enum outcome outcome = work(bridge, command, &is_usage);
    if (bridge->err.code != BR_OK) {
        cli_print_error(&bridge->err);
    }
    return is_usage ? EXIT_USAGE : exit_code_of(outcome);
}

static bool init_prefix(struct bridge *bridge)
{
    unsigned number;
    if (getentropy(&number, sizeof(number)) != 0) {
        return error_set(&bridge->err, BR_UNKNOWN_ERROR, "the system has no random numbers");
    }
    snprintf(bridge->prefix, sizeof(bridge->prefix), "cli-%08x", number);
    return true;
}

/* Connects, works, and disconnects. Returns the exit code. */
static int run_at(struct bridge *bridge, const char *url, json_t *command)
{
    int exit_code = EXIT_NO_BROWSER;
    struct loop *loop = loop_create(strncmp(url, "wss", 3) == 0, &bridge->err);
    bridge->agent =
        loop ? agent_connect(loop, url, deadline_in_ms(CONNECT_MS), &bridge->err) : NULL;
    if (bridge->agent && init_prefix(bridge)) {
        exit_code = run_connected(bridge, command);
    } else {
        cli_print_error(&bridge->err);
    }
    agent_close(bridge->agent);
    loop_destroy(loop);
    return exit_code;
}

/* Reads the command in the operands; NULL if there is none, or with the error. Caller decrefs. */
static json_t *read_command(const struct cli_options *options, struct br_error *err)
{
    size_t count = options->operand_count - 1;
    bool is_stdin = count == 1 && strcmp(options->operands[1], "-") == 0;
    if (count > 0 && options->is_list) {
        error_set(err, BR_INVALID_ACTION, "--list takes no command");
        return NULL;
    }
    return count == 0 || is_stdin ? NULL : bridge_words_read(count, options->operands + 1, err);
}

static int run_bridge(struct cli_options *options)
{
    struct bridge bridge = {
        .options = options,
        .is_json = options->is_json || !isatty(STDOUT_FILENO),
    };
    CLEANUP_FREE char *url =
        agent_url(options->operands[0], options->bridge_session, cli_token(options), &bridge.err);
    json_auto_t *command = url ? read_command(options, &bridge.err) : NULL;
    if (bridge.err.code != BR_OK) {
        cli_print_error(&bridge.err);
        return EXIT_USAGE;
    }
    json_auto_t *apps = json_object();
    bridge.apps = apps;
    bridge.interrupt = interrupt_create(options->dies_with_parent);
    int exit_code = run_at(&bridge, url, command);
    interrupt_destroy(bridge.interrupt);
    return exit_code;
}

const struct command command_bridge = {
    .name = "bridge",
    .operands = "URL [TYPE [NAME=VALUE]… | -]",
    .summary = "Watches and commands the apps of a debug-bridge session",
    .description =
        "Connects as an agent to a relay, such as serve --debug-bridge. With the URL alone it "
        "prints the messages of the session's apps until it is ended: as lines for a person on a "
        "terminal, else as JSON. TYPE is a command: " BRIDGE_TYPES
        ". Its fields follow, as NAME=VALUE. "
        "stableId, selector, text and role name the element; url, code, scope and the text of type "
        "belong to the command itself; any other field is an option, read as JSON if it is valid. "
        "A dot separates levels: position.x=3, and target.text=Name for type. With - each line of "
        "stdin is a command in JSON; they run one after the other. A command is sent to the "
        "session's only app, or to --app. Missing requestIds and envelopes are added. Exit codes: "
        "0 done, 1 failed or no result, 2 bad input, or several apps and no --app, 3 no "
        "connection.",
    .examples = "  browser-runner bridge ws://localhost:4000 --bridge-session dev\n"
                "  browser-runner bridge ws://localhost:4000 --bridge-session dev --list\n"
                "  browser-runner bridge ws://localhost:4000 --bridge-session dev "
                "click stableId=login-button\n"
                "  browser-runner bridge ws://localhost:4000 --bridge-session dev "
                "request_screenshot -o page.png\n",
    .words = BRIDGE_TYPES,
    .option_groups = OPTIONS_BRIDGE,
    .min_operands = 1,
    .max_operands = MAX_OPERANDS,
    .run = run_bridge,
};
