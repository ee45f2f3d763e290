#include "runner/servers/http/http_jobs.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <string.h>

enum {
    MAX_LINES = 64 * 1024 * 1024, /* bytes of one answer that are collected */
    MAX_RETRY_S = 60,
    SHARE = 8, /* of the newest batch in the average duration */
};

/* Answers. */

static struct net_answer new_answer(void)
{
    return (struct net_answer){ .status = 200,
                                .content_type = "text/plain; charset=utf-8",
                                .body = STRBUF_INIT(STRBUF_UNCAPPED) };
}

/* Returns after how many seconds there should be room. Call with the mutex held. */
static int retry_after_s(const struct http_jobs *jobs)
{
    int64_t ms = jobs->usual_ms * (int64_t)(jobs->queued + 1) / pool_max_running(jobs->pool);
    int64_t seconds = (ms + 999) / 1000;
    return seconds < 1 ? 1 : seconds > MAX_RETRY_S ? MAX_RETRY_S : (int)seconds;
}

void http_jobs_refuse(const struct http_jobs *jobs, int status, const struct br_error *why,
                      struct net_answer *answer)
{
    one_shot_refuse(why, status, answer);
    answer->retry_after_s = retry_after_s(jobs);
}

static struct http_waiter *take_waiter(struct http_job *job)
{
    struct http_waiter *waiter = job->waiters;
    job->waiters = waiter ? waiter->next : NULL;
    return waiter;
}

/* Sends a copy of the answer to each waiting request without a part of it. Mutex held. */
static void answer_all(struct http_job *job, const struct net_answer *answer)
{
    struct net_listener *listener = job->jobs->listener;
    for (struct http_waiter *waiter = take_waiter(job); waiter; waiter = take_waiter(job)) {
        struct net_answer copy = *answer;
        copy.body = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
        if (waiter->has_begun) {
            /* Ended without its last part, so that the client knows. */
            net_close(listener, waiter->connection, 1011, "");
        } else {
            strbuf_add(&copy.body, answer->body.data, answer->body.length);
            net_answer(listener, waiter->connection, &copy);
        }
        free(waiter);
    }
}

static void refuse_all(struct http_job *job, int status, const struct br_error *why)
{
    struct net_answer answer = new_answer();
    http_jobs_refuse(job->jobs, status, why, &answer);
    answer.retry_after_s = status ? answer.retry_after_s : 0;
    answer_all(job, &answer);
    strbuf_finish(&answer.body);
}

static bool is_streaming(const struct http_job *job)
{
    return one_shot_is_stream(job->ask) && !job->has_failed && !job->lines.overflowed;
}

/* Sends each waiting request the lines that it lacks. Mutex held. */
static void send_lines(struct http_job *job, bool has_more)
{
    for (struct http_waiter *waiter = job->waiters; waiter; waiter = waiter->next) {
        struct net_answer part = new_answer();
        if (has_more && waiter->sent == job->lines.length) {
            continue;
        }
        part.content_type = "application/x-ndjson";
        part.has_more = has_more;
        strbuf_add(&part.body, job->lines.data + waiter->sent, job->lines.length - waiter->sent);
        waiter->sent = job->lines.length;
        waiter->has_begun = true;
        net_answer(job->jobs->listener, waiter->connection, &part);
    }
    if (!one_shot_key(job->ask) && job->waiters) {
        strbuf_clear(&job->lines);
        job->waiters->sent = 0;
    }
}

/* Makes an answer of lines that are complete. Call without the mutex. */
static struct net_answer make_answer(const struct http_job *job)
{
    struct br_error why;
    const struct http_jobs *jobs = job->jobs;
    struct net_answer answer = new_answer();
    one_shot_answer(job->ask, job->lines.data, job->lines.length, &answer);
    if (answer.status == 503 && job->is_late) {
        error_set(&why, BR_TIMEOUT, "the batch ran for %d s, and was cancelled",
                  jobs->options->batch_ms / 1000);
        error_hint(&why, "--batch-timeout of the server allows more");
        strbuf_clear(&answer.body);
        one_shot_refuse(&why, 504, &answer);
    }
    return answer;
}

/*
 * Answers with what the batch has written. Mutex held, except while an answer is made of long
 * lines.
 */
static void answer_done(struct http_job *job)
{
    struct br_error err;
    struct http_jobs *jobs = job->jobs;
    if (!job->waiters) {
        return;
    }
    if (job->lines.overflowed) {
        error_set(&err, BR_LIMIT_EXCEEDED, "the answers of the batch exceed %d MB",
                  MAX_LINES / 1024 / 1024);
        error_hint(&err, "ask for fewer pictures, or for lines (application/x-ndjson) without an "
                         "Idempotency-Key");
        refuse_all(job, 0, &err);
    } else if (one_shot_is_stream(job->ask) && !job->has_failed) {
        send_lines(job, false);
        while (job->waiters) {
            free(take_waiter(job));
        }
    } else {
        mutex_unlock(&jobs->mutex);
        struct net_answer answer = make_answer(job);
        mutex_lock(&jobs->mutex);
        answer.retry_after_s = answer.status == 503 ? retry_after_s(jobs) : 0;
        answer_all(job, &answer);
        strbuf_finish(&answer.body);
    }
}

/* Callbacks of the batch, on the session's thread. */

static void on_line(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length)
{
    struct http_job *job = data;
    struct http_jobs *jobs = job->jobs;
    mutex_lock(&jobs->mutex);
    job->has_failed |= what == CHANNEL_ANSWER && id == 0; /* of no action: none began */
    strbuf_add(&job->lines, line, length);
    if (is_streaming(job)) {
        send_lines(job, true);
    }
    bool is_too_long = job->lines.overflowed;
    mutex_unlock(&jobs->mutex);
    if (is_too_long) {
        service_wake(jobs->service);
    }
}

static void on_done(void *data)
{
    struct http_job *job = data;
    struct http_jobs *jobs = job->jobs;
    mutex_lock(&jobs->mutex);
    job->state = JOB_DONE;
    mutex_unlock(&jobs->mutex);
    service_wake(jobs->service);
}

/* Requests. */

void http_job_join(struct http_job *job, uint64_t connection)
{
    struct http_waiter *waiter = xcalloc(1, sizeof(*waiter));
    waiter->connection = connection;
    waiter->next = job->waiters;
    job->waiters = waiter;
}

bool http_job_leave(struct http_job *job, uint64_t connection)
{
    struct http_waiter **place = &job->waiters;
    while (*place && (*place)->connection != connection) {
        place = &(*place)->next;
    }
    struct http_waiter *waiter = *place;
    if (waiter) {
        *place = waiter->next;
        free(waiter);
    }
    return waiter;
}

void http_jobs_add(struct http_jobs *jobs, struct one_shot *ask, uint64_t connection)
{
    struct http_job *job = xcalloc(1, sizeof(*job));
    job->jobs = jobs;
    job->ask = ask;
    job->lines = (struct strbuf)STRBUF_INIT(MAX_LINES);
    job->arrived_ms = clock_monotonic_ms();
    job->due = deadline_in_ms(jobs->options->queue_ms);
    http_job_join(job, connection);
    *jobs->last = job;
    jobs->last = &job->next;
    jobs->queued++;
}

/* The states of a job, on the server's thread. */

void http_job_free(struct http_job *job)
{
    while (job->waiters) {
        free(take_waiter(job));
    }
    one_shot_destroy(job->ask);
    strbuf_finish(&job->lines);
    free(job->text);
    free(job);
}

void http_job_remove(struct http_job *job)
{
    struct http_jobs *jobs = job->jobs;
    struct http_job **place = &jobs->first;
    while (*place != job) {
        place = &(*place)->next;
    }
    *place = job->next;
    jobs->last = job->next ? jobs->last : place;
    http_job_free(job);
    pthread_cond_broadcast(&jobs->ended);
}

static bool is_abandoned(const struct http_job *job)
{
    return !job->waiters && !one_shot_key(job->ask);
}

void http_job_end_batch(struct http_job *job)
{
    struct http_jobs *jobs = job->jobs;
    struct pool_batch *batch = TAKE(job->batch);
    mutex_unlock(&jobs->mutex);
    pool_end(batch);
    mutex_lock(&jobs->mutex);
    jobs->running--;
}

static void check(struct http_job *job)
{
    struct br_error why;
    struct http_jobs *jobs = job->jobs;
    mutex_unlock(&jobs->mutex);
    job->text = one_shot_batch(job->ask, &job->length, &why);
    mutex_lock(&jobs->mutex);
    job->state = JOB_WAITING;
    if (!job->text) {
        jobs->invalid++;
        jobs->queued--;
        refuse_all(job, 0, &why);
        http_job_remove(job);
    }
}

void http_job_begin(struct http_job *job)
{
    struct br_error why;
    struct http_jobs *jobs = job->jobs;
    const struct channel_options options = {
        .chunk_size = one_shot_is_stream(job->ask) ? jobs->options->chunk_size : 0,
        .has_progress = jobs->options->has_progress && one_shot_is_stream(job->ask),
        .has_summary = true,
        .handler = { .data = job, .on_line = on_line, .on_done = on_done },
    };
    mutex_unlock(&jobs->mutex);
    bool has_room = pool_has_room(jobs->pool);
    mutex_lock(&jobs->mutex);
    if (!has_room || jobs->is_draining) {
        return;
    }
    job->state = JOB_RUNNING;
    job->began_ms = clock_monotonic_ms();
    job->due = deadline_in_ms(jobs->options->batch_ms);
    jobs->queued--;
    jobs->running++; /* at once: when both are 0, http_server_stop() goes on */
    mutex_unlock(&jobs->mutex);
    job->batch = pool_begin(jobs->pool, job->text, job->length, &options, &why);
    free(TAKE(job->text));
    mutex_lock(&jobs->mutex);
    if (!job->batch) {
        jobs->running--;
        refuse_all(job, 503, &why);
        http_job_remove(job);
    }
}

static void give_up_waiting(struct http_job *job)
{
    struct br_error why;
    struct http_jobs *jobs = job->jobs;
    if (jobs->is_draining) {
        error_set(&why, BR_CANCELLED, "the server is shutting down");
        error_hint(&why, "send the request to another one, or later");
    } else {
        jobs->late++;
        error_set(&why, BR_TIMEOUT, "the request waited for %d s, and others still run",
                  jobs->options->queue_ms / 1000);
        error_hint(&why, "send it again after Retry-After");
    }
    jobs->queued--;
    refuse_all(job, 503, &why);
    http_job_remove(job);
}

static void wait_on(struct http_job *job)
{
    struct http_jobs *jobs = job->jobs;
    if (is_abandoned(job)) {
        jobs->queued--;
        jobs->cancelled++;
        http_job_remove(job);
    } else if (jobs->is_draining || deadline_passed(job->due)) {
        give_up_waiting(job);
    } else if (job->state == JOB_NEW) {
        check(job);
    }
}

/*
 * Sends new lines to the requests that wait for the batch. Cancels a batch at its deadline, and
 * ends a cancelled batch that does not stop.
 */
static void watch(struct http_job *job)
{
    struct br_error why;
    struct http_jobs *jobs = job->jobs;
    if (is_streaming(job)) {
        send_lines(job, true);
    }
    bool is_to_end = job->lines.overflowed || jobs->is_stopping || deadline_passed(job->due);
    if (is_abandoned(job) || (job->is_cancelled && deadline_passed(job->due))) {
        jobs->cancelled += !job->is_cancelled;
        http_job_end_batch(job);
        error_set(&why, BR_TIMEOUT, "the batch ran for %d s, and could not be cancelled",
                  jobs->options->batch_ms / 1000);
        refuse_all(job, 504, &why);
        http_job_remove(job);
    } else if (is_to_end && !job->is_cancelled) {
        jobs->cancelled++;
        job->is_cancelled = true;
        job->is_late = !job->lines.overflowed && !jobs->is_stopping;
        job->due = deadline_in_ms(HTTP_JOB_CANCEL_MS);
        mutex_unlock(&jobs->mutex);
        pool_cancel(job->batch);
        mutex_lock(&jobs->mutex);
    }
}

static void note_times(struct http_jobs *jobs, const struct http_job *job)
{
    int64_t ran_ms = clock_monotonic_ms() - job->began_ms;
    jobs->finished++;
    jobs->ran_ms += ran_ms;
    jobs->waited_ms += job->began_ms - job->arrived_ms;
    jobs->usual_ms += (ran_ms - jobs->usual_ms) / SHARE;
}

/* What did nothing, failed here, or was cut short by the end of the server, may be repeated. */
static void finish(struct http_job *job)
{
    struct http_jobs *jobs = job->jobs;
    note_times(jobs, job);
    mutex_unlock(&jobs->mutex);
    bool is_to_keep =
        one_shot_key(job->ask) && one_shot_is_to_keep(job->ask, job->lines.data, job->lines.length);
    mutex_lock(&jobs->mutex);
    /* Before the answer is sent: a client that repeats the request at once must not join it. */
    job->is_forgotten = !is_to_keep;
    answer_done(job);
    http_job_end_batch(job);
    answer_done(job); /* requests that arrived meanwhile */
    if (!is_to_keep || jobs->is_stopping) {
        http_job_remove(job);
        return;
    }
    job->state = JOB_KEPT;
    job->due = deadline_in_ms(jobs->options->keep_ms);
    pthread_cond_broadcast(&jobs->ended);
}

/* Answers requests that came after the batch, and forgets it in time. */
static void keep(struct http_job *job)
{
    answer_done(job);
    if (deadline_passed(job->due)) {
        http_job_remove(job);
    }
}

void http_job_attend(struct http_job *job)
{
    switch (job->state) {
    case JOB_NEW:
    case JOB_WAITING:
        wait_on(job);
        break;
    case JOB_RUNNING:
        watch(job);
        break;
    case JOB_DONE:
        finish(job);
        break;
    case JOB_KEPT:
        keep(job);
        break;
    }
}
