#include "runner/base/clock.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/platform.h"
#include "runner/batch/plan.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/option_setters.h"
#include "runner/cli/serving.h"
#include "runner/loop/loop.h"
#include "runner/servers/redis/job_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CALL_MS = 10000,               /* for Redis to be reached by `submit` and `results` */
    BLOCK_MS = 5000,               /* of a single wait of `results` */
    CLOSE_MS = 1000,               /* for the metrics' clients */
    END_MS = 30000,                /* for the worker's end, beside the grace */
    MAX_LINE = 1024 * 1024 * 1024, /* bytes of a line in a file */
    MAX_NAME = 128,                /* bytes of a stream's or a group's name */
    MAX_LEASE_S = 24 * 3600,
    MAX_S = 365 * 24 * 3600,
    MAX_COUNT = 1000000,
    MAX_INLINE = 512 * 1024 * 1024,
    METRICS_PORT = 9229,
    MAX_PORT = 65535,
};
#define SLOT_BYTES (512LL * 1024 * 1024)

/* Options. */

DEFINE_STRING_OPTION(job_option_redis, jobs.redis)
DEFINE_STRING_OPTION(job_option_answers, jobs.answers_dir)
DEFINE_STRING_OPTION(job_option_batches, jobs.batches_dir)
DEFINE_SWITCH_OPTION(job_option_reference, jobs.is_reference)
DEFINE_SWITCH_OPTION(job_option_follow, jobs.is_followed)

static const char default_stream[] = "browser-runner";

/* Checks the name of a stream or a group. */
static bool check_name(const char *value, struct br_error *err)
{
    size_t length = strlen(value);
    return (length > 0 && length <= MAX_NAME) ||
           error_set(err, BR_INVALID_ACTION, "needs a name of 1 to %d bytes", MAX_NAME);
}

bool job_option_stream(struct cli_options *options, const char *value, struct br_error *err)
{
    cli_list_add(&options->jobs.streams, value);
    return check_name(value, err) &&
           (options->jobs.streams.count <= JOB_MAX_STREAMS ||
            error_set(err, BR_INVALID_ACTION, "at most %d streams", JOB_MAX_STREAMS));
}

bool job_option_group(struct cli_options *options, const char *value, struct br_error *err)
{
    options->jobs.group = value;
    return check_name(value, err);
}

bool job_option_id(struct cli_options *options, const char *value, struct br_error *err)
{
    options->jobs.id = value;
    return job_id_is_valid(value) || error_set(err, BR_INVALID_ACTION,
                                               "\"%.64s\" is not 1 to %d letters, digits, \".\", "
                                               "\"_\" and \"-\"",
                                               value, JOB_MAX_ID);
}

bool job_option_slots(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, JOB_MAX_SLOTS, &options->jobs.slots, err);
}

bool job_option_lease(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, MAX_LEASE_S, &options->jobs.lease_s, err);
}

bool job_option_deliveries(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, MAX_COUNT, &options->jobs.deliveries, err);
}

bool job_option_keep(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, MAX_S, &options->jobs.keep_s, err);
}

bool job_option_grace(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_LEASE_S, &options->jobs.grace_s, err);
}

bool job_option_recycle(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, MAX_COUNT, &options->jobs.batches_each, err);
}

bool job_option_inline(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_INLINE, &options->jobs.inline_bytes, err);
}

bool job_option_wait(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_S, &options->jobs.wait_s, err);
}

bool job_option_metrics(struct cli_options *options, const char *value, struct br_error *err)
{
    options->jobs.metrics_port = METRICS_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->jobs.metrics_port, err);
}

/* The server. */

static const char *url_of(const struct cli_options *options, struct br_error *err)
{
    const char *url = options->jobs.redis ? options->jobs.redis : getenv("BROWSER_RUNNER_REDIS");
    if (!url || !*url) {
        error_set(err, BR_INVALID_ACTION, "the address of the Redis server is missing");
        error_hint(err, "give --redis redis://host:6379, or set $BROWSER_RUNNER_REDIS");
        return NULL;
    }
    return url;
}

static struct redis *open_redis(const struct cli_options *options, struct br_error *err)
{
    const char *url = url_of(options, err);
    if (options->jobs.streams.count > 1) {
        error_set(err, BR_INVALID_ACTION, "--stream may be given once here");
        return NULL;
    }
    return url ? redis_create(url, err) : NULL;
}

static const char *stream_of(const struct cli_options *options)
{
    return options->jobs.streams.count ? options->jobs.streams.items[0] : default_stream;
}

/* The worker. */

static int slots_of(const struct cli_options *options)
{
    int64_t processors = platform_processors();
    int64_t by_memory = (int64_t)(platform_memory_limit() / SLOT_BYTES);
    int64_t slots = processors < by_memory ? processors : by_memory;
    slots = slots < 1 ? 1 : slots > JOB_MAX_SLOTS ? JOB_MAX_SLOTS : slots;
    return options->jobs.slots ? options->jobs.slots : (int)slots;
}

static void print_news(void *data, const char *text)
{
    (void)data;
    cli_warn("%s", text);
}

/* "host-pid-random": a worker that is started again is another one. Caller frees. */
static char *consumer_name(void)
{
    char host[128] = "worker";
    platform_host_name(host, sizeof(host));
    CLEANUP_FREE char *id = job_make_id();
    return xasprintf("%.64s-%d-%.8s", host, (int)getpid(), id);
}

/* A slot has a browser of its own, and two browsers cannot share a profile. */
static bool set_profile(struct cli_options *options, struct br_error *err)
{
    if (options->browser.profile || options->browser.project) {
        error_set(err, BR_INVALID_ACTION, "a worker uses a new profile for each browser");
        return error_hint(err, "leave --profile and --project out; instructions can load a state");
    }
    options->browser.temp_profile = !options->browser.connect;
    options->browser.stays = true;
    options->session.isolated = !options->session.tab;
    if (!options->session.policy.files) {
        options->session.policy.files = "none";
    }
    return true;
}

/* Serves the metrics, if they are requested. *ret_listener is NULL if they are not. */
static bool listen_for_metrics(struct serving *serving, struct job_worker *worker,
                               struct loop *loop, struct net_listener **ret_listener,
                               struct br_error *err)
{
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    int port = serving->options->jobs.metrics_port;
    *ret_listener = NULL;
    if (port < 0) {
        return true;
    }
    serving_set_listener(serving, "worker", port, &listener);
    listener.name = "worker";
    listener.handler =
        (struct net_handler){ .data = worker, .on_metrics = job_worker_write_metrics };
    *ret_listener = net_listen(loop, &listener, err);
    if (*ret_listener) {
        serving_add(serving, "worker", *ret_listener, ACCESS_ALL, "http", "/metrics");
    }
    return *ret_listener;
}

static void say_ready(const struct job_worker_options *options)
{
    json_t *streams = json_array();
    for (size_t i = 0; i < options->queue.stream_count; i++) {
        json_array_append_new(streams, json_text(options->queue.streams[i]));
    }
    serving_say(json_pack("{s:s, s:o, s:o, s:i}", "kind", "worker", "name",
                          json_text(options->queue.consumer), "streams", streams, "slots",
                          options->slots));
}

static bool work(struct cli_options *options, const struct job_worker_options *worker_options,
                 struct br_error *err)
{
    struct interrupt *interrupt = interrupt_create_for_server(options->dies_with_parent);
    interrupt_set_end(interrupt, options->jobs.grace_s * 1000 + END_MS);
    struct serving serving;
    struct loop *loop = serving_init(&serving, options, err) ? loop_create(false, err) : NULL;
    struct job_worker *worker = loop ? job_worker_start(worker_options, err) : NULL;
    struct net_listener *listener = NULL;
    bool is_serving = worker && listen_for_metrics(&serving, worker, loop, &listener, err);
    if (is_serving) {
        say_ready(worker_options);
        serving_wait(&serving, loop, interrupt);
        serving_stopping(&serving, "stopping: no new batches, running ones have their grace");
    }
    int grace_ms = is_serving ? options->jobs.grace_s * 1000 : 0;
    job_worker_drain(worker, grace_ms);
    net_listener_close(listener, CLOSE_MS);
    job_worker_destroy(worker);
    loop_destroy(loop);
    serving_finish(&serving);
    interrupt_destroy(interrupt);
    return is_serving;
}

static int run_worker(struct cli_options *options)
{
    struct br_error err = { 0 };
    const struct cli_job_options *jobs = &options->jobs;
    const char *url = url_of(options, &err);
    const char *const one_stream[] = { default_stream };
    CLEANUP_FREE char *consumer = consumer_name();
    if (!url || !set_profile(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    const struct job_worker_options worker = {
        .queue = {
            .url = url,
            .group = jobs->group,
            .streams = jobs->streams.count ? jobs->streams.items : one_stream,
            .stream_count = jobs->streams.count ? jobs->streams.count : 1,
            .consumer = consumer,
            .lease_ms = jobs->lease_s * 1000,
            .max_deliveries = jobs->deliveries,
            .keep_s = jobs->keep_s,
        },
        .browser = options->browser,
        .batches_each = jobs->batches_each,
        .session = options->session,
        .slots = slots_of(options),
        .chunk_size = options->chunk_size,
        .inline_bytes = (size_t)jobs->inline_bytes,
        .answers_dir = jobs->answers_dir,
        .batches_dir = jobs->batches_dir,
        .on_news = print_news,
    };
    if (work(options, &worker, &err)) {
        return EXIT_SUCCESS;
    }
    cli_print_error(&err);
    return err.code == BR_NETWORK_ERROR ? EXIT_USAGE : cli_exit_code(&err);
}

/* Submitting. */

/* Reads a file, or stdin for "-". Caller frees. */
static char *read_instructions(const char *path, size_t *ret_length, struct br_error *err)
{
    struct strbuf text = STRBUF_INIT(JOB_MAX_BATCH);
    char bytes[64 * 1024];
    ssize_t count = 1;
    if (strcmp(path, "-") != 0) {
        return file_read(path, JOB_MAX_BATCH, ret_length, err);
    }
    while (count > 0 && !text.overflowed) {
        count = read(STDIN_FILENO, bytes, sizeof(bytes));
        strbuf_add(&text, bytes, count > 0 ? (size_t)count : 0);
    }
    if (count < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read stdin");
    } else if (text.overflowed) {
        error_set(err, BR_LIMIT_EXCEEDED, "stdin has more than %d bytes", JOB_MAX_BATCH);
    } else {
        *ret_length = text.length;
        return strbuf_take(&text);
    }
    strbuf_finish(&text);
    return NULL;
}

/* Checks instructions as `run` does before it runs them. */
static bool check_instructions(const char *text, size_t length, struct br_error *err)
{
    struct batch_plan plan = { 0 };
    bool is_valid = batch_plan_read(&plan, text, length, err);
    if (is_valid && plan.count == 0) {
        is_valid = error_set(err, BR_INVALID_ACTION, "there is no instruction in it");
    }
    batch_plan_finish(&plan);
    return is_valid;
}

/* Fills in the contents of the job, or the path. */
static bool read_job(const struct cli_options *options, const char *path, struct job *job,
                     struct br_error *err)
{
    job->batch = read_instructions(path, &job->batch_length, err);
    if (!job->batch || !check_instructions(job->batch, job->batch_length, err)) {
        return job->batch ? error_context(err, "%s", path) : false;
    }
    if (options->jobs.is_reference) {
        free(TAKE(job->batch));
        job->file = realpath(path, NULL);
        return job->file || error_set_errno(err, BR_INVALID_ACTION, errno, "cannot find %s", path);
    }
    return true;
}

static bool submit_all(const struct cli_options *options, struct redis *redis, struct job *jobs,
                       struct br_error *err)
{
    const struct redis_wait wait = { .within_ms = CALL_MS, .stop_fd = -1 };
    for (size_t i = 0; i < options->operand_count; i++) {
        jobs[i].stream = stream_of(options);
        jobs[i].id = options->jobs.id ? xstrdup(options->jobs.id) : job_make_id();
        if (!read_job(options, options->operands[i], &jobs[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        if (!job_submit(redis, &wait, &jobs[i], err)) {
            return false;
        }
        puts(jobs[i].id);
    }
    return true;
}

static bool check_submission(const struct cli_options *options, struct br_error *err)
{
    if (options->jobs.id && options->operand_count > 1) {
        return error_set(err, BR_INVALID_ACTION, "--id is for a single FILE");
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        if (options->jobs.is_reference && strcmp(options->operands[i], "-") == 0) {
            return error_set(err, BR_INVALID_ACTION, "--reference needs a FILE: stdin has no path");
        }
    }
    return true;
}

static int run_submit(struct cli_options *options)
{
    struct br_error err = { 0 };
    struct job *jobs = xcalloc(options->operand_count, sizeof(*jobs));
    interrupt_exits();
    struct redis *redis = check_submission(options, &err) ? open_redis(options, &err) : NULL;
    bool is_done = redis && submit_all(options, redis, jobs, &err);
    for (size_t i = 0; i < options->operand_count; i++) {
        job_finish(&jobs[i]);
    }
    free(jobs);
    redis_destroy(redis);
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : cli_exit_code(&err);
}

/* Results. */

/* A job whose lines are printed. */
struct job_printer {
    struct redis *redis;
    const char *stream, *id;
    int attempt; /* whose lines are printed; 0: any, as they come */
    int printed; /* attempt whose line was printed last; 0: none */
};

static bool print_text(const char *text, size_t length, struct br_error *err)
{
    return (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0) ||
           error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to stdout");
}

/* Prints a line that a worker has written to a file; any other file stays closed. */
static bool print_from_file(const char *id, const struct job_line *line, struct br_error *err)
{
    char bytes[64 * 1024];
    struct stat info;
    if (!job_file_is_of(line->file, id)) {
        return error_set(err, BR_POLICY_DENIED, "%s is not named as a file of answers of job %s",
                         line->file, id);
    }
    int fd = open(line->file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    size_t done = 0;
    bool is_printed =
        fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && line->length <= MAX_LINE;
    while (is_printed && done < line->length) {
        size_t size = line->length - done < sizeof(bytes) ? line->length - done : sizeof(bytes);
        ssize_t count = pread(fd, bytes, size, (off_t)(line->offset + done));
        is_printed = count > 0 && print_text(bytes, (size_t)count, err);
        done += count > 0 ? (size_t)count : 0;
    }
    int failure = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (!is_printed && !err->code) {
        error_set_errno(err, BR_UNKNOWN_ERROR, fd < 0 ? failure : 0, "cannot read answers from %s",
                        line->file);
        error_hint(err, "the directory of the worker's --answers must be there on this machine");
    }
    return is_printed;
}

static bool print_line(void *data, int attempt, const struct job_line *line, struct br_error *err)
{
    struct job_printer *printer = data;
    if (printer->attempt && printer->attempt != attempt) {
        return true;
    }
    if (printer->printed && printer->printed != attempt) {
        serving_say(
            json_pack("{s:s, s:s, s:i}", "kind", "attempt", "id", printer->id, "attempt", attempt));
    }
    printer->printed = attempt;
    return line->text ? print_text(line->text, line->length, err)
                      : print_from_file(printer->id, line, err);
}

static struct redis_wait wait_until(struct deadline deadline)
{
    int64_t left_ms = deadline_left_ms(deadline);
    return (struct redis_wait){ .within_ms = CALL_MS,
                                .block_ms = left_ms < BLOCK_MS ? (int)left_ms : BLOCK_MS,
                                .stop_fd = -1 };
}

static bool read_status(const struct job_printer *printer, struct job_status *ret_status,
                        struct br_error *err)
{
    const struct redis_wait at_once = { .within_ms = CALL_MS, .stop_fd = -1 };
    return job_read_status(printer->redis, &at_once, printer->stream, printer->id, ret_status, err);
}

/*
 * Prints lines as they come, until the job ends. While none comes, it asks for the state, because
 * Redis may have lost the job: *status is then without one, and without a deadline that is the end.
 */
static bool follow(struct job_printer *printer, struct job_reading *reading,
                   struct job_status *status, struct deadline deadline, struct br_error *err)
{
    while (!reading->is_over && !job_status_is_final(status) && !deadline_passed(deadline) &&
           (*status->state || deadline.at_us != DEADLINE_NEVER.at_us)) {
        const struct redis_wait wait = wait_until(deadline);
        char before[sizeof(reading->cursor)];
        memcpy(before, reading->cursor, sizeof(before));
        if (!job_read_lines(printer->redis, &wait, printer->stream, printer->id, reading, err)) {
            return false;
        }
        if (strcmp(before, reading->cursor) == 0) {
            job_status_finish(status);
            if (!read_status(printer, status, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Prints the rest of the lines of a job that has ended. */
static bool print_rest(struct job_printer *printer, struct job_reading *reading,
                       struct br_error *err)
{
    const struct redis_wait wait = { .within_ms = CALL_MS, .stop_fd = -1 };
    char before[sizeof(reading->cursor)] = "";
    while (!reading->is_over && strcmp(before, reading->cursor) != 0) {
        memcpy(before, reading->cursor, sizeof(before));
        if (!job_read_lines(printer->redis, &wait, printer->stream, printer->id, reading, err)) {
            return false;
        }
    }
    return reading->is_over ||
           error_set(err, BR_UNKNOWN_ERROR, "the answer of job %s has no end", printer->id);
}

/* Prints the lines of the attempt whose answer was the first. */
static bool print_answer(struct job_printer *printer, const struct job_status *status,
                         struct br_error *err)
{
    struct job_reading reading = { .data = printer, .on_line = print_line };
    printer->attempt = status->attempt;
    snprintf(reading.cursor, sizeof(reading.cursor), "%d-0", status->attempt);
    return print_rest(printer, &reading, err);
}

/* Prints the error of a job to stderr, and returns the job's exit code. */
static int report(const struct job_printer *printer, const struct job_status *status)
{
    struct br_error err = { 0 };
    if (strcmp(status->state, "dead") == 0) {
        error_set(&err, BR_UNKNOWN_ERROR, "job %s is dead: %s", printer->id,
                  status->why ? status->why : "for an unknown reason");
        error_hint(&err, "the stream %s:dead has the batch and what happened to it",
                   printer->stream);
        cli_print_error(&err);
        return EXIT_ACTION_FAILED;
    }
    if (status->why) {
        struct br_error ignored;
        json_auto_t *why = json_parse(status->why, strlen(status->why), "the job", &ignored);
        const char *text = json_member_string(why, "error");
        const char *hint = json_member_string(why, "hint");
        error_set(&err, BR_UNKNOWN_ERROR, "job %s: %s", printer->id, text ? text : status->why);
        if (hint) {
            error_hint(&err, "%s", hint);
        }
        cli_print_error(&err);
    }
    return status->exit_code;
}

/* Waits as long as the options say. */
static bool await_status(const struct cli_options *options, struct job_printer *printer,
                         struct job_status *ret_status, struct br_error *err)
{
    int wait_s = options->jobs.wait_s;
    struct deadline deadline = wait_s < 0 && options->jobs.is_followed
                                   ? DEADLINE_NEVER
                                   : deadline_in_ms(wait_s > 0 ? wait_s * 1000LL : 0);
    if (!read_status(printer, ret_status, err)) {
        return false;
    }
    if (!*ret_status->state && wait_s < 0) {
        return true; /* an unknown id: the batch may never be submitted */
    }
    struct job_reading reading = { .cursor = "0-0", .data = printer, .on_line = print_line };
    bool is_followed = options->jobs.is_followed && !job_status_is_final(ret_status);
    if (is_followed && !follow(printer, &reading, ret_status, deadline, err)) {
        return false;
    }
    if (!*ret_status->state && wait_s < 0) {
        return true;
    }
    while (!job_status_is_final(ret_status)) {
        job_status_finish(ret_status);
        const struct redis_wait wait = wait_until(deadline);
        if ((wait.block_ms > 0 &&
             !job_await_end(printer->redis, &wait, printer->stream, printer->id, err)) ||
            !read_status(printer, ret_status, err)) {
            return false;
        }
        if (deadline_passed(deadline)) {
            break;
        }
    }
    /* It may have ended after the last line that was followed. */
    return !is_followed || !job_status_is_final(ret_status) || print_rest(printer, &reading, err);
}

/* Prints what is known about a job; returns its exit code. */
static int print_job(const struct cli_options *options, struct job_printer *printer)
{
    struct br_error err = { 0 };
    struct job_status status = { 0 };
    bool is_read = await_status(options, printer, &status, &err);
    bool is_final = job_status_is_final(&status);
    bool is_done = strcmp(status.state, "done") == 0;
    if (is_read && !*status.state) {
        error_set(&err, BR_INVALID_ACTION, "there is no job %s in the stream %s", printer->id,
                  printer->stream);
        error_hint(&err, "answers are kept for a day, or as long as the worker's --keep says");
    } else if (is_read && !is_final) {
        error_set(&err, BR_TIMEOUT, "job %s is %s", printer->id, status.state);
        error_hint(&err, "--wait SECONDS waits for its end");
    } else if (is_read && is_done && printer->printed != status.attempt) {
        is_read = print_answer(printer, &status, &err);
    }
    int exit_code = is_final && is_read ? report(printer, &status) : cli_exit_code(&err);
    if (err.code) {
        cli_print_error(&err);
    }
    job_status_finish(&status);
    return exit_code;
}

static int run_results(struct cli_options *options)
{
    struct br_error err = { 0 };
    interrupt_exits();
    struct redis *redis = open_redis(options, &err);
    int exit_code = EXIT_SUCCESS;
    if (!redis) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        struct job_printer printer = { redis, stream_of(options), options->operands[i], 0, 0 };
        int code = EXIT_USAGE;
        if (job_id_is_valid(printer.id)) {
            code = print_job(options, &printer);
        } else {
            error_set(&err, BR_INVALID_ACTION, "\"%.64s\" is not the id of a job", printer.id);
            cli_print_error(&err);
        }
        exit_code = code > exit_code ? code : exit_code;
    }
    redis_destroy(redis);
    return exit_code;
}

const struct command command_worker = {
    .name = "worker",
    .operands = "--redis URL [--stream NAME]… [--group NAME]",
    .summary = "Runs batches that wait in a stream of Redis",
    .description =
        "Takes batches that submit, or any producer, has added to the stream, runs each as run "
        "does, and stores its answers in Redis. Several workers on any number of machines share a "
        "stream. A worker holds a lease on what it runs; if it dies or is silent for longer than "
        "the lease, another one runs the batch again, and the first complete answer stays. Each "
        "batch has a browser context of its own in a browser of its slot, with a new profile. "
        "Instructions touch no file unless --files names a directory. SIGTERM and Ctrl-C end the "
        "worker after the batches that run, or after --grace.",
    .examples = "  browser-runner worker --redis redis://queue.internal\n"
                "  browser-runner worker --redis unix:///run/redis.sock --stream urgent --stream "
                "nightly\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_WORKER,
    .run = run_worker,
};

const struct command command_submit = {
    .name = "submit",
    .operands = "--redis URL FILE|-…",
    .summary = "Adds batches to a stream of Redis, for workers; prints their ids",
    .description = "Checks each FILE as run does and adds it as one batch, also if no worker runs "
                   "yet. Prints the id of each batch, by which results finds its answers.",
    .examples = "  browser-runner submit --redis redis://queue.internal fixtures/batches/shop.xml\n"
                "  browser-runner submit --redis redis://queue.internal --id order-17 batch.xml\n",
    .option_groups = OPTIONS_SUBMIT,
    .min_operands = 1,
    .max_operands = 10000,
    .run = run_submit,
};

const struct command command_results = {
    .name = "results",
    .operands = "--redis URL ID…",
    .summary = "Prints the answers of submitted batches, the lines that run writes",
    .description =
        "The exit code is that of run for the same batches, the highest of several; 1 also for a "
        "batch that has not ended or is dead, 2 for an unknown id. With --follow, lines are "
        "printed while the batch runs; if another worker has to run it again, a line "
        "{\"kind\":\"attempt\",…} says that earlier lines are void.",
    .examples = "  browser-runner results --redis redis://queue.internal order-17 --wait 60\n",
    .option_groups = OPTIONS_RESULTS,
    .min_operands = 1,
    .max_operands = 10000,
    .run = run_results,
};
