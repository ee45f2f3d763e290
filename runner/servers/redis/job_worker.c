#include "runner/servers/redis/job_worker.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/thread.h"
#include "runner/batch/batch.h"
#include "runner/batch/plan.h"
#include "runner/chrome/find.h"
#include "runner/formats/event_json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    START_MS = 10000,      /* for Redis, at the start */
    LEAVE_MS = 2000,       /* for the last commands, at the end */
    RENEWALS = 3,          /* in each lease */
    TRIES = 4,             /* for each of these while Redis is away */
    FIRST_PAUSE_MS = 500,  /* of a slot whose browser fails; then twice as long each time … */
    LAST_PAUSE_MS = 30000, /* … up to this */
    EXIT_OF_FAILURE = 1,   /* the exit codes that `run` has */
    EXIT_OF_BAD_INPUT = 2,
};

/* What a slot is doing, for the thread that renews leases. */
struct job_slot {
    struct job_worker *worker;
    pthread_t thread;
    bool has_thread;
    struct job_queue *queue;
    struct br_browser *browser; /* NULL: opened by the next batch */
    int batches;                /* that the browser has run */
    int pause_ms;               /* after the browser has failed */
    pthread_mutex_t mutex;      /* guards the rest */
    const struct job *job;      /* NULL: none runs */
    struct br_session *session; /* NULL: not open */
    bool is_lost;               /* another worker has the job */
};

struct job_worker {
    struct job_worker_options options;
    struct file_root *batches;
    char *answers_dir; /* as an absolute path; NULL: none */
    struct job_slot *slots;
    int slot_count;
    struct job_queue *queue; /* of the thread that renews leases */
    pthread_t keeper;
    bool has_keeper;
    int stop_fd;  /* readable: no more jobs are taken */
    int abort_fd; /* readable: what runs is given back */
    int end_fd;   /* readable: all slots have ended */
    atomic_int running, taken, claimed, answered, fenced, failed, returned, buried, actions;
    atomic_bool has_browser;         /* an action has reached one */
    pthread_mutex_t mutex;           /* guards the rest */
    struct job_stream_state *states; /* of each stream, as it was some seconds ago */
    bool has_states;
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
say(const struct job_worker *worker, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    worker->options.on_news(worker->options.data, text);
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
    return is_readable(attempt->slot->worker->abort_fd) || is_lost(attempt->slot);
}

static bool is_of_browser(enum br_code code)
{
    return code == BR_BROWSER_NOT_FOUND || code == BR_PROFILE_IN_USE ||
           code == BR_BROWSER_CRASHED || code == BR_DISCONNECTED;
}

/* Waits for Redis until what runs is given back. */
static struct redis_wait patient(const struct job_slot *slot)
{
    return (struct redis_wait){ .within_ms = -1, .stop_fd = slot->worker->abort_fd };
}

static bool open_file(struct job_attempt *attempt, struct br_error *err)
{
    const struct job_worker *worker = attempt->slot->worker;
    if (!worker->answers_dir) {
        error_set(err, BR_LIMIT_EXCEEDED, "the answers of the batch exceed %zu bytes",
                  worker->options.inline_bytes);
        return error_hint(err, "start the worker with --answers DIR, or a larger --inline");
    }
    CLEANUP_FREE char *name = job_file_name(attempt->job);
    CLEANUP_FREE char *path = xasprintf("%s/%s", worker->answers_dir, name);
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
    size_t inline_bytes = attempt->slot->worker->options.inline_bytes;
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
    atomic_fetch_add(&attempt->slot->worker->actions, 1);
    if (response->success || !is_of_browser(response->error.code)) {
        atomic_store(&attempt->slot->worker->has_browser, true);
        return true;
    }
    attempt->broken = response->error;
    *err = response->error;
    return false;
}

static char *read_file(const struct job_attempt *attempt, size_t *ret_length, struct br_error *err)
{
    const struct job_worker *worker = attempt->slot->worker;
    const char *name = attempt->job->file;
    if (!worker->batches) {
        error_set(err, BR_POLICY_DENIED, "this worker reads no batches from files");
        error_hint(err, "start it with --batches DIR");
        return NULL;
    }
    CLEANUP_FREE char *path =
        *name == '/' ? xstrdup(name) : xasprintf("%s/%s", worker->options.batches_dir, name);
    return file_read_in(worker->batches, path, JOB_MAX_BATCH, ret_length, err);
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
    if (has_failed || ++slot->batches >= slot->worker->options.batches_each) {
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
        .chunk_size = attempt->slot->worker->options.chunk_size,
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
    const struct job_worker_options *options = &slot->worker->options;
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

/* Lets a slot rest whose browser fails again and again: other machines may do better. */
static void rest(struct job_slot *slot)
{
    struct pollfd fd = { .fd = slot->worker->stop_fd, .events = POLLIN };
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
    struct job_worker *worker = slot->worker;
    const struct job *job = attempt->job;
    struct br_error err;
    const struct redis_wait wait = { .within_ms = why ? START_MS : LEAVE_MS, .stop_fd = -1 };
    atomic_fetch_add(why ? &worker->failed : &worker->returned, 1);
    let_go(slot);
    /* A machine on which no action has reached a browser says nothing about the batch. */
    bool counts = why && atomic_load(&worker->has_browser);
    int released = job_queue_release(slot->queue, &wait, job, why, counts, &err);
    if (released < 0) {
        say(worker, "job %s: cannot be given back; its lease will end: %s", job->id, err.message);
    } else if (why && released == 0) {
        atomic_fetch_add(&worker->buried, 1);
        say(worker, "job %s is dead after %d deliveries: %s", job->id, job->deliveries,
            why->message);
    } else if (why) {
        say(worker, "job %s: attempt %d failed, another one follows: %s", job->id, job->attempt,
            why->message);
    } else {
        say(worker, "job %s: given back, because the worker stops", job->id);
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
        atomic_fetch_add(&slot->worker->answered, 1);
    } else if (ended == 0) {
        attempt->may_be_answer = false;
        atomic_fetch_add(&slot->worker->fenced, 1);
        say(slot->worker, "job %s: attempt %d came too late, the answer of another one stays",
            job->id, job->attempt);
    } else {
        give_back(attempt, err.code == BR_CANCELLED ? NULL : &err);
    }
}

/* Decides what becomes of an attempt that has run. */
static void conclude(struct job_attempt *attempt, int exit_code, const struct br_error *err)
{
    struct job_slot *slot = attempt->slot;
    const struct job *job = attempt->job;
    const struct br_error *failed = &attempt->failed;
    if (is_lost(slot) || (failed->code == BR_CANCELLED && !is_readable(slot->worker->abort_fd))) {
        atomic_fetch_add(&slot->worker->fenced, 1);
        say(slot->worker,
            "job %s: attempt %d was silent for longer than its lease and is void: another worker "
            "has the job",
            job->id, job->attempt);
    } else if (is_readable(slot->worker->abort_fd)) {
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
    atomic_fetch_add(&slot->worker->running, 1);
    int exit_code = read_batch(&attempt, &err) ? run_batch(&attempt, &err) : EXIT_OF_BAD_INPUT;
    conclude(&attempt, exit_code, &err);
    let_go(slot);
    atomic_fetch_sub(&slot->worker->running, 1);
    if (attempt.fd >= 0) {
        close(attempt.fd);
    }
    if (attempt.path && !attempt.may_be_answer) {
        unlink(attempt.path);
    }
    free(attempt.path);
    batch_plan_finish(&attempt.plan);
}

static void *run_slot(void *data)
{
    struct job_slot *slot = data;
    struct job_worker *worker = slot->worker;
    const struct redis_wait wait = { .within_ms = -1,
                                     .block_ms = worker->options.queue.lease_ms,
                                     .stop_fd = worker->stop_fd };
    while (!is_readable(worker->stop_fd)) {
        struct job job;
        struct br_error err;
        int taken = job_queue_take(slot->queue, &wait, &job, &err);
        if (taken == JOB_CLAIMED) {
            say(worker, "job %s: taken over, delivery %d", job.id, job.deliveries);
            atomic_fetch_add(&worker->claimed, 1);
        } else if (taken == JOB_BURIED) {
            atomic_fetch_add(&worker->buried, 1);
            say(worker, "job %s is dead after %d deliveries", job.id, job.deliveries);
        } else if (taken < 0 && err.code != BR_CANCELLED) {
            say(worker, "cannot take a job: %s", err.message);
            rest(slot);
        }
        if (taken == JOB_NEW || taken == JOB_CLAIMED) {
            atomic_fetch_add(&worker->taken, 1);
            run_job(slot, &job);
        }
        job_finish(&job);
    }
    br_browser_close(TAKE(slot->browser));
    return NULL;
}

/* Copies the job that a slot runs. False if there is none. */
static bool copy_job(struct job_slot *slot, struct job *ret_job)
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

/* Ends the attempt, if the slot still runs it. */
static void lose(struct job_slot *slot, const struct job *job)
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

/*
 * For the thread that renews leases. When Redis is back, others give the owner of a job one lease:
 * it has to try often.
 */
static struct redis_wait impatient(const struct job_worker *worker)
{
    int renewal_ms = worker->options.queue.lease_ms / RENEWALS;
    return (struct redis_wait){ .within_ms = renewal_ms,
                                .stop_fd = worker->end_fd,
                                .pause_ms = renewal_ms / TRIES };
}

/* Returns false if Redis is away. */
static bool renew(struct job_worker *worker, struct job_slot *slot)
{
    struct job job;
    struct br_error err = { 0 };
    const struct redis_wait wait = impatient(worker);
    if (!copy_job(slot, &job)) {
        return true;
    }
    int renewed = job_queue_renew(worker->queue, &wait, &job, &err);
    if (renewed == 0) {
        lose(slot, &job);
    }
    job_finish(&job);
    return renewed >= 0 || err.code != BR_NETWORK_ERROR;
}

/* Reads the numbers of the streams for the metrics. */
static void read_states(struct job_worker *worker)
{
    const struct redis_wait wait = impatient(worker);
    struct br_error ignored; /* the next one may work */
    for (size_t i = 0; i < worker->options.queue.stream_count; i++) {
        struct job_stream_state state;
        bool is_read = job_queue_read_state(worker->queue, &wait, i, &state, &ignored);
        mutex_lock(&worker->mutex);
        worker->has_states = is_read;
        worker->states[i] = state;
        mutex_unlock(&worker->mutex);
        if (!is_read) {
            return;
        }
    }
}

static void *keep_leases(void *data)
{
    struct job_worker *worker = data;
    struct pollfd fd = { .fd = worker->end_fd, .events = POLLIN };
    const int renewal_ms = worker->options.queue.lease_ms / RENEWALS;
    bool is_there = true;
    read_states(worker);
    while (poll(&fd, 1, is_there ? renewal_ms : renewal_ms / TRIES) <= 0) {
        is_there = true;
        for (int i = 0; i < worker->slot_count && is_there; i++) {
            is_there = renew(worker, &worker->slots[i]);
        }
        if (is_there) {
            read_states(worker);
        }
    }
    return NULL;
}

/* Checks the settings of all batches; starts no browser. */
static bool check_session(const struct job_worker_options *options, struct br_error *err)
{
    struct br_browser *browser = br_browser_open(&options->browser, err);
    struct br_session *session = browser ? br_session_open(browser, &options->session, err) : NULL;
    bool is_valid = session != NULL;
    br_session_close(session);
    br_browser_close(browser);
    return is_valid;
}

/* Checks what every batch needs, so that a machine without it takes none. */
static bool check(struct job_worker *worker, struct br_error *err)
{
    const struct job_worker_options *options = &worker->options;
    const struct redis_wait wait = { .within_ms = START_MS, .stop_fd = -1 };
    CLEANUP_FREE char *chrome =
        options->browser.connect ? NULL : chrome_find(options->browser.chrome, err);
    if ((!chrome && !options->browser.connect) || !check_session(options, err)) {
        return false;
    }
    worker->answers_dir = options->answers_dir ? realpath(options->answers_dir, NULL) : NULL;
    if (options->answers_dir &&
        (!worker->answers_dir || access(worker->answers_dir, W_OK | X_OK) != 0)) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write to %s",
                               options->answers_dir);
    }
    worker->batches = options->batches_dir ? file_root_open(options->batches_dir, err) : NULL;
    if (options->batches_dir && !worker->batches) {
        return false;
    }
    worker->queue = job_queue_create(&options->queue, err);
    return worker->queue && job_queue_prepare(worker->queue, &wait, err);
}

static bool start_slot(struct job_worker *worker, struct br_error *err)
{
    struct job_slot *slot = &worker->slots[worker->slot_count++];
    slot->worker = worker;
    pthread_mutex_init(&slot->mutex, NULL);
    slot->queue = job_queue_create(&worker->options.queue, err);
    int failure = slot->queue ? thread_start(&slot->thread, run_slot, slot) : 0;
    slot->has_thread = slot->queue && failure == 0;
    return slot->has_thread || (slot->queue && error_set_errno(err, BR_UNKNOWN_ERROR, failure,
                                                               "cannot start a thread"));
}

struct job_worker *job_worker_start(const struct job_worker_options *options, struct br_error *err)
{
    struct job_worker *worker = xcalloc(1, sizeof(*worker));
    worker->options = *options;
    worker->slots = xcalloc((size_t)options->slots, sizeof(*worker->slots));
    worker->states = xcalloc(options->queue.stream_count, sizeof(*worker->states));
    pthread_mutex_init(&worker->mutex, NULL);
    worker->stop_fd = eventfd(0, EFD_CLOEXEC);
    worker->abort_fd = eventfd(0, EFD_CLOEXEC);
    worker->end_fd = eventfd(0, EFD_CLOEXEC);
    bool is_started = check(worker, err);
    if (is_started) {
        worker->has_keeper = thread_start(&worker->keeper, keep_leases, worker) == 0;
        is_started =
            worker->has_keeper || error_set(err, BR_UNKNOWN_ERROR, "cannot start a thread");
    }
    for (int i = 0; i < options->slots && is_started; i++) {
        is_started = start_slot(worker, err);
    }
    if (!is_started) {
        job_worker_drain(worker, 0);
        job_worker_destroy(worker);
        return NULL;
    }
    return worker;
}

/* Interrupts what runs. */
static void abort_slots(struct job_worker *worker)
{
    eventfd_write(worker->abort_fd, 1);
    for (int i = 0; i < worker->slot_count; i++) {
        struct job_slot *slot = &worker->slots[i];
        mutex_lock(&slot->mutex);
        if (slot->session) {
            br_session_interrupt(slot->session);
        }
        mutex_unlock(&slot->mutex);
    }
}

/* Waits until nothing runs, or the grace is over. */
static void await_slots(struct job_worker *worker, int grace_ms)
{
    enum { LOOK_MS = 20 };
    struct deadline deadline = deadline_in_ms(grace_ms);
    while (atomic_load(&worker->running) > 0 && !deadline_passed(deadline)) {
        poll(NULL, 0, LOOK_MS);
    }
}

void job_worker_drain(struct job_worker *worker, int grace_ms)
{
    if (!worker) {
        return;
    }
    eventfd_write(worker->stop_fd, 1);
    await_slots(worker, grace_ms);
    abort_slots(worker);
    for (int i = 0; i < worker->slot_count; i++) {
        struct job_slot *slot = &worker->slots[i];
        if (slot->has_thread) {
            pthread_join(slot->thread, NULL);
            slot->has_thread = false;
        }
    }
}

void job_worker_destroy(struct job_worker *worker)
{
    struct br_error ignored;
    const struct redis_wait wait = { .within_ms = LEAVE_MS, .stop_fd = -1 };
    if (!worker) {
        return;
    }
    eventfd_write(worker->end_fd, 1);
    if (worker->has_keeper) {
        pthread_join(worker->keeper, NULL);
        job_queue_leave(worker->queue, &wait, &ignored);
    }
    for (int i = 0; i < worker->slot_count; i++) {
        job_queue_destroy(worker->slots[i].queue);
        pthread_mutex_destroy(&worker->slots[i].mutex);
    }
    job_queue_destroy(worker->queue);
    file_root_close(worker->batches);
    pthread_mutex_destroy(&worker->mutex);
    close(worker->stop_fd);
    close(worker->abort_fd);
    close(worker->end_fd);
    free(worker->answers_dir);
    free(worker->states);
    free(worker->slots);
    free(worker);
}

/* Appends a label's value. */
static void add_label(struct strbuf *text, const char *value)
{
    for (; *value; value++) {
        if (*value == '\\' || *value == '"' || *value == '\n') {
            strbuf_add_string(text, "\\");
        }
        strbuf_add(text, *value == '\n' ? "n" : value, 1);
    }
}

static void write_of_worker(struct job_worker *worker, struct strbuf *text)
{
    const struct {
        const char *name, *type, *suffix, *help;
        atomic_int *value;
    } rows[] = {
        { "jobs_here", "gauge", "", "batches that this worker runs", &worker->running },
        { "jobs_taken", "counter", "_total", "batches taken, those of other workers included",
          &worker->taken },
        { "jobs_claimed", "counter", "_total", "batches taken over from silent workers",
          &worker->claimed },
        { "jobs_answered", "counter", "_total", "batches whose answer was stored",
          &worker->answered },
        { "jobs_fenced", "counter", "_total", "attempts that became void: another worker was first",
          &worker->fenced },
        { "jobs_failed", "counter", "_total", "attempts whose browser or store failed",
          &worker->failed },
        { "jobs_returned", "counter", "_total", "batches given back at the end of the worker",
          &worker->returned },
        { "jobs_buried", "counter", "_total", "batches that this worker found dead",
          &worker->buried },
        { "jobs_actions", "counter", "_total", "actions that were answered", &worker->actions },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        strbuf_add_format(text,
                          "# TYPE browser_runner_%s %s\n# HELP browser_runner_%s %s.\n"
                          "browser_runner_%s%s %d\n",
                          rows[i].name, rows[i].type, rows[i].name, rows[i].help, rows[i].name,
                          rows[i].suffix, atomic_load(rows[i].value));
    }
}

void job_worker_write_metrics(void *data, struct strbuf *text)
{
    struct job_worker *worker = data;
    static const struct {
        const char *name, *help;
        size_t offset;
    } rows[] = {
        { "jobs_waiting", "batches in the stream that no worker has",
          offsetof(struct job_stream_state, waiting) },
        { "jobs_running", "batches that some worker has",
          offsetof(struct job_stream_state, running) },
        { "jobs_dead", "batches in the stream of dead ones",
          offsetof(struct job_stream_state, dead) },
        { "jobs_oldest_seconds", "age of the oldest batch without an answer",
          offsetof(struct job_stream_state, oldest_s) },
    };
    const struct job_queue_options *queue = &worker->options.queue;
    write_of_worker(worker, text);
    mutex_lock(&worker->mutex);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        strbuf_add_format(text, "# TYPE browser_runner_%s gauge\n# HELP browser_runner_%s %s.\n",
                          rows[i].name, rows[i].name, rows[i].help);
        for (size_t k = 0; worker->has_states && k < queue->stream_count; k++) {
            const char *state = (const char *)&worker->states[k];
            strbuf_add_format(text, "browser_runner_%s{stream=\"", rows[i].name);
            add_label(text, queue->streams[k]);
            strbuf_add_format(text, "\"} %lld\n", *(const long long *)(state + rows[i].offset));
        }
    }
    mutex_unlock(&worker->mutex);
}
