#include "runner/actions/actions.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/formats/har.h"
#include "runner/formats/ndjson.h"
#include "runner/formats/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run: instructions from files or a stream, in their order, through one session. */
struct run {
    const struct cli_options *options;
    struct interrupt *interrupt;
    struct br_browser *browser;
    struct br_session *session;
    struct har *har; /* NULL: none is written */
    struct ndjson_writer writer;
    struct ndjson_summary summary;
    struct br_action **actions; /* of the files, checked; owned */
    size_t action_count, action_capacity;
    bool is_checking;         /* instructions are gathered, not run */
    int exit_code;            /* of what went wrong first */
    bool has_progress;        /* a progress line stands on the terminal */
    char *progress_type;      /* of the action that progress is told of */
    int64_t progress_from_ms; /* when it began */
    bool has_told;            /* where the debug files are */
};

static bool write_line(void *data, const char *line, size_t length, struct br_error *err)
{
    (void)data;
    /* Whole lines at once, so that a backend can answer to each. */
    if (fwrite(line, 1, length, stdout) != length || fflush(stdout) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to stdout");
    }
    return true;
}

static void clear_progress(struct run *run)
{
    if (run->has_progress) {
        fputs("\r\033[K", stderr);
        run->has_progress = false;
    }
}

/* Only for a person who waits: the answers go elsewhere, and there are several. */
static void show_progress(struct run *run, const struct br_action *action)
{
    if (!isatty(STDERR_FILENO) || isatty(STDOUT_FILENO) || run->action_count < 2) {
        return;
    }
    clear_progress(run);
    fprintf(stderr, "[%llu/%zu] %s", (unsigned long long)run->summary.actions + 1,
            run->action_count, action->type);
    fflush(stderr);
    run->has_progress = true;
}

static void fail(struct run *run, int exit_code)
{
    run->exit_code = run->exit_code ? run->exit_code : exit_code;
}

static bool save_pictures(const struct run *run, const struct br_response *response,
                          struct br_error *err)
{
    struct response_picture picture;
    for (size_t i = 0; run->options->save_dir && response_picture_at(response, i, &picture); i++) {
        const struct br_capture *capture = picture.capture;
        if (!capture->bytes) {
            continue;
        }
        CLEANUP_FREE char *path = xasprintf("%s/%04llu-%s-%s.%s", run->options->save_dir,
                                            (unsigned long long)response->id, response->type,
                                            picture.name, capture_extension(capture));
        if (!cli_write_file(path, capture->bytes, capture->size, err)) {
            return false;
        }
    }
    return true;
}

/* Remembers what kept the first action from being run, by its name in the schema. */
static const char limit_reached[] = "errorLimit";

static void note_stop(struct run *run, const char *by, const struct br_error *why)
{
    if (!run->summary.stopped_by) {
        run->summary.stopped_by = by;
        run->summary.error = *why;
    }
}

/* After it actions are accepted again. */
static void note_start(struct run *run)
{
    if (run->summary.stopped_by && strcmp(run->summary.stopped_by, limit_reached) == 0) {
        run->summary.stopped_by = NULL;
    }
}

/* Prints and counts a response. False when nothing more can be written. */
static bool answer(struct run *run, struct br_response *response, struct br_error *err)
{
    cli_tell_debug(response, &run->has_told);
    run->summary.actions = response->id;
    if (!response->success) {
        run->summary.failed++;
        fail(run, EXIT_ACTION_FAILED);
    }
    run->summary.total_errors = response->metrics.total_errors;
    run->summary.consecutive_errors = response->metrics.consecutive_errors;
    free(run->summary.last_action);
    run->summary.last_action = xstrdup(response->type);
    if (ndjson_write_response(&run->writer, response, err) &&
        (!run->har || har_add(run->har, response, err)) && save_pictures(run, response, err)) {
        return true;
    }
    note_stop(run, "output", err);
    return false;
}

/* Whether there is no browser to go on with: one that crashed meanwhile can be started again. */
static bool is_browser_missing(const struct br_action *action, const struct br_response *response)
{
    return !response->success && action_type_find(action->type)->opens_page &&
           cli_exit_code(&response->error) == EXIT_NO_BROWSER;
}

static bool run_action(struct run *run, const struct br_action *action, struct br_error *err)
{
    show_progress(run, action);
    struct br_response *response = br_session_run(run->session, action);
    clear_progress(run);
    bool is_missing = is_browser_missing(action, response);
    /* What the session refuses for good is no failure more; a size that is exceeded is one. */
    if (!response->success && response->error.code == BR_LIMIT_EXCEEDED &&
        response->metrics.total_errors == run->summary.total_errors) {
        note_stop(run, limit_reached, &response->error);
    }
    if (response->success && action_type_find(action->type)->opens_page) {
        note_start(run);
    }
    struct br_error why = response->error;
    bool is_interrupted = interrupt_was_received(run->interrupt);
    bool is_written = answer(run, response, err);
    cli_print_logs(run->options, response);
    br_response_destroy(response);
    if (!is_written) {
        return false;
    }
    if (is_interrupted) {
        return error_set(err, BR_UNKNOWN_ERROR, "interrupted");
    }
    if (is_missing) {
        run->exit_code = cli_exit_code(&why);
        note_stop(run, "browser", &why);
        *err = why;
        return false;
    }
    return true;
}

/* An instruction of a stream that cannot be run is answered, and the stream goes on. */
static bool answer_invalid(struct run *run, const struct br_action *action,
                           const struct br_error *why, struct br_error *err)
{
    struct br_response *response = br_session_refuse(run->session, action, why);
    bool is_written = answer(run, response, err);
    cli_print_logs(run->options, response);
    br_response_destroy(response);
    return is_written;
}

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct run *run = data;
    CLEANUP_ACTION struct br_action *owned = action;
    struct br_error why;
    if (!action_validate(owned, &why)) {
        if (run->is_checking) {
            *err = why;
            return false;
        }
        return answer_invalid(run, owned, &why, err);
    }
    if (!run->is_checking) {
        return run_action(run, owned, err);
    }
    run->actions = array_reserve(run->actions, run->action_count, &run->action_capacity,
                                 sizeof(struct br_action *));
    run->actions[run->action_count++] = TAKE(owned);
    return true;
}

/* As on_action: the stream goes on. */
static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    CLEANUP_ACTION struct br_action *owned = action;
    return answer_invalid(data, owned, why, err);
}

/* Waits for input or a signal. False after a signal. */
static bool wait_for_input(struct run *run, int fd)
{
    struct pollfd fds[] = {
        { .fd = fd, .events = POLLIN },
        { .fd = interrupt_fd(run->interrupt), .events = POLLIN },
    };
    while (br_session_poll(run->session, fds, 2, -1) < 0 && errno == EINTR) {
    }
    return !interrupt_was_received(run->interrupt);
}

static bool read_all(struct run *run, int fd, const char *name, struct xml_reader *reader,
                     struct br_error *err)
{
    char buffer[64 * 1024];
    for (;;) {
        if (!wait_for_input(run, fd)) {
            return error_set(err, BR_UNKNOWN_ERROR, "interrupted");
        }
        ssize_t count = read(fd, buffer, sizeof(buffer));
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (count < 0) {
            return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", name);
        }
        if (count == 0) {
            return xml_reader_end(reader, err);
        }
        if (!xml_reader_feed(reader, buffer, (size_t)count, err)) {
            return false;
        }
    }
}

/* The number of a descriptor that a path names; -1 where it is one of a file. */
static int descriptor_of(const char *path)
{
    static const char of_process[] = "/dev/fd/";
    char *end = NULL;
    if (strcmp(path, "/dev/stdin") == 0) {
        return STDIN_FILENO;
    }
    if (strncmp(path, of_process, strlen(of_process)) != 0) {
        return -1;
    }
    const char *digits = path + strlen(of_process);
    long number = strtol(digits, &end, 10);
    return end > digits && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

/*
 * A file or a pipe, such as the shell's <(command), without waiting for whoever writes into it:
 * that wait would not end with a signal. -1 with errno.
 */
static int open_instructions(const char *path)
{
    int fd = descriptor_of(path);
    /* Opened anew, a pipe that was written already would not tell its end. */
    return fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
                   : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static bool read_instructions(struct run *run, const char *path, struct br_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open_instructions(path);
    if (fd < 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", path);
    }
    struct xml_reader_options options = {
        .is_stream = is_stdin,
        .on_mistake = is_stdin ? on_mistake : NULL,
    };
    struct xml_reader *reader = xml_reader_create(&options, on_action, run);
    bool is_read = read_all(run, fd, is_stdin ? "stdin" : path, reader, err);
    if (!is_read && run->options->operand_count == 0) {
        error_hint(err,
                   "name a FILE, or write instructions to stdin; see browser-runner run --help");
    }
    xml_reader_destroy(reader);
    if (!is_stdin) {
        close(fd);
        if (!is_read) {
            error_context(err, "%s", path);
        }
    }
    return is_read;
}

/* Reads and checks all files before anything is run. */
static bool check_files(struct run *run, struct br_error *err)
{
    run->is_checking = true;
    for (size_t i = 0; i < run->options->operand_count; i++) {
        const char *path = run->options->operands[i];
        if (strcmp(path, "-") != 0 && !read_instructions(run, path, err)) {
            return false;
        }
    }
    run->is_checking = false;
    return true;
}

static bool has_stream(const struct cli_options *options)
{
    for (size_t i = 0; i < options->operand_count; i++) {
        if (strcmp(options->operands[i], "-") == 0) {
            return true;
        }
    }
    return options->operand_count == 0;
}

/* The files' actions, then the stream's. */
static bool run_all(struct run *run, struct br_error *err)
{
    for (size_t i = 0; i < run->action_count; i++) {
        if (!run_action(run, run->actions[i], err)) {
            return false;
        }
    }
    return !has_stream(run->options) || read_instructions(run, "-", err);
}

static bool prepare_save_dir(const char *directory, struct br_error *err)
{
    if (directory && mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot make %s", directory);
    }
    struct stat info;
    if (directory && stat(directory, &info) == 0 && !S_ISDIR(info.st_mode)) {
        return error_set(err, BR_INVALID_ACTION, "%s is not a directory", directory);
    }
    if (directory && access(directory, W_OK | X_OK) != 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write to %s", directory);
    }
    return true;
}

static bool open_har(struct run *run, struct br_error *err)
{
    const struct cli_options *options = run->options;
    run->har = options->har ? har_create(options->har, options->has_har_secrets, err) : NULL;
    return run->har || !options->har;
}

/*
 * The directory of debug files has to be there before anything is run; but where files are limited,
 * an action's word for it is judged with the action.
 */
static bool wants_debug(const struct run *run)
{
    bool is_wanted = run->options->session.debug;
    for (size_t i = 0; i < run->action_count; i++) {
        is_wanted |=
            !run->options->session.policy.files && param_boolean(run->actions[i], "debug", false);
    }
    return is_wanted;
}

/* So that a backend sees that a long action lives. */
static void tell_progress(void *data, const struct br_event *event)
{
    struct run *run = data;
    struct br_error ignored; /* the answer cannot be written either, then */
    if (event->kind == BR_EVENT_ACTION && !event->as.action.is_over) {
        free(run->progress_type);
        run->progress_type = xstrdup(event->as.action.type);
        run->progress_from_ms = clock_monotonic_ms();
    }
    if (run->progress_type) {
        ndjson_write_progress(&run->writer, event, run->progress_type,
                              clock_monotonic_ms() - run->progress_from_ms, &ignored);
    }
}

static bool subscribe(struct run *run, struct br_error *err)
{
    const struct br_sink sink = {
        .on_event = tell_progress,
        .data = run,
        .kinds = 1u << BR_EVENT_ACTION | 1u << BR_EVENT_NAVIGATION | 1u << BR_EVENT_PROGRESS |
                 1u << BR_EVENT_PAGE,
    };
    return !run->options->has_progress || br_session_subscribe(run->session, &sink, err) != 0;
}

static bool open_session(struct run *run, struct br_error *err)
{
    struct br_session_options options = run->options->session;
    if (run->writer.provider && !run->options->has_network_filter) {
        options.network_filter = BR_NETWORK_FAILED; /* a model is told of no others unasked */
    }
    if (!options.debug_dir && wants_debug(run)) {
        options.debug_dir = BR_DEBUG_DIR;
    }
    run->browser = br_browser_open(&run->options->browser, err);
    run->session = run->browser ? br_session_open(run->browser, &options, err) : NULL;
    interrupt_set_session(run->interrupt, run->session);
    return run->session && subscribe(run, err);
}

/* Runs what was checked and says how it went. */
static void execute(struct run *run)
{
    struct br_error err = { 0 };
    int64_t started_ms = clock_monotonic_ms();
    bool is_complete = run_all(run, &err);
    bool is_interrupted = interrupt_was_received(run->interrupt);
    interrupt_set_session(run->interrupt, NULL);
    br_session_close(run->session);
    br_browser_close(TAKE(run->browser)); /* its end is a part of the run's duration */
    if (is_interrupted) {
        run->exit_code = EXIT_INTERRUPTED;
    } else if (!is_complete) {
        cli_print_error(&err);
        fail(run, run->summary.actions ? EXIT_ACTION_FAILED : cli_exit_code(&err));
    }
    if (!is_complete) {
        note_stop(run, is_interrupted ? "interrupt" : "input", &err);
    }
    run->summary.duration_ms = clock_monotonic_ms() - started_ms;
    struct br_error ignored;
    ndjson_write_summary(&run->writer, &run->summary, &ignored);
}

/* NULL: the answers go out as they are. */
static const char *provider_of(const struct cli_options *options)
{
    bool is_given = options->provider && strcmp(options->provider, "none") != 0;
    return is_given ? options->provider : NULL;
}

/* A message has its pictures whole. */
static bool check_provider(const struct cli_options *options, struct br_error *err)
{
    if (!provider_of(options) || !options->has_chunk_size || options->chunk_size == 0) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "--provider %s takes no --chunk-size", options->provider);
    return error_hint(err, "a message has its pictures whole");
}

static int run_run(struct cli_options *options)
{
    struct run run = {
        .options = options,
        .writer = NDJSON_WRITER_INIT,
        .interrupt = interrupt_create(options->dies_with_parent),
    };
    struct br_error err = { 0 };
    run.writer.chunk_size = options->chunk_size;
    run.writer.provider = provider_of(options);
    run.writer.on_line = write_line;
    if (check_provider(options, &err) && check_files(&run, &err) &&
        prepare_save_dir(options->save_dir, &err) && open_har(&run, &err) &&
        open_session(&run, &err)) {
        execute(&run);
    } else {
        cli_print_error(&err);
        fail(&run, interrupt_was_received(run.interrupt) ? EXIT_INTERRUPTED : EXIT_USAGE);
        br_browser_close(run.browser);
    }
    interrupt_destroy(run.interrupt);
    har_destroy(run.har);
    for (size_t i = 0; i < run.action_count; i++) {
        br_action_destroy(run.actions[i]);
    }
    free(run.actions);
    free(run.progress_type);
    free(run.summary.last_action);
    return run.exit_code;
}

const struct command command_run = {
    .name = "run",
    .operands = "[FILE|-]…",
    .summary = "Executes batches of XML instructions, one JSON line per action on stdout",
    .description =
        "All FILEs are read and checked before the browser starts. From - (stdin, also when no "
        "FILE is given) each instruction is executed as soon as it is complete, so that a "
        "backend can hold the stream open and read the answers. With --provider each answer is "
        "that provider's message instead, its pictures whole, as history convert makes it; the "
        "summary stays as it is.",
    .examples = "  browser-runner run --save-dir out fixtures/batches/shop.xml\n"
                "  printf '<type>start</type><url>about:blank</url>' | browser-runner run -\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_RUN,
    .max_operands = 1000,
    .run = run_run,
};
