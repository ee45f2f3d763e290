#include "runner/servers/http/http_server.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/net/service.h"
#include "runner/servers/http/one_shot.h"

#include <inttypes.h>
#include <string.h>

enum {
    CLOSE_MS = 3000,
    CANCEL_MS = 10000,                  /* for a cancelled batch to answer */
    SLACK_MS = 30000,                   /* beyond all other limits, for an answer */
    LOOK_MS = 1000,                     /* until memory is measured again, while requests wait */
    MAX_LINES = 64 * 1024 * 1024,       /* bytes of one answer that are collected */
    MAX_KEPT_BYTES = 128 * 1024 * 1024, /* bytes of answers that are kept, with their requests */
    MAX_KEPT = 10000,                   /* their number */
    MAX_MESSAGE = 10 * 1024 * 1024,     /* as long as a batch may be */
    MORE_CONNECTIONS = 1024, /* than requests that run and wait: probes, and those that join */
    MAX_RETRY_S = 60,
    USUAL_MS = 2000, /* that a batch takes, before there was one */
    SHARE = 8,       /* of the newest batch in the average duration */
};

enum http_job_state {
    JOB_NEW,     /* its instructions are not checked yet */
    JOB_WAITING, /* for room in the pool */
    JOB_RUNNING,
    JOB_DONE, /* all lines are there */
    JOB_KEPT, /* answered, and kept for further requests with its key */
};

/* A connection that waits for the answer of a job. */
struct http_waiter {
    struct http_waiter *next;
    uint64_t connection;
    bool has_begun; /* the first part was sent */
    size_t sent;    /* bytes of the lines */
};

/* A batch, for one request, or for all that have its key. Freed by the server's thread. */
struct http_job {
    struct http_job *next;
    struct http_server *server;
    struct one_shot *ask;
    enum http_job_state state;
    struct http_waiter *waiters;
    struct strbuf lines; /* of a stream without a key: only those that were not sent */
    char *text;          /* the batch, before it runs */
    size_t length;
    struct pool_batch *batch; /* used on the server's thread */
    bool has_failed;          /* the session could not begin; the line says why */
    bool is_cancelled;
    bool is_late;      /* it was cancelled since it ran too long */
    bool is_forgotten; /* requests with its key do not join it, and its answer is not kept */
    int64_t arrived_ms, began_ms;
    struct deadline due; /* the end of its present state */
};

struct http_server {
    struct http_server_options options;
    struct service *service;
    struct net_listener *listener;
    struct pool *pool;
    pthread_mutex_t mutex;          /* guards the following members, and those of the jobs */
    pthread_cond_t ended;           /* signalled when a job has ended */
    struct http_job *first, **last; /* in the order of arrival */
    size_t queued, running;         /* numbers of jobs */
    bool is_draining, is_stopping;
    char *openapi;    /* used on the loop thread; NULL: not requested yet */
    int64_t usual_ms; /* an average of how long batches take */
    uint64_t finished, joined, refused, late, invalid, cancelled;
    int64_t ran_ms, waited_ms; /* of all finished batches */
};

/* Answers. */

static struct net_answer new_answer(void)
{
    return (struct net_answer){ .status = 200,
                                .content_type = "text/plain; charset=utf-8",
                                .body = STRBUF_INIT(STRBUF_UNCAPPED) };
}

/* Returns after how many seconds there should be room. Call with the mutex held. */
static int retry_after_s(const struct http_server *server)
{
    int64_t ms = server->usual_ms * (int64_t)(server->queued + 1) / pool_max_running(server->pool);
    int64_t seconds = (ms + 999) / 1000;
    return seconds < 1 ? 1 : seconds > MAX_RETRY_S ? MAX_RETRY_S : (int)seconds;
}

/* Call with the mutex held. */
static void refuse_overload(const struct http_server *server, int status,
                            const struct br_error *why, struct net_answer *answer)
{
    one_shot_refuse(why, status, answer);
    answer->retry_after_s = retry_after_s(server);
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
    struct net_listener *listener = job->server->listener;
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
    refuse_overload(job->server, status, why, &answer);
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
        net_answer(job->server->listener, waiter->connection, &part);
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
    const struct http_server *server = job->server;
    struct net_answer answer = new_answer();
    one_shot_answer(job->ask, job->lines.data, job->lines.length, &answer);
    if (answer.status == 503 && job->is_late) {
        error_set(&why, BR_TIMEOUT, "the batch ran for %d s, and was cancelled",
                  server->options.batch_ms / 1000);
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
    struct http_server *server = job->server;
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
        mutex_unlock(&server->mutex);
        struct net_answer answer = make_answer(job);
        mutex_lock(&server->mutex);
        answer.retry_after_s = answer.status == 503 ? retry_after_s(server) : 0;
        answer_all(job, &answer);
        strbuf_finish(&answer.body);
    }
}

/* Callbacks of the batch, on the session's thread. */

static void on_line(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length)
{
    struct http_job *job = data;
    struct http_server *server = job->server;
    mutex_lock(&server->mutex);
    job->has_failed |= what == CHANNEL_ANSWER && id == 0; /* of no action: none began */
    strbuf_add(&job->lines, line, length);
    if (is_streaming(job)) {
        send_lines(job, true);
    }
    bool is_too_long = job->lines.overflowed;
    mutex_unlock(&server->mutex);
    if (is_too_long) {
        service_wake(server->service);
    }
}

static void on_done(void *data)
{
    struct http_job *job = data;
    struct http_server *server = job->server;
    mutex_lock(&server->mutex);
    job->state = JOB_DONE;
    mutex_unlock(&server->mutex);
    service_wake(server->service);
}

/* Requests, on the loop thread. */

static struct http_job *find_key(const struct http_server *server, const char *key)
{
    struct http_job *job = server->first;
    while (job && (job->is_forgotten || !one_shot_key(job->ask) ||
                   strcmp(one_shot_key(job->ask), key) != 0)) {
        job = job->next;
    }
    return job;
}

static void add_waiter(struct http_job *job, uint64_t connection)
{
    struct http_waiter *waiter = xcalloc(1, sizeof(*waiter));
    waiter->connection = connection;
    waiter->next = job->waiters;
    job->waiters = waiter;
}

/* Takes ownership of the request. Mutex held. */
static void add_job(struct http_server *server, struct one_shot *ask, uint64_t connection)
{
    struct http_job *job = xcalloc(1, sizeof(*job));
    job->server = server;
    job->ask = ask;
    job->lines = (struct strbuf)STRBUF_INIT(MAX_LINES);
    job->arrived_ms = clock_monotonic_ms();
    job->due = deadline_in_ms(server->options.queue_ms);
    add_waiter(job, connection);
    *server->last = job;
    server->last = &job->next;
    server->queued++;
}

/* Whether another request may wait. Mutex held. */
static bool has_place(const struct http_server *server)
{
    return server->queued + server->running <
           (size_t)pool_max_running(server->pool) + (size_t)server->options.max_queued;
}

/* Returns false, with the answer, if the request is refused. Takes the request. Mutex held. */
static bool admit(struct http_server *server, struct one_shot **ask, uint64_t connection,
                  struct net_answer *answer)
{
    struct br_error why;
    const char *key = one_shot_key(*ask);
    struct http_job *job = key ? find_key(server, key) : NULL;
    if (server->is_draining) {
        error_set(&why, BR_CANCELLED, "the server is shutting down");
        error_hint(&why, "send the request to another one, or later");
        refuse_overload(server, 503, &why, answer);
        return false;
    }
    if (job && !one_shot_equals(job->ask, *ask)) {
        error_set(&why, BR_INVALID_ACTION, "this Idempotency-Key came with another request");
        error_hint(&why, "use one key for one request, and the same request when you repeat it");
        one_shot_refuse(&why, 422, answer);
        return false;
    }
    if (job) {
        server->joined++;
        add_waiter(job, connection);
        return true;
    }
    if (!has_place(server)) {
        server->refused++;
        error_set(&why, BR_RATE_LIMITED, "%zu requests run and %zu wait, which is the maximum",
                  server->running, server->queued);
        error_hint(&why, "send it again after Retry-After");
        refuse_overload(server, 429, &why, answer);
        return false;
    }
    add_job(server, TAKE(*ask), connection);
    return true;
}

static void answer_ready(struct http_server *server, struct net_answer *answer)
{
    mutex_lock(&server->mutex);
    const char *why = server->is_draining              ? "the server is shutting down"
                      : !has_place(server)             ? "as many requests wait as may"
                      : !pool_has_memory(server->pool) ? "the browsers use the memory they may"
                                                       : NULL;
    mutex_unlock(&server->mutex);
    answer->status = why ? 503 : 200;
    answer->is_for_all_origins = true; /* the probes of an orchestrator have no token */
    strbuf_add_format(&answer->body, "%s\n", why ? why : "ready");
}

static void answer_openapi(struct http_server *server, struct net_answer *answer)
{
    if (!server->openapi) {
        json_auto_t *root = one_shot_openapi();
        server->openapi = json_line(root, NULL);
    }
    answer->status = 200;
    answer->content_type = "application/json";
    strbuf_add_string(&answer->body, server->openapi);
}

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    struct http_server *server = data;
    if (strcmp(request->path, "/ready") == 0) {
        answer_ready(server, answer);
        return;
    }
    if (strcmp(request->path, "/openapi.json") == 0 && request->is_allowed) {
        answer_openapi(server, answer);
        return;
    }
    if (!one_shot_is_path(request->path) || !request->is_allowed) {
        return;
    }
    struct one_shot *ask = one_shot_create(request, answer);
    if (!ask) {
        return;
    }
    mutex_lock(&server->mutex);
    answer->is_later = admit(server, &ask, request->id, answer);
    mutex_unlock(&server->mutex);
    one_shot_destroy(ask);
    if (answer->is_later) {
        service_wake(server->service);
    }
}

static void on_closed(void *data, uint64_t id)
{
    struct http_server *server = data;
    bool is_found = false;
    mutex_lock(&server->mutex);
    for (struct http_job *job = server->first; job && !is_found; job = job->next) {
        struct http_waiter **place = &job->waiters;
        while (*place && (*place)->connection != id) {
            place = &(*place)->next;
        }
        struct http_waiter *waiter = *place;
        if (waiter) {
            *place = waiter->next;
            free(waiter);
            is_found = true;
        }
    }
    mutex_unlock(&server->mutex);
    if (is_found) {
        service_wake(server->service);
    }
}

/* Returns for how long the oldest request has waited. Mutex held. */
static int64_t oldest_ms(const struct http_server *server)
{
    for (const struct http_job *job = server->first; job; job = job->next) {
        if (job->state == JOB_NEW || job->state == JOB_WAITING) {
            return clock_monotonic_ms() - job->arrived_ms;
        }
    }
    return 0;
}

static void on_metrics(void *data, struct strbuf *text)
{
    struct http_server *server = data;
    mutex_lock(&server->mutex);
    const struct {
        const char *name, *type, *suffix, *help;
        double value;
    } families[] = {
        { "requests_waiting", "gauge", "", "Requests in the queue.", (double)server->queued },
        { "oldest_waiting_seconds", "gauge", "", "For how long the oldest of them has waited.",
          (double)oldest_ms(server) / 1000 },
        { "requests_refused", "counter", "_total", "Requests refused since the queue was full.",
          (double)server->refused },
        { "requests_late", "counter", "_total", "Requests that waited too long.",
          (double)server->late },
        { "requests_invalid", "counter", "_total", "Requests with invalid instructions.",
          (double)server->invalid },
        { "requests_joined", "counter", "_total", "Requests answered by another one's batch.",
          (double)server->joined },
        { "batches_cancelled", "counter", "_total", "Batches whose client left, or that ran long.",
          (double)server->cancelled },
        { "batches_finished", "counter", "_total", "Batches that have ended.",
          (double)server->finished },
        { "batches_run_seconds", "counter", "_total", "For how long these ran, in all.",
          (double)server->ran_ms / 1000 },
        { "batches_waited_seconds", "counter", "_total", "For how long these waited before.",
          (double)server->waited_ms / 1000 },
    };
    mutex_unlock(&server->mutex);
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        strbuf_add_format(text,
                          "# TYPE browser_runner_%s %s\n# HELP browser_runner_%s %s\n"
                          "browser_runner_%s%s %.15g\n",
                          families[i].name, families[i].type, families[i].name, families[i].help,
                          families[i].name, families[i].suffix, families[i].value);
    }
    pool_write_metrics(server->pool, text);
    sessions_write_metrics(server->options.pool.sessions, text);
}

/* Jobs, on the server's thread, with the mutex held. */

static void free_job(struct http_job *job)
{
    while (job->waiters) {
        free(take_waiter(job));
    }
    one_shot_destroy(job->ask);
    strbuf_finish(&job->lines);
    free(job->text);
    free(job);
}

static void remove_job(struct http_server *server, struct http_job *job)
{
    struct http_job **place = &server->first;
    while (*place != job) {
        place = &(*place)->next;
    }
    *place = job->next;
    server->last = job->next ? server->last : place;
    free_job(job);
    pthread_cond_broadcast(&server->ended);
}

static bool is_abandoned(const struct http_job *job)
{
    return !job->waiters && !one_shot_key(job->ask);
}

/* Ends the session without the mutex, which callbacks of the batch lock. */
static void end_batch(struct http_job *job)
{
    struct http_server *server = job->server;
    struct pool_batch *batch = TAKE(job->batch);
    mutex_unlock(&server->mutex);
    pool_end(batch);
    mutex_lock(&server->mutex);
    server->running--;
}

static void check(struct http_job *job)
{
    struct br_error why;
    struct http_server *server = job->server;
    mutex_unlock(&server->mutex);
    job->text = one_shot_batch(job->ask, &job->length, &why);
    mutex_lock(&server->mutex);
    job->state = JOB_WAITING;
    if (!job->text) {
        server->invalid++;
        server->queued--;
        refuse_all(job, 0, &why);
        remove_job(server, job);
    }
}

/* Begins the job if there is room. */
static void begin(struct http_job *job)
{
    struct br_error why;
    struct http_server *server = job->server;
    const struct channel_options options = {
        .chunk_size = one_shot_is_stream(job->ask) ? server->options.chunk_size : 0,
        .has_progress = server->options.has_progress && one_shot_is_stream(job->ask),
        .has_summary = true,
        .handler = { .data = job, .on_line = on_line, .on_done = on_done },
    };
    mutex_unlock(&server->mutex);
    bool has_room = pool_has_room(server->pool);
    mutex_lock(&server->mutex);
    if (!has_room || server->is_draining) {
        return;
    }
    job->state = JOB_RUNNING;
    job->began_ms = clock_monotonic_ms();
    job->due = deadline_in_ms(server->options.batch_ms);
    server->queued--;
    server->running++; /* at once: when both are 0, http_server_stop() goes on */
    mutex_unlock(&server->mutex);
    job->batch = pool_begin(server->pool, job->text, job->length, &options, &why);
    free(TAKE(job->text));
    mutex_lock(&server->mutex);
    if (!job->batch) {
        server->running--;
        refuse_all(job, 503, &why);
        remove_job(server, job);
    }
}

static void give_up_waiting(struct http_job *job)
{
    struct br_error why;
    struct http_server *server = job->server;
    if (server->is_draining) {
        error_set(&why, BR_CANCELLED, "the server is shutting down");
        error_hint(&why, "send the request to another one, or later");
    } else {
        server->late++;
        error_set(&why, BR_TIMEOUT, "the request waited for %d s, and others still run",
                  server->options.queue_ms / 1000);
        error_hint(&why, "send it again after Retry-After");
    }
    server->queued--;
    refuse_all(job, 503, &why);
    remove_job(server, job);
}

static void wait_on(struct http_job *job)
{
    struct http_server *server = job->server;
    if (is_abandoned(job)) {
        server->queued--;
        server->cancelled++;
        remove_job(server, job);
    } else if (server->is_draining || deadline_passed(job->due)) {
        give_up_waiting(job);
    } else if (job->state == JOB_NEW) {
        check(job);
    }
}

/*
 * Sends those that joined a batch what it has written; cancels one that has run too long, and ends
 * one that does not answer even then.
 */
static void watch(struct http_job *job)
{
    struct br_error why;
    struct http_server *server = job->server;
    if (is_streaming(job)) {
        send_lines(job, true);
    }
    bool is_to_end = job->lines.overflowed || server->is_stopping || deadline_passed(job->due);
    if (is_abandoned(job) || (job->is_cancelled && deadline_passed(job->due))) {
        server->cancelled += !job->is_cancelled;
        end_batch(job);
        error_set(&why, BR_TIMEOUT, "the batch ran for %d s, and could not be cancelled",
                  server->options.batch_ms / 1000);
        refuse_all(job, 504, &why);
        remove_job(server, job);
    } else if (is_to_end && !job->is_cancelled) {
        server->cancelled++;
        job->is_cancelled = true;
        job->is_late = !job->lines.overflowed && !server->is_stopping;
        job->due = deadline_in_ms(CANCEL_MS);
        mutex_unlock(&server->mutex);
        pool_cancel(job->batch);
        mutex_lock(&server->mutex);
    }
}

static void note_times(struct http_server *server, const struct http_job *job)
{
    int64_t ran_ms = clock_monotonic_ms() - job->began_ms;
    server->finished++;
    server->ran_ms += ran_ms;
    server->waited_ms += job->began_ms - job->arrived_ms;
    server->usual_ms += (ran_ms - server->usual_ms) / SHARE;
}

/* What did nothing, failed here, or was cut short by the end of the server, may be repeated. */
static void finish(struct http_job *job)
{
    struct http_server *server = job->server;
    note_times(server, job);
    mutex_unlock(&server->mutex);
    bool is_to_keep =
        one_shot_key(job->ask) && one_shot_is_to_keep(job->ask, job->lines.data, job->lines.length);
    mutex_lock(&server->mutex);
    /* Before the answer is sent: a client that repeats the request at once must not join it. */
    job->is_forgotten = !is_to_keep;
    answer_done(job);
    end_batch(job);
    answer_done(job); /* requests that arrived meanwhile */
    if (!is_to_keep || server->is_stopping) {
        remove_job(server, job);
        return;
    }
    job->state = JOB_KEPT;
    job->due = deadline_in_ms(server->options.keep_ms);
    pthread_cond_broadcast(&server->ended);
}

/* Answers requests that came after the batch, and forgets it in time. */
static void keep(struct http_job *job)
{
    answer_done(job);
    if (deadline_passed(job->due)) {
        remove_job(job->server, job);
    }
}

static size_t kept_bytes(const struct http_job *job)
{
    return job->state == JOB_KEPT ? sizeof(*job) + job->lines.capacity + one_shot_size(job->ask)
                                  : 0;
}

/* Forgets the oldest kept answers beyond the limits. */
static void limit_kept(struct http_server *server)
{
    size_t bytes = 0;
    size_t count = 0;
    for (const struct http_job *job = server->first; job; job = job->next) {
        bytes += kept_bytes(job);
        count += job->state == JOB_KEPT;
    }
    struct http_job *next = NULL;
    for (struct http_job *job = server->first; job && (bytes > MAX_KEPT_BYTES || count > MAX_KEPT);
         job = next) {
        next = job->next;
        if (job->state == JOB_KEPT) {
            bytes -= kept_bytes(job);
            count--;
            remove_job(server, job);
        }
    }
}

/* Each of these may remove the job, and no other one. */
static void attend(struct http_job *job)
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

/* Returns the next job that waits for room. */
static struct http_job *next_waiting(const struct http_server *server)
{
    struct http_job *job = server->first;
    while (job && job->state != JOB_WAITING) {
        job = job->next;
    }
    return job;
}

static void begin_waiting(struct http_server *server)
{
    size_t before = 0;
    do {
        struct http_job *job = next_waiting(server);
        before = server->queued;
        if (job) {
            begin(job);
        }
    } while (server->queued < before);
}

static struct deadline next_due(const struct http_server *server)
{
    bool has_memory = pool_has_memory(server->pool);
    struct deadline due =
        next_waiting(server) || !has_memory ? deadline_in_ms(LOOK_MS) : DEADLINE_NEVER;
    for (const struct http_job *job = server->first; job; job = job->next) {
        due = deadline_earlier(due, job->due);
    }
    return due;
}

static struct deadline on_tick(void *data)
{
    struct http_server *server = data;
    struct deadline swept = sessions_sweep(server->options.pool.sessions);
    if (!pool_has_memory(server->pool)) {
        pool_has_room(server->pool); /* measures again, for /ready */
    }
    mutex_lock(&server->mutex);
    struct http_job *next = NULL;
    for (struct http_job *job = server->first; job; job = next) {
        next = job->next;
        attend(job);
    }
    begin_waiting(server);
    limit_kept(server);
    struct deadline due = next_due(server);
    mutex_unlock(&server->mutex);
    return deadline_earlier(swept, due);
}

/* Start and end. */

/* The batches end before the listener, to which they send their lines. */
static void destroy(struct http_server *server)
{
    sessions_unwatch_ends(server->options.pool.sessions, server->service);
    mutex_lock(&server->mutex);
    for (struct http_job *job = server->first; job; job = job->next) {
        if (job->batch) {
            end_batch(job);
        }
    }
    mutex_unlock(&server->mutex);
    net_listener_close(server->listener, CLOSE_MS);
    while (server->first) {
        struct http_job *job = server->first;
        server->first = job->next;
        free_job(job);
    }
    pool_destroy(server->pool);
    free(server->openapi);
    service_destroy(server->service, 0);
    pthread_cond_destroy(&server->ended);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

static bool listen_on(struct http_server *server, struct loop *loop, struct br_error *err)
{
    const struct http_server_options *options = &server->options;
    struct net_listener_options listener = options->listener;
    listener.name = "http";
    listener.framing = NET_WEBSOCKET;
    listener.limits.max_message = MAX_MESSAGE;
    listener.limits.max_connections =
        (size_t)(pool_max_running(server->pool) + options->max_queued + MORE_CONNECTIONS);
    listener.limits.answer_ms = options->queue_ms + options->batch_ms + CANCEL_MS + SLACK_MS;
    listener.ret_listener = &server->listener;
    listener.handler = (struct net_handler){
        .data = server,
        .on_closed = on_closed,
        .on_request = on_request,
        .takes_bodies = true,
        .headers = one_shot_headers,
        .on_metrics = on_metrics,
    };
    return net_listen(loop, &listener, err);
}

struct http_server *http_server_start(struct loop *loop, const struct http_server_options *options,
                                      struct br_error *err)
{
    struct http_server *server = xcalloc(1, sizeof(*server));
    server->options = *options;
    server->last = &server->first;
    server->usual_ms = USUAL_MS;
    pthread_mutex_init(&server->mutex, NULL);
    condition_init(&server->ended);
    server->service = service_create(loop, on_tick, server);
    server->options.pool.name = "http";
    server->options.pool.on_room = service_wake;
    server->options.pool.data = server->service;
    server->pool = pool_create(&server->options.pool);
    server->options.pool.settings = NULL; /* which the pool has copied */
    sessions_watch_ends(options->pool.sessions, service_wake, server->service);
    if (listen_on(server, loop, err) && service_begin(server->service, err)) {
        return server;
    }
    destroy(server);
    return NULL;
}

struct net_listener *http_server_listener(const struct http_server *server)
{
    return server->listener;
}

void http_server_drain(struct http_server *server)
{
    if (server) {
        mutex_lock(&server->mutex);
        server->is_draining = true;
        mutex_unlock(&server->mutex);
        service_wake(server->service);
    }
}

void http_server_stop(struct http_server *server)
{
    if (!server) {
        return;
    }
    struct deadline deadline = deadline_in_ms(CANCEL_MS + CLOSE_MS);
    mutex_lock(&server->mutex);
    server->is_draining = server->is_stopping = true;
    service_wake(server->service);
    while (server->queued + server->running > 0 &&
           condition_wait(&server->ended, &server->mutex, deadline)) {
    }
    mutex_unlock(&server->mutex);
    service_end(server->service);
    destroy(server);
}
