#include "runner/servers/redis/job_slot.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/thread.h"
#include "runner/batch/batch.h"
#include "runner/batch/plan.h"
#include "runner/formats/event_json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum {
    GIVE_BACK_MS = 10000,  /* for Redis, when a failed attempt is given back */
    LEAVE_MS = 2000,       /* the same at the end of the worker */
    FIRST_PAUSE_MS = 500,  /* of a slot whose browser fails; then twice as long each time … */
    LAST_PAUSE_MS = 30000, /* … up to this */
    EXIT_OF_FAILURE = 1,   /* the exit codes that `run` has */
    EXIT_OF_BAD_INPUT = 2,
};

/* A run of a batch. */
struct job_attempt {
    struct job_slot *slot;
    const struct job *job;
    struct batch_plan plan;
    uint64_t lines;
    size_t inline_bytes;
    char *path; /* of the file of later lines; NULL: none yet */
    int fd;
    uint64_t offset;
    struct br_error broken; /* the browser failed: the batch is not answered */
    struct br_error failed; /* the lines cannot be stored */
    bool may_be_answer;     /* it is, or Redis was asked to make it that and did not say */
};

static void __attribute__((format(printf, 2, 3)))
say(const struct job_slots *slots, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    slots->options->on_news(slots->options->data, text);
}

static bool is_readable(int fd)
{
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
    return poll(&poll_fd, 1, 0) > 0;
}

static bool is_lost(struct job_slot *slot)
{
    mutex_lock(&slot->mutex);
    bool lost = slot->is_lost;
    mutex_unlock(&slot->mutex);
    return lost;
}

static bool is_over(void *data)
{
    const struct job_attempt *attempt = data;
    return is_readable(attempt->slot->slots->abort_fd) || is_lost(attempt->slot);
}

static bool is_of_browser(enum br_code code)
{
    return code == BR_BROWSER_NOT_FOUND || code == BR_PROFILE_IN_USE ||
           code == BR_BROWSER_CRASHED || code == BR_DISCONNECTED;
}

/* Waits for Redis until what runs is given back. */
static struct redis_wait patient(const struct job_slot *slot)
{
    return (struct redis_wait){ .within_ms = -1, .stop_fd = slot->slots->abort_fd };
}

static bool open_file(struct job_attempt *attempt, struct br_error *err)
{
    const struct job_slots *slots = attempt->slot->slots;
    if (!slots->answers_dir) {
        error_set(err, BR_LIMIT_EXCEEDED, "the answers of the batch exceed %zu bytes",
                  slots->options->inline_bytes);
        return error_hint(err, "start the worker with --answers DIR, or a larger --inline");
    }
    CLEANUP_FREE char *name = job_file_name(attempt->job);
    CLEANUP_FREE char *path = xasprintf("%s/%s", slots->answers_dir, name);
    attempt->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (attempt->fd < 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s", path);
    }
    attempt->path = TAKE(path);
    return true;
}

/* Writes a line to the attempt's file, and fills in where it is. */
static bool write_to_file(struct job_attempt *attempt, const char *text, size_t length,
                          struct job_line *ret_line, struct br_error *err)
{
    if (attempt->fd < 0 && !open_file(attempt, err)) {
        return false;
    }
    if (!file_write_all(attempt->fd, text, length, NULL)) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s", attempt->path);
    }
    *ret_line =
        (struct job_line){ .file = attempt->path, .offset = attempt->offset, .length = length };
    attempt->offset += length;
    return true;
}

static bool store_line(void *data, const char *text, size_t length, struct br_error *err)
{
    struct job_attempt *attempt = data;
    const struct redis_wait wait = patient(attempt->slot);
    size_t inline_bytes = attempt->slot->slots->options->inline_bytes;
    struct job_line line = { .text = text, .length = length };
    bool is_inline = attempt->fd < 0 && length <= inline_bytes - attempt->inline_bytes;
    if (is_inline) {
        attempt->inline_bytes += length;
    } else if (!write_to_file(attempt, text, length, &line, err)) {
        attempt->failed = *err;
        return false;
    }
    if (!job_queue_store(attempt->slot->queue, &wait, attempt->job, attempt->lines++, &line, err)) {
        attempt->failed = *err;
        return false;
    }
    return true;
}

/* Ends an attempt whose browser has failed: that says nothing about the batch. */
static bool check_response(void *data, const struct br_response *response, struct br_error *err)
{
    struct job_attempt *attempt = data;
    atomic_fetch_add(&attempt->slot->slots->actions, 1);
    if (response->success || !is_of_browser(response->error.code)) {
        atomic_store(&attempt->slot->slots->has_browser, true);
        return true;
    }
    attempt->broken = response->error;
    *err = response->error;
    return false;
}

static char *read_file(const struct job_attempt *attempt, size_t *ret_length, struct br_error *err)
{
    const struct job_slots *slots = attempt->slot->slots;
    const char *name = attempt->job->file;
    if (!slots->batches) {
        error_set(err, BR_POLICY_DENIED, "this worker reads no batches from files");
        error_hint(err, "start it with --batches DIR");
        return NULL;
    }
    CLEANUP_FREE char *path =
        *name == '/' ? xstrdup(name) : xasprintf("%s/%s", slots->options->batches_dir, name);
    return file_read_in(slots->batches, path, JOB_MAX_BATCH, ret_length, err);
}

/* Reads and checks the whole batch before anything runs. */
static bool read_batch(struct job_attempt *attempt, struct br_error *err)
{
    const struct job *job = attempt->job;
    size_t length = job->batch_length;
    CLEANUP_FREE char *text = job->batch ? NULL : read_file(attempt, &length, err);
    if (!job->batch && !text) {
        return false;
    }
    return batch_plan_read(&attempt->plan, job->batch ? job->batch : text, length, err);
}

/* Closes a browser that failed or has run enough batches. */
static void retire_browser(struct job_slot *slot, bool has_failed)
{
    if (has_failed || ++slot->batches >= slot->slots->options->batches_each) {
        br_browser_close(TAKE(slot->browser));
        slot->batches = 0;
    }
}

static void set_session(struct job_slot *slot, struct br_session *session)
{
    mutex_lock(&slot->mutex);
    slot->session = session;
    if (session && slot->is_lost) {
        br_session_interrupt(session);
    }
    mutex_unlock(&slot->mutex);
}

/* Runs the actions and stores their answers. Returns the exit code that `run` would have. */
static int run_actions(struct job_attempt *attempt, struct br_session *session,
                       struct br_error *err)
{
    const struct batch_options options = {
        .chunk_size = attempt->slot->slots->options->chunk_size,
        .data = attempt,
        .on_line = store_line,
        .on_response = check_response,
        .is_interrupted = is_over,
    };
    struct batch *batch = batch_create(session, &options, err);
    bool is_complete = batch != NULL;
    for (size_t i = 0; is_complete && i < attempt->plan.count; i++) {
        is_complete = !is_over(attempt) && batch_run(batch, attempt->plan.actions[i], err);
    }
    bool has_failed = !is_complete || batch_summary(batch)->failed > 0;
    if (batch) {
        batch_close(batch);
    }
    bool is_answered =
        batch && !attempt->broken.code && !attempt->failed.code && !is_over(attempt) &&
        batch_write_summary(batch, is_complete ? NULL : "input", err, &attempt->failed);
    batch_destroy(batch);
    return is_answered && !has_failed ? 0 : EXIT_OF_FAILURE;
}

static int run_batch(struct job_attempt *attempt, struct br_error *err)
{
    struct job_slot *slot = attempt->slot;
    const struct job_worker_options *options = slot->slots->options;
    struct br_session_options session_options = options->session;
    session_options.session_id = attempt->job->id;
    if (!slot->browser) {
        slot->browser = br_browser_open(&options->browser, err);
    }
    struct br_session *session =
        slot->browser ? br_session_open(slot->browser, &session_options, err) : NULL;
    if (!session) {
        /* Only a setting can be the batch's fault; the rest is this machine's. */
        if (err->code != BR_INVALID_ACTION) {
            attempt->broken = *err;
        }
        retire_browser(slot, attempt->broken.code);
        return EXIT_OF_BAD_INPUT;
    }
    set_session(slot, session);
    int exit_code = run_actions(attempt, session, err);
    set_session(slot, NULL);
    br_session_close(session);
    retire_browser(slot, attempt->broken.code);
    return exit_code;
}

/* Pauses a slot whose browser keeps failing, so that workers on other machines take the jobs. */
static void rest(struct job_slot *slot)
{
    struct pollfd fd = { .fd = slot->slots->stop_fd, .events = POLLIN };
    slot->pause_ms = slot->pause_ms ? 2 * slot->pause_ms : FIRST_PAUSE_MS;
    slot->pause_ms = slot->pause_ms > LAST_PAUSE_MS ? LAST_PAUSE_MS : slot->pause_ms;
    poll(&fd, 1, slot->pause_ms);
}

/* From now on the lease is not renewed. */
static void let_go(struct job_slot *slot)
{
    mutex_lock(&slot->mutex);
    slot->job = NULL;
    mutex_unlock(&slot->mutex);
}

static void give_back(struct job_attempt *attempt, const struct br_error *why)
{
    struct job_slot *slot = attempt->slot;
    struct job_slots *slots = slot->slots;
    const struct job *job = attempt->job;
    struct br_error err;
    const struct redis_wait wait = { .within_ms = why ? GIVE_BACK_MS : LEAVE_MS, .stop_fd = -1 };
    atomic_fetch_add(why ? &slots->failed : &slots->returned, 1);
    let_go(slot);
    /* A machine on which no action has reached a browser says nothing about the batch. */
    bool counts = why && atomic_load(&slots->has_browser);
    int released = job_queue_release(slot->queue, &wait, job, why, counts, &err);
    if (released < 0) {
        say(slots, "job %s: cannot be given back; its lease will end: %s", job->id, err.message);
    } else if (why && released == 0) {
        atomic_fetch_add(&slots->buried, 1);
        say(slots, "job %s is dead after %d deliveries: %s", job->id, job->deliveries,
            why->message);
    } else if (why) {
        say(slots, "job %s: attempt %d failed, another one follows: %s", job->id, job->attempt,
            why->message);
    } else {
        say(slots, "job %s: given back, because the worker stops", job->id);
    }
}

static void end_job(struct job_attempt *attempt, int exit_code, const struct br_error *why)
{
    struct job_slot *slot = attempt->slot;
    const struct job *job = attempt->job;
    struct br_error err;
    const struct redis_wait wait = patient(slot);
    json_auto_t *json = why ? error_json(why) : NULL;
    CLEANUP_FREE char *text = json ? json_line(json, NULL) : xstrdup("");
    attempt->may_be_answer = true;
    int ended = job_queue_end(slot->queue, &wait, job, attempt->lines, exit_code, text, &err);
    if (ended > 0) {
        atomic_fetch_add(&slot->slots->answered, 1);
    } else if (ended == 0) {
        attempt->may_be_answer = false;
        atomic_fetch_add(&slot->slots->fenced, 1);
        say(slot->slots, "job %s: attempt %d came too late, the answer of another one stays",
            job->id, job->attempt);
    } else {
        give_back(attempt, err.code == BR_CANCELLED ? NULL : &err);
    }
}

/* Ends the job, or returns it for another attempt. */
static void conclude(struct job_attempt *attempt, int exit_code, const struct br_error *err)
{
    struct job_slot *slot = attempt->slot;
    const struct job *job = attempt->job;
    const struct br_error *failed = &attempt->failed;
    if (is_lost(slot) || (failed->code == BR_CANCELLED && !is_readable(slot->slots->abort_fd))) {
        atomic_fetch_add(&slot->slots->fenced, 1);
        say(slot->slots,
            "job %s: attempt %d was silent for longer than its lease and is void: another worker "
            "has the job",
            job->id, job->attempt);
    } else if (is_readable(slot->slots->abort_fd)) {
        give_back(attempt, NULL);
    } else if (attempt->broken.code) {
        give_back(attempt, &attempt->broken);
        rest(slot);
    } else if (failed->code == BR_LIMIT_EXCEEDED) {
        end_job(attempt, EXIT_OF_FAILURE, failed);
    } else if (failed->code) {
        give_back(attempt, failed); /* a full disk, or a server without memory */
        rest(slot);
    } else {
        slot->pause_ms = 0;
        end_job(attempt, exit_code, exit_code && err->code ? err : NULL);
    }
}

static void run_job(struct job_slot *slot, const struct job *job)
{
    struct br_error err = { 0 };
    struct job_attempt attempt = { .slot = slot, .job = job, .fd = -1 };
    mutex_lock(&slot->mutex);
    slot->job = job;
    slot->is_lost = false;
    mutex_unlock(&slot->mutex);
    atomic_fetch_add(&slot->slots->running, 1);
    int exit_code = read_batch(&attempt, &err) ? run_batch(&attempt, &err) : EXIT_OF_BAD_INPUT;
    conclude(&attempt, exit_code, &err);
    let_go(slot);
    atomic_fetch_sub(&slot->slots->running, 1);
    if (attempt.fd >= 0) {
        close(attempt.fd);
    }
    if (attempt.path && !attempt.may_be_answer) {
        unlink(attempt.path);
    }
    free(attempt.path);
    batch_plan_finish(&attempt.plan);
}

void *job_slot_run(void *data)
{
    struct job_slot *slot = data;
    struct job_slots *slots = slot->slots;
    const struct redis_wait wait = { .within_ms = -1,
                                     .block_ms = slots->options->queue.lease_ms,
                                     .stop_fd = slots->stop_fd };
    while (!is_readable(slots->stop_fd)) {
        struct job job;
        struct br_error err;
        int taken = job_queue_take(slot->queue, &wait, &job, &err);
        if (taken == JOB_CLAIMED) {
            say(slots, "job %s: taken over, delivery %d", job.id, job.deliveries);
            atomic_fetch_add(&slots->claimed, 1);
        } else if (taken == JOB_BURIED) {
            atomic_fetch_add(&slots->buried, 1);
            say(slots, "job %s is dead after %d deliveries", job.id, job.deliveries);
        } else if (taken < 0 && err.code != BR_CANCELLED) {
            say(slots, "cannot take a job: %s", err.message);
            rest(slot);
        }
        if (taken == JOB_NEW || taken == JOB_CLAIMED) {
            atomic_fetch_add(&slots->taken, 1);
            run_job(slot, &job);
        }
        job_finish(&job);
    }
    br_browser_close(TAKE(slot->browser));
    return NULL;
}

bool job_slot_copy_job(struct job_slot *slot, struct job *ret_job)
{
    mutex_lock(&slot->mutex);
    const struct job *job = slot->job;
    bool has_job = job && !slot->is_lost;
    if (has_job) {
        *ret_job = (struct job){ .stream = job->stream,
                                 .entry = xstrdup(job->entry),
                                 .id = xstrdup(job->id),
                                 .attempt = job->attempt };
    }
    mutex_unlock(&slot->mutex);
    return has_job;
}

void job_slot_lose(struct job_slot *slot, const struct job *job)
{
    mutex_lock(&slot->mutex);
    if (slot->job && slot->job->attempt == job->attempt && strcmp(slot->job->id, job->id) == 0) {
        slot->is_lost = true;
        if (slot->session) {
            br_session_interrupt(slot->session);
        }
    }
    mutex_unlock(&slot->mutex);
}

void job_slot_interrupt(struct job_slot *slot)
{
    mutex_lock(&slot->mutex);
    if (slot->session) {
        br_session_interrupt(slot->session);
    }
    mutex_unlock(&slot->mutex);
}
