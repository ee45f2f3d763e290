#include "imaging/base64.h"
#include "runner/actions/actions.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/cli/act_words.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/warm.h"
#include "runner/formats/answer_text.h"
#include "runner/formats/instruction.h"
#include "runner/formats/response_json.h"
#include "runner/formats/terminal_picture.h"
#include "runner/servers/local/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    BEGIN_MS = 30000, /* longest wait for earlier requests to end */
    GRACE_MS =
        40000, /* in addition to the action's own time: starting the browser, sending the answer */
    MAX_PICTURES = 64,
    BATCH_TIMEOUT_MS = 24 * 3600000,
};

/* One request and the handling of its answer. */
struct act {
    const struct cli_options *options;
    const json_t *instruction; /* NULL: a batch */
    const char *member;        /* of the inspected element; it alone is printed; NULL: all */
    bool was_answered, has_failed;
    bool has_lines;        /* prints the lines of the answer unchanged */
    bool has_no_delta;     /* the action only reads, or has closed the page */
    json_t **ret_response; /* receives the response, which is not printed; NULL: prints */
};

/* The saved pictures of an answer. */
struct pictures {
    struct answer_picture items[MAX_PICTURES];
    char *paths[MAX_PICTURES];
    unsigned char *bytes[MAX_PICTURES];
    size_t count;
};

static void pictures_finish(struct pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++) {
        free(pictures->paths[i]);
        free(pictures->bytes[i]);
    }
}

/*
 * Creates a new file with an unpredictable name in the temporary directory. Caller frees the path.
 */
static char *temporary_file(const char *extension, int *ret_fd, struct br_error *err)
{
    const char *directory = getenv("TMPDIR");
    char *path = xasprintf("%s/browser-runner-XXXXXX.%s",
                           directory && *directory ? directory : "/tmp", extension);
    *ret_fd = mkostemps(path, (int)strlen(extension) + 1, O_CLOEXEC);
    if (*ret_fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", path);
        free(path);
        return NULL;
    }
    return path;
}

/* Returns the path for the picture with this index; from the second on the name has a number. */
static char *named_file(const char *output, size_t index)
{
    const char *dot = strrchr(output, '.');
    if (index == 0) {
        return xstrdup(output);
    }
    if (!dot || strchr(dot, '/')) {
        dot = output + strlen(output);
    }
    return xasprintf("%.*s-%02zu%s", (int)(dot - output), output, index + 1, dot);
}

static bool save_picture(const struct act *act, struct pictures *pictures, const json_t *block,
                         const json_t *capture, struct br_error *err)
{
    const json_t *source = json_object_get(block, "source");
    const char *data = json_member_string(source, "data");
    const char *media = json_member_string(source, "media_type");
    if (!data || !media || pictures->count == MAX_PICTURES) {
        return true;
    }
    size_t size = 0;
    size_t length = strlen(data);
    unsigned char *bytes = NULL;
    if (!base64_decode(data, length, &bytes, &size, err)) {
        free(bytes);
        return false;
    }
    const char *output = act->options->output;
    const char *extension = strcmp(media, "image/png") == 0    ? "png"
                            : strcmp(media, "image/webp") == 0 ? "webp"
                                                               : "jpg";
    int fd = -1;
    char *path = output ? named_file(output, pictures->count) : temporary_file(extension, &fd, err);
    if (!path) {
        free(bytes);
        return false;
    }
    bool is_written =
        fd >= 0 ? file_write_and_close(fd, bytes, size) ||
                      error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s", path)
                : cli_write_file(path, bytes, size, err);
    if (!is_written) {
        free(path);
        free(bytes);
        return false;
    }
    pictures->paths[pictures->count] = path;
    pictures->bytes[pictures->count] = bytes;
    pictures->items[pictures->count++] = (struct answer_picture){
        .path = path,
        .width = (int)json_member_number(capture, "width", 0),
        .height = (int)json_member_number(capture, "height", 0),
        .scale = json_member_number(capture, "scale", 1),
        .size = size,
    };
    return true;
}

/* Saves the image blocks of an answer, with their descriptions. */
static bool save_pictures(const struct act *act, const json_t *response, struct pictures *pictures,
                          struct br_error *err)
{
    static const char *const names[] = { "pre", "post" };
    size_t index;
    json_t *tile;
    const json_t *blocks = json_object_get(response, "screenshots");
    const json_t *captures = json_object_get(response, "captures");
    for (size_t i = 0; i < 2; i++) {
        const json_t *block = json_object_get(blocks, names[i]);
        if (block &&
            !save_picture(act, pictures, block, json_object_get(captures, names[i]), err)) {
            return false;
        }
    }
    json_array_foreach (json_object_get(blocks, "tiles"), index, tile) {
        if (!save_picture(act, pictures, tile,
                          json_array_get(json_object_get(captures, "tiles"), index), err)) {
            return false;
        }
    }
    return true;
}

/* Draws the pictures if the terminal can. */
static void draw_pictures(const struct pictures *pictures)
{
    const struct terminal_environment environment = {
        .term = getenv("TERM"),
        .term_program = getenv("TERM_PROGRAM"),
        .lc_terminal = getenv("LC_TERMINAL"),
        .kitty_window_id = getenv("KITTY_WINDOW_ID"),
        .konsole_version = getenv("KONSOLE_VERSION"),
        .tmux = getenv("TMUX"),
        .sty = getenv("STY"),
    };
    struct winsize size = { 0 };
    struct br_error err;
    enum terminal_picture_kind kind = terminal_picture_kind(&environment);
    if (!isatty(STDOUT_FILENO) || kind == TERMINAL_PICTURE_NONE) {
        cli_warn("--show: this terminal is not known to support pictures");
        return;
    }
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const struct terminal_space space = { .columns = size.ws_col, .width = size.ws_xpixel };
    for (size_t i = 0; i < pictures->count; i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        if (terminal_picture_add(kind, &space, pictures->bytes[i], pictures->items[i].size, &text,
                                 &err)) {
            fwrite(text.data, 1, text.length, stdout);
        } else {
            cli_print_error(&err);
        }
    }
}

static bool wants_picture(const struct cli_options *options)
{
    return options->output || options->is_block || options->is_shown;
}

static bool fail_without_picture(struct br_error *err)
{
    return error_set(err, BR_UNKNOWN_ERROR, "the answer has no picture");
}

/* Prints the first picture as the image block that models read. */
static bool print_block(const json_t *response, struct br_error *err)
{
    const json_t *blocks = json_object_get(response, "screenshots");
    const json_t *tiles = json_object_get(blocks, "tiles");
    const json_t *block = json_object_get(blocks, "post");
    if (!block) {
        block = json_array_get(tiles, 0);
    }
    CLEANUP_FREE char *text = block ? json_dumps(block, JSON_COMPACT) : NULL;
    if (text) {
        puts(text);
        return true;
    }
    return fail_without_picture(err);
}

static bool has_colors(void)
{
    const char *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

/* Whether the action only reads, so that only its result is printed. */
static bool is_question(const json_t *response)
{
    static const char *const types[] = { "evaluate", "logs", "network", "snapshot", NULL };
    const char *type = json_member_string(response, "type");
    size_t i = 0;
    while (types[i] && (!type || strcmp(types[i], type) != 0)) {
        i++;
    }
    return types[i];
}

/*
 * Returns the response of `inspect` with a member of the element as the result, or with a list of
 * them for several elements. NULL: the element does not have it. Caller decrefs.
 */
static json_t *member_alone(const struct act *act, const json_t *response, struct br_error *err)
{
    size_t index;
    json_t *element;
    const json_t *result = json_object_get(response, "result");
    const json_t *elements = json_object_get(result, "elements");
    json_t *value = NULL;
    if (!json_is_array(elements)) {
        value = json_incref(json_object_get(json_object_get(result, "element"), act->member));
    } else {
        value = json_array();
        json_array_foreach (elements, index, element) {
            json_t *one = json_object_get(element, act->member);
            json_array_append_new(value, one ? json_incref(one) : json_null());
        }
    }
    if (!value) {
        const char *name = json_member_string(act->instruction, "element");
        error_set(err, BR_TARGET_NOT_FOUND, "%s has no %s", name ? name : "the element",
                  act->member);
        return NULL;
    }
    json_t *shown = json_copy((json_t *)response);
    json_object_set_new(shown, "result", value);
    return shown;
}

static bool print_answer(const struct act *act, const json_t *response, struct br_error *err)
{
    bool is_member = act->member && !act->has_failed;
    json_auto_t *part = is_member ? member_alone(act, response, err) : NULL;
    if (is_member && !part) {
        return false;
    }
    response = part ? part : response;
    CLEANUP(pictures_finish) struct pictures pictures = { 0 };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_saved = save_pictures(act, response, &pictures, err);
    const struct answer_text options = {
        .instruction = act->instruction,
        .has_colors = has_colors(),
        .is_bare = is_member || is_question(response),
        .is_raw = !isatty(STDOUT_FILENO),
        .pictures = pictures.items,
        .picture_count = pictures.count,
    };
    answer_text_add(&options, response, &text);
    fwrite(text.data, 1, text.length, act->has_failed ? stderr : stdout);
    if (answer_text_is_bare(&options, response)) {
        CLEANUP_STRBUF struct strbuf notes = STRBUF_INIT(STRBUF_UNCAPPED);
        answer_text_add_notes(&options, response, &notes);
        fputs(notes.length ? notes.data : "", stderr);
    }
    if (act->options->is_shown) {
        draw_pictures(&pictures);
    }
    bool is_missing =
        is_saved && !act->has_failed && wants_picture(act->options) && pictures.count == 0;
    return is_saved && (!is_missing || fail_without_picture(err));
}

/* Saves the pictures without printing them: the response is printed as JSON. */
static bool save_alone(const struct act *act, const json_t *response, struct br_error *err)
{
    CLEANUP(pictures_finish) struct pictures pictures = { 0 };
    return save_pictures(act, response, &pictures, err) &&
           (pictures.count > 0 || fail_without_picture(err));
}

static bool on_response(struct act *act, const json_t *response, struct br_error *err)
{
    act->was_answered = true;
    act->has_failed |= !json_member_bool(response, "success", false);
    const char *type = json_member_string(response, "type");
    act->has_no_delta = is_question(response) || (type && strcmp(type, "stop") == 0);
    if (act->ret_response) {
        json_decref(*act->ret_response);
        *act->ret_response = json_deep_copy(response);
        return true;
    }
    if (act->has_lines) {
        CLEANUP_FREE char *text = json_line(response, NULL);
        puts(text);
        if (fflush(stdout) != 0) {
            return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to stdout");
        }
        return act->has_failed || !act->options->output || save_alone(act, response, err);
    }
    if (act->options->is_block && !act->has_failed) {
        return print_block(response, err);
    }
    return print_answer(act, response, err);
}

/* Whether the action needs a page; a batch begins with a `start` if it needs one. */
static bool needs_page(const json_t *instruction)
{
    const char *type = json_member_string(instruction, "type");
    const struct action_type *kind = type ? action_type_find(type) : NULL;
    return kind && !kind->opens_page && !kind->reads_journal;
}

/* Tells the user that the action found a new, empty page, in case another one was meant. */
static void report_opened(const struct act *act, const char *name)
{
    const char *type = act->instruction ? json_member_string(act->instruction, "type") : NULL;
    if (type && strcmp(type, "navigate") != 0 && needs_page(act->instruction)) {
        fprintf(stderr, "session %s was not open: it is new, and its page is empty\n", name);
    } else if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "session %s opened\n", name);
    }
}

static bool on_line(void *data, json_t *line, const char *text, struct br_error *err)
{
    struct act *act = data;
    const char *kind = json_member_string(line, "kind");
    bool is_response = !kind || strcmp(kind, "response") == 0;
    bool is_summary = kind && strcmp(kind, "summary") == 0;
    if (is_response) {
        return on_response(act, line, err);
    }
    if (strcmp(kind, "opened") == 0) {
        report_opened(act, json_member_string(line, "session"));
    } else if (act->has_lines && (!is_summary || !act->instruction)) {
        act->has_failed |= json_member_bool(line, "aborted", false);
        puts(text);
        fflush(stdout);
    }
    return true;
}

/* Returns the time limit of the action itself. */
static int64_t action_ms(const struct cli_options *options, const json_t *instruction)
{
    return instruction
               ? (int64_t)json_member_number(instruction, "timeout", options->session.timeout_ms)
               : BATCH_TIMEOUT_MS;
}

/* Whether the action only reads the journal, which is answered while another action runs. */
static bool may_peek(const json_t *instruction)
{
    const char *type = json_member_string(instruction, "type");
    const struct action_type *kind = type ? action_type_find(type) : NULL;
    return kind && kind->reads_journal && !json_object_get(instruction, "id");
}

/* Sends one text of instructions. */
static bool ask(struct act *act, const char *text, bool *ret_was_interrupted, struct br_error *err)
{
    const struct cli_options *options = act->options;
    json_t *request = local_request("act", warm_session_name(options, NULL));
    struct warm_exchange exchange = {
        .forbids_start = options->forbids_start,
        .timeout_ms = BEGIN_MS + action_ms(options, act->instruction) + GRACE_MS,
        .data = act,
        .on_line = on_line,
    };
    json_object_set_new(request, "instructions", json_text(text));
    CLEANUP_FREE char *directory = act->instruction ? NULL : getcwd(NULL, 0);
    if (directory) {
        json_object_set_new(request, "directory", json_text(directory));
    }
    json_object_set_new(request, "beginMs", json_integer(BEGIN_MS));
    json_object_set_new(request, "opens", json_boolean(!options->forbids_start));
    json_object_set_new(request, "progress", json_boolean(options->has_progress));
    json_object_set_new(request, "blank", json_boolean(needs_page(act->instruction)));
    json_object_set_new(request, "peek", json_boolean(may_peek(act->instruction)));
    if (!warm_add_settings(request, options, err)) {
        json_decref(request);
        return false;
    }
    /* The timeout applies to these actions, not to later ones. */
    json_t *session = json_object_get(json_object_get(request, "settings"), "session");
    json_t *timeout = json_object_get(session, "timeoutMs");
    if (timeout) {
        json_object_set(request, "timeoutMs", timeout);
        json_object_del(session, "timeoutMs");
    }
    bool is_done = warm_ask(&exchange, request, err);
    *ret_was_interrupted = exchange.was_interrupted;
    return is_done && (act->was_answered || !act->instruction ||
                       error_set(err, BR_DISCONNECTED, "the daemon ended before it answered"));
}

/*
 * Makes an action other than a picture include one, if a file or the like is requested; for a
 * picture action, sets the format by the file's name.
 */
static bool add_picture(const struct cli_options *options, json_t *instruction,
                        struct br_error *err)
{
    const char *type = json_member_string(instruction, "type");
    const struct action_type *kind = action_type_find(type);
    const char *named = cli_picture_format(options->output);
    const char *format = json_member_string(instruction, "format");
    if (!wants_picture(options)) {
        return true;
    }
    const char *dot = options->output ? strrchr(options->output, '.') : NULL;
    if (options->output && strcmp(options->output, "-") == 0) {
        error_set(err, BR_INVALID_ACTION, "-o needs the name of a file");
        return error_hint(err, "--image-block prints the picture to stdout");
    }
    if (dot && dot[1] && !named && !strchr(dot, '/')) {
        error_set(err, BR_INVALID_ACTION, "-o %s: %s is no format of pictures here",
                  options->output, dot);
        return error_hint(err, "name it .jpg, .png or .webp");
    }
    if (kind->reads_journal || kind->closes_browser) {
        error_set(err, BR_INVALID_ACTION, "%s has no picture", type);
        return error_hint(err, "remove -o, --show and --image-block");
    }
    if (!kind->is_capture) {
        json_object_set_new(instruction, "screenshots", json_string("post"));
    } else if (named && !format) {
        json_object_set_new(instruction, "format", json_string(named));
    }
    format = kind->is_capture ? json_member_string(instruction, "format") : "jpeg";
    if (named && strcmp(named, format ? format : "jpeg") != 0) {
        error_set(err, BR_INVALID_ACTION, "the picture is a %s, but -o %s names another format",
                  format, options->output);
        return error_hint(err, "give the file the extension of its format");
    }
    return true;
}

static int exit_code(const struct act *act, bool is_done, bool was_interrupted,
                     const struct br_error *err)
{
    if (!is_done) {
        cli_print_error(err);
    }
    return was_interrupted   ? EXIT_INTERRUPTED
           : !is_done        ? cli_exit_code(err)
           : act->has_failed ? EXIT_ACTION_FAILED
                             : EXIT_SUCCESS;
}

/* shot page.jpg */
static void take_picture_name(struct cli_options *options)
{
    bool is_shot = options->operand_count == 2 && !options->output &&
                   strcmp(act_words_type(options->operands[0]), "screenshot") == 0;
    if (is_shot && cli_picture_format(options->operands[1])) {
        options->output = options->operands[1];
        options->operand_count = 1;
    }
}

/* Takes a snapshot for local_client_look(). */
static char *look(void *data, json_t *action)
{
    struct br_error err;
    bool was_interrupted = false;
    json_auto_t *owned = action;
    json_auto_t *response = NULL;
    struct act act = { .options = data, .instruction = owned, .ret_response = &response };
    CLEANUP_FREE char *text = json_dumps(owned, JSON_COMPACT);
    bool is_done = ask(&act, text, &was_interrupted, &err) && !was_interrupted;
    const json_t *result = json_object_get(response, "result");
    return is_done ? xstrdup(json_member_string(result, "text")) : NULL;
}

/* With --delta: prints what the action changed on the page. */
static void print_delta(const struct act *act)
{
    const char *given = getenv("BROWSER_RUNNER_DELTA");
    bool is_wanted = act->options->has_delta || (given && *given && strcmp(given, "0") != 0);
    if (is_wanted && !act->has_lines && !act->options->is_block && !act->has_no_delta) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        local_client_look(look, (void *)act->options, &text);
        fputs(text.data, act->has_failed ? stderr : stdout);
    }
}

static int run_words(struct cli_options *options)
{
    struct br_error err = { 0 };
    take_picture_name(options);
    CLEANUP_FREE char *directory = getcwd(NULL, 0);
    json_auto_t *instruction = act_words_read((int)options->operand_count, options->operands,
                                              directory ? directory : "/", &err);
    struct act act = {
        .options = options,
        .instruction = instruction,
        .member = act_words_member((int)options->operand_count, options->operands),
        .has_lines = options->is_json,
    };
    bool was_interrupted = false;
    if (!instruction || !add_picture(options, instruction, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
    bool is_done = ask(&act, text, &was_interrupted, &err);
    if (is_done && !was_interrupted && act.was_answered) {
        print_delta(&act);
    }
    return exit_code(&act, is_done, was_interrupted, &err);
}

static bool read_batch(const char *path, struct strbuf *text, struct br_error *err)
{
    char buffer[64 * 1024];
    ssize_t count = 0;
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (count = read(fd, buffer, sizeof(buffer))) > 0) {
        strbuf_add(text, buffer, (size_t)count);
    }
    int failure = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (fd < 0 || count < 0) {
        return error_set_errno(err, BR_INVALID_ACTION, failure, "cannot read %s", path);
    }
    return !text->overflowed || error_set(err, BR_LIMIT_EXCEEDED, "%s is larger than %d MB", path,
                                          INSTRUCTION_MAX_BYTES / 1024 / 1024);
}

static int run_batch(struct cli_options *options)
{
    struct br_error err = { 0 };
    struct act act = { .options = options, .has_lines = true };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(INSTRUCTION_MAX_BYTES);
    bool was_interrupted = false;
    if (options->operand_count > 0) {
        cli_warn("act takes an action or --batch, not both");
        return EXIT_USAGE;
    }
    if (wants_picture(options)) {
        cli_warn("--batch prints pictures in its lines: remove -o, --show and --image-block");
        return EXIT_USAGE;
    }
    if (!read_batch(options->batch, &text, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    bool is_done = ask(&act, text.data, &was_interrupted, &err);
    return exit_code(&act, is_done, was_interrupted, &err);
}

static bool check_output(const struct cli_options *options)
{
    if (options->is_block + options->is_json + options->is_shown > 1 ||
        (options->is_block && options->output)) {
        cli_warn("--json, --image-block and --show exclude each other; -o can be combined with "
                 "--json and --show");
        return false;
    }
    return true;
}

static int run_act(struct cli_options *options)
{
    if (!check_output(options)) {
        return EXIT_USAGE;
    }
    interrupt_exits();
    return options->batch ? run_batch(options) : run_words(options);
}

const struct command command_act = {
    .name = "act",
    .operands = "TYPE [WORD]… [--PARAMETER VALUE]…",
    .summary = "Performs one action in a warm session, and reports the result",
    .description =
        "Opens the session, and starts the daemon that keeps it, if necessary: with the persistent "
        "profile of the current directory, or according to the options. TYPE is an action of the "
        "list in help actions; then follow plain words, and parameters as options. Name an element "
        "by its text or accessible name, its id in the last snapshot, or a CSS selector. Actions "
        "of a session run one after the other; logs and network answer meanwhile. Ctrl-C cancels "
        "the action. The exit code is 1 if the action failed.",
    .examples = "  browser-runner act open localhost:3000\n"
                "  browser-runner act snapshot\n"
                "  browser-runner act click \"Sign in\"\n"
                "  browser-runner act type \"#email\" a@b.c\n"
                "  browser-runner act shot -o page.jpg\n"
                "  browser-runner act logs\n"
                "  browser-runner act network --failed\n",
    .option_groups = OPTIONS_ACT,
    .max_operands = 1000,
    .takes_params = true,
    .run = run_act,
};
