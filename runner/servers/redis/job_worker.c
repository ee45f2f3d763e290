#include "runner/servers/redis/job_worker.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/chrome/find.h"
#include "runner/servers/redis/job_slot.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    START_MS = 10000, /* for Redis, at the start */
    LEAVE_MS = 2000,  /* for the last commands, at the end */
    RENEWALS = 3,     /* in each lease */
    TRIES = 4,        /* for each of these while Redis is away */
};

struct job_worker {
    struct job_worker_options options;
    struct job_slots common;
    struct job_slot *slots;
    int slot_count;
    struct job_queue *queue; /* of the thread that renews leases */
    pthread_t keeper;
    bool has_keeper;
    int end_fd;                      /* readable: all slots have ended */
    pthread_mutex_t mutex;           /* guards the rest */
    struct job_stream_state *states; /* of each stream, as it was some seconds ago */
    bool has_states;
};

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
    if (!job_slot_copy_job(slot, &job)) {
        return true;
    }
    int renewed = job_queue_renew(worker->queue, &wait, &job, &err);
    if (renewed == 0) {
        job_slot_lose(slot, &job);
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
        } else {
            mutex_lock(&worker->mutex);
            worker->has_states = false;
            mutex_unlock(&worker->mutex);
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
    worker->common.answers_dir = options->answers_dir ? realpath(options->answers_dir, NULL) : NULL;
    if (options->answers_dir &&
        (!worker->common.answers_dir || access(worker->common.answers_dir, W_OK | X_OK) != 0)) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write to %s",
                               options->answers_dir);
    }
    worker->common.batches =
        options->batches_dir ? file_root_open(options->batches_dir, err) : NULL;
    if (options->batches_dir && !worker->common.batches) {
        return false;
    }
    worker->queue = job_queue_create(&options->queue, err);
    return worker->queue && job_queue_prepare(worker->queue, &wait, err);
}

static bool start_slot(struct job_worker *worker, struct br_error *err)
{
    struct job_slot *slot = &worker->slots[worker->slot_count++];
    slot->slots = &worker->common;
    pthread_mutex_init(&slot->mutex, NULL);
    slot->queue = job_queue_create(&worker->options.queue, err);
    int failure = slot->queue ? thread_start(&slot->thread, job_slot_run, slot) : 0;
    slot->has_thread = slot->queue && failure == 0;
    return slot->has_thread || (slot->queue && error_set_errno(err, BR_UNKNOWN_ERROR, failure,
                                                               "cannot start a thread"));
}

struct job_worker *job_worker_start(const struct job_worker_options *options, struct br_error *err)
{
    struct job_worker *worker = xcalloc(1, sizeof(*worker));
    worker->options = *options;
    worker->common.options = &worker->options;
    worker->slots = xcalloc((size_t)options->slots, sizeof(*worker->slots));
    worker->states = xcalloc(options->queue.stream_count, sizeof(*worker->states));
    pthread_mutex_init(&worker->mutex, NULL);
    worker->common.stop_fd = eventfd(0, EFD_CLOEXEC);
    worker->common.abort_fd = eventfd(0, EFD_CLOEXEC);
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
    eventfd_write(worker->common.abort_fd, 1);
    for (int i = 0; i < worker->slot_count; i++) {
        job_slot_interrupt(&worker->slots[i]);
    }
}

/* Waits until nothing runs, or the grace is over. */
static void await_slots(struct job_worker *worker, int grace_ms)
{
    enum { LOOK_MS = 20 };
    struct deadline deadline = deadline_in_ms(grace_ms);
    while (atomic_load(&worker->common.running) > 0 && !deadline_passed(deadline)) {
        poll(NULL, 0, LOOK_MS);
    }
}

void job_worker_drain(struct job_worker *worker, int grace_ms)
{
    if (!worker) {
        return;
    }
    eventfd_write(worker->common.stop_fd, 1);
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
    file_root_close(worker->common.batches);
    pthread_mutex_destroy(&worker->mutex);
    close(worker->common.stop_fd);
    close(worker->common.abort_fd);
    close(worker->end_fd);
    free(worker->common.answers_dir);
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
        { "jobs_here", "gauge", "", "batches that this worker runs", &worker->common.running },
        { "jobs_taken", "counter", "_total", "batches taken, those of other workers included",
          &worker->common.taken },
        { "jobs_claimed", "counter", "_total", "batches taken over from silent workers",
          &worker->common.claimed },
        { "jobs_answered", "counter", "_total", "batches whose answer was stored",
          &worker->common.answered },
        { "jobs_fenced", "counter", "_total", "attempts that became void: another worker was first",
          &worker->common.fenced },
        { "jobs_failed", "counter", "_total", "attempts whose browser or store failed",
          &worker->common.failed },
        { "jobs_returned", "counter", "_total", "batches given back at the end of the worker",
          &worker->common.returned },
        { "jobs_buried", "counter", "_total", "batches that this worker found dead",
          &worker->common.buried },
        { "jobs_actions", "counter", "_total", "actions that were answered",
          &worker->common.actions },
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
