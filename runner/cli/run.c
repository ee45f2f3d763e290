#include "runner/actions/params.h"
#include "runner/base/clock.h"
#include "runner/base/file.h"
#include "runner/base/response.h"
#include "runner/batch/batch.h"
#include "runner/batch/plan.h"
#include "runner/chrome/browser.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/formats/har.h"
#include "runner/servers/clients/console_sender.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A run: instructions from files or a stream, in order, through one session. */
struct run {
    const struct cli_options *options;
    struct interrupt *interrupt;
    struct br_browser *browser;
    struct br_session *session;
    struct batch *batch;
    struct batch_plan plan;        /* actions of the files */
    struct har *har;               /* NULL: no archive */
    struct console_sender *sender; /* NULL: console calls are not sent */
    struct console_feed *feed;
    size_t begun;          /* number of actions */
    bool has_progress;     /* a progress line is on the terminal */
    bool has_told;         /* the place of the debug files was printed */
    struct timespec began; /* by the clock of the file system */
};

enum { MAX_SAME_NAMES = 10000 /* for one picture in --save-dir */ };

static bool write_line(void *data, const char *line, size_t length, struct br_error *err)
{
    (void)data;
    /* Writes whole lines at once, so that a backend can react to each. */
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

/* Shown only on a terminal, if the answers go elsewhere and there are several actions. */
static void show_progress(void *data, const struct br_action *action)
{
    struct run *run = data;
    run->begun++;
    if (!isatty(STDERR_FILENO) || isatty(STDOUT_FILENO) || run->plan.count < 2) {
        return;
    }
    clear_progress(run);
    fprintf(stderr, "[%zu/%zu] %s", run->begun, run->plan.count, action->type);
    fflush(stderr);
    run->has_progress = true;
}

/* Whether the file existed before this run: pictures of an earlier run are replaced. */
static bool is_of_before(const struct run *run, const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (info.st_mtim.tv_sec < run->began.tv_sec || (info.st_mtim.tv_sec == run->began.tv_sec &&
                                                        info.st_mtim.tv_nsec < run->began.tv_nsec));
}

/*
 * Creates a file under a name that no concurrent run uses. Locks the directory, so that no run
 * removes a file that another one has just created. -1 with errno.
 */
static int open_picture(const struct run *run, const char *stem, const char *extension,
                        char **ret_path)
{
    int fd = -1;
    int lock_fd = open(run->options->save_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_fd >= 0) {
        flock(lock_fd, LOCK_EX);
    }
    for (int i = 1; fd < 0 && i <= MAX_SAME_NAMES; i++) {
        free(*ret_path);
        *ret_path = i == 1 ? xasprintf("%s.%s", stem, extension)
                           : xasprintf("%s-%d.%s", stem, i, extension);
        if (is_of_before(run, *ret_path)) {
            unlink(*ret_path);
        }
        fd = open(*ret_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST) {
            break;
        }
    }
    int failure = errno;
    if (lock_fd >= 0) {
        close(lock_fd);
    }
    errno = failure;
    return fd;
}

static bool save_picture(const struct run *run, const char *stem, const struct br_capture *capture,
                         struct br_error *err)
{
    CLEANUP_FREE char *path = NULL;
    int fd = open_picture(run, stem, capture_extension(capture), &path);
    if (fd >= 0 && file_write_and_close(fd, capture->bytes, capture->size)) {
        return true;
    }
    int failure = errno;
    if (fd >= 0) {
        unlink(path); /* an incomplete picture is useless */
    }
    return error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot write %s", path);
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
        CLEANUP_FREE char *stem =
            xasprintf("%s/%04llu-%s-%s", run->options->save_dir, (unsigned long long)response->id,
                      response->type, picture.name);
        if (!save_picture(run, stem, capture, err)) {
            return false;
        }
    }
    return true;
}

static bool on_response(void *data, const struct br_response *response, struct br_error *err)
{
    struct run *run = data;
    clear_progress(run);
    if (run->feed) {
        console_feed_note(run->feed, br_session_browser(run->session), response->url,
                          response->title);
    }
    cli_tell_debug(response, &run->has_told);
    cli_print_logs(run->options, response);
    return (!run->har || har_add(run->har, response, err)) && save_pictures(run, response, err);
}

static bool is_interrupted(void *data)
{
    const struct run *run = data;
    return interrupt_was_received(run->interrupt);
}

/* Waits for input, a signal, or the reader's timeout; returns whether there is input. */
static bool wait_for_input(struct run *run, int fd, const struct batch_reader *reader)
{
    struct pollfd fds[] = {
        { .fd = fd, .events = POLLIN },
        { .fd = interrupt_fd(run->interrupt), .events = POLLIN },
    };
    int count = 0;
    do {
        int timeout_ms = batch_reader_due_ms(reader, clock_monotonic_ms());
        count = br_session_poll(run->session, fds, 2, timeout_ms);
    } while (count < 0 && errno == EINTR);
    return fds[0].revents != 0;
}

static bool read_all(struct run *run, int fd, const char *name, struct batch_reader *reader,
                     struct br_error *err)
{
    char buffer[64 * 1024];
    for (;;) {
        bool has_input = wait_for_input(run, fd, reader);
        if (interrupt_was_received(run->interrupt)) {
            return error_set(err, BR_CANCELLED, "interrupted");
        }
        if (!has_input) {
            if (!batch_reader_tick(reader, clock_monotonic_ms(), err)) {
                return false;
            }
            continue;
        }
        ssize_t count = read(fd, buffer, sizeof(buffer));
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (count < 0) {
            return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", name);
        }
        if (count == 0) {
            return batch_reader_end(reader, err);
        }
        if (!batch_reader_feed(reader, buffer, (size_t)count, clock_monotonic_ms(), err)) {
            return false;
        }
    }
}

/* Returns the number of the descriptor that a path names; -1 if it names a file. */
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
 * Opens a file or a pipe, such as the shell's <(command), without waiting for a writer: that wait
 * would not end with a signal. -1 with errno.
 */
static int open_instructions(const char *path)
{
    int fd = descriptor_of(path);
    /* A pipe that was already written would not report its end if it were opened again. */
    return fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
                   : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* Returns false. */
static bool hint_at_input(const struct run *run, struct br_error *err)
{
    return run->options->operand_count == 0 &&
           error_hint(err,
                      "give a FILE, or write instructions to stdin; see browser-runner run --help");
}

static bool check_file(struct run *run, const char *path, struct br_error *err)
{
    int fd = open_instructions(path);
    if (fd < 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", path);
    }
    struct batch_reader *reader = batch_reader_create(NULL, batch_plan_take, &run->plan);
    bool is_read = read_all(run, fd, path, reader, err);
    batch_reader_destroy(reader);
    close(fd);
    return is_read || error_context(err, "%s", path);
}

/* Reads and checks all files before anything runs. */
static bool check_files(struct run *run, struct br_error *err)
{
    for (size_t i = 0; i < run->options->operand_count; i++) {
        const char *path = run->options->operands[i];
        if (strcmp(path, "-") != 0 && !check_file(run, path, err)) {
            return false;
        }
    }
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

/* Runs the files' actions, then the stream's. */
static bool run_all(struct run *run, struct br_error *err)
{
    for (size_t i = 0; i < run->plan.count; i++) {
        if (!batch_run(run->batch, run->plan.actions[i], err)) {
            return false;
        }
    }
    return !has_stream(run->options) ||
           read_all(run, STDIN_FILENO, "stdin", batch_stream(run->batch), err) ||
           hint_at_input(run, err);
}

static bool prepare_save_dir(const char *directory, struct br_error *err)
{
    if (directory && mkdir(directory, 0700) != 0 && errno != EEXIST) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot create %s", directory);
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
 * The directory of debug files must exist before anything runs. If files are restricted, an
 * action's own directory is checked with that action.
 */
static bool wants_debug(const struct run *run)
{
    bool is_wanted = run->options->session.debug;
    for (size_t i = 0; i < run->plan.count; i++) {
        is_wanted |= !run->options->session.policy.files &&
                     param_boolean(run->plan.actions[i], "debug", false);
    }
    return is_wanted;
}

/* Returns NULL if the answers are written unchanged. */
static const char *provider_of(const struct cli_options *options)
{
    bool is_given = options->provider && strcmp(options->provider, "none") != 0;
    return is_given ? options->provider : NULL;
}

static struct batch *create_batch(struct run *run, struct br_error *err)
{
    const struct batch_options options = {
        .chunk_size = run->options->chunk_size,
        .provider = provider_of(run->options),
        .has_progress = run->options->has_progress,
        .data = run,
        .on_line = write_line,
        .on_begin = show_progress,
        .on_response = on_response,
        .is_interrupted = is_interrupted,
    };
    return batch_create(run->session, &options, err);
}

static void tell_news(void *data, const char *text)
{
    (void)data;
    cli_warn("%s", text);
}

static bool open_sender(struct run *run, struct br_error *err)
{
    const struct console_sender_options options = { .url = run->options->console.url,
                                                    .on_news = tell_news };
    if (!options.url) {
        return true;
    }
    run->sender = console_sender_start(browser_loop(run->browser), &options, err);
    run->feed = run->sender ? console_feed_open(run->sender, run->session, err) : NULL;
    return run->feed || (error_context(err, "--console-bridge"), false);
}

static bool open_session(struct run *run, struct br_error *err)
{
    struct br_session_options options = run->options->session;
    if (provider_of(run->options) && !run->options->has_network_filter) {
        options.network_filter = BR_NETWORK_FAILED; /* models get only failed requests by default */
    }
    if (!options.debug_dir && wants_debug(run)) {
        options.debug_dir = BR_DEBUG_DIR;
    }
    run->browser = br_browser_open(&run->options->browser, err);
    run->session = run->browser ? br_session_open(run->browser, &options, err) : NULL;
    interrupt_set_session(run->interrupt, run->session);
    run->batch = run->session && open_sender(run, err) ? create_batch(run, err) : NULL;
    return run->batch != NULL;
}

/* Returns the code for a missing browser if there is none; otherwise that of the first failure. */
static int exit_code_of(const struct ndjson_summary *summary, bool is_complete,
                        const struct br_error *err)
{
    if (!is_complete && cli_exit_code(err) == EXIT_NO_BROWSER) {
        return EXIT_NO_BROWSER;
    }
    if (summary->failed > 0 || (!is_complete && summary->actions > 0)) {
        return EXIT_ACTION_FAILED;
    }
    return is_complete ? 0 : cli_exit_code(err);
}

/* Runs the checked actions and writes the summary. */
static int execute(struct run *run)
{
    struct br_error err = { 0 };
    struct br_error ignored;
    bool is_complete = run_all(run, &err);
    bool was_interrupted = interrupt_was_received(run->interrupt);
    interrupt_set_session(run->interrupt, NULL);
    batch_close(run->batch);
    br_session_close(run->session);
    console_sender_stop(TAKE(run->sender));
    br_browser_close(TAKE(run->browser)); /* ending the browser is part of the run's duration */
    int exit_code = exit_code_of(batch_summary(run->batch), is_complete, &err);
    if (was_interrupted) {
        exit_code = EXIT_INTERRUPTED;
    } else if (!is_complete) {
        cli_print_error(&err);
    }
    const char *stopped_by = is_complete ? NULL : was_interrupted ? "interrupt" : "input";
    batch_write_summary(run->batch, stopped_by, &err, &ignored);
    return exit_code;
}

/* A message always has complete pictures. */
static bool check_provider(const struct cli_options *options, struct br_error *err)
{
    if (!provider_of(options) || !options->has_chunk_size || options->chunk_size == 0) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "--provider %s cannot be combined with --chunk-size",
              options->provider);
    return error_hint(err, "a message always has complete pictures");
}

static int run_run(struct cli_options *options)
{
    struct run run = {
        .options = options,
        .interrupt = interrupt_create(options->dies_with_parent),
    };
    struct br_error err = { 0 };
    int exit_code = EXIT_USAGE;
    clock_gettime(CLOCK_REALTIME_COARSE, &run.began);
    if (check_provider(options, &err) && check_files(&run, &err) &&
        prepare_save_dir(options->save_dir, &err) && open_har(&run, &err) &&
        open_session(&run, &err)) {
        exit_code = execute(&run);
    } else {
        cli_print_error(&err);
        exit_code = interrupt_was_received(run.interrupt) ? EXIT_INTERRUPTED : EXIT_USAGE;
        interrupt_set_session(run.interrupt, NULL);
        br_session_close(run.session);
        console_sender_stop(run.sender);
        br_browser_close(run.browser);
    }
    batch_destroy(run.batch);
    interrupt_destroy(run.interrupt);
    har_destroy(run.har);
    batch_plan_finish(&run.plan);
    return exit_code;
}

const struct command command_run = {
    .name = "run",
    .operands = "[FILE|-]…",
    .summary = "Executes batches of instructions, one JSON line per action on stdout",
    .description =
        "All FILEs are read and checked before the browser starts. From - (stdin, also if no FILE "
        "is given) each instruction is executed as soon as it is complete, so a backend can keep "
        "the stream open and read the answers; a bare <type>… runs when its line has ended and "
        "nothing more arrives for 50 ms. Instructions are XML, or JSON: an object each, {\"type\": "
        "\"click\", …}, or a model's tool call, which is answered with its id. With --provider "
        "each answer is a message for that provider, with complete pictures, as history convert "
        "writes it; the summary is unchanged.",
    .examples = "  browser-runner run --save-dir out fixtures/batches/shop.xml\n"
                "  printf '<type>start</type><url>about:blank</url>' | browser-runner run -\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_RUN,
    .max_operands = 1000,
    .run = run_run,
};
