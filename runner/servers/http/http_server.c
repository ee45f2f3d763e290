#include "runner/servers/http/http_server.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/servers/http/http_jobs.h"

#include <string.h>

enum {
    CLOSE_MS = 3000,
    SLACK_MS = 30000,                   /* beyond all other limits, for an answer */
    LOOK_MS = 1000,                     /* until memory is measured again, while requests wait */
    MAX_KEPT_BYTES = 128 * 1024 * 1024, /* bytes of answers that are kept, with their requests */
    MAX_KEPT = 10000,                   /* their number */
    MAX_MESSAGE = 10 * 1024 * 1024,     /* as long as a batch may be */
    MORE_CONNECTIONS = 1024, /* than requests that run and wait: probes, and those that join */
    USUAL_MS = 2000,         /* that a batch takes, before there was one */
};

struct http_server {
    struct http_server_options options;
    struct http_jobs jobs;
    char *openapi; /* used on the loop thread; NULL: not requested yet */
};

/* Requests, on the loop thread. */

static struct http_job *find_key(const struct http_jobs *jobs, const char *key)
{
    struct http_job *job = jobs->first;
    while (job && (job->is_forgotten || !one_shot_key(job->ask) ||
                   strcmp(one_shot_key(job->ask), key) != 0)) {
        job = job->next;
    }
    return job;
}

/* Whether another request may wait. Mutex held. */
static bool has_place(const struct http_jobs *jobs)
{
    return jobs->queued + jobs->running <
           (size_t)pool_max_running(jobs->pool) + (size_t)jobs->options->max_queued;
}

/* Returns false, with the answer, if the request is refused. Takes the request. Mutex held. */
static bool admit(struct http_jobs *jobs, struct one_shot **ask, uint64_t connection,
                  struct net_answer *answer)
{
    struct br_error why;
    const char *key = one_shot_key(*ask);
    struct http_job *job = key ? find_key(jobs, key) : NULL;
    if (jobs->is_draining) {
        error_set(&why, BR_CANCELLED, "the server is shutting down");
        error_hint(&why, "send the request to another one, or later");
        http_jobs_refuse(jobs, 503, &why, answer);
        return false;
    }
    if (job && !one_shot_equals(job->ask, *ask)) {
        error_set(&why, BR_INVALID_ACTION, "this Idempotency-Key came with another request");
        error_hint(&why, "use one key for one request, and the same request when you repeat it");
        one_shot_refuse(&why, 422, answer);
        return false;
    }
    if (job) {
        jobs->joined++;
        http_job_join(job, connection);
        return true;
    }
    if (!has_place(jobs)) {
        jobs->refused++;
        error_set(&why, BR_RATE_LIMITED, "%zu requests run and %zu wait, which is the maximum",
                  jobs->running, jobs->queued);
        error_hint(&why, "send it again after Retry-After");
        http_jobs_refuse(jobs, 429, &why, answer);
        return false;
    }
    http_jobs_add(jobs, TAKE(*ask), connection);
    return true;
}

static void answer_ready(struct http_jobs *jobs, struct net_answer *answer)
{
    mutex_lock(&jobs->mutex);
    const char *why = jobs->is_draining              ? "the server is shutting down"
                      : !has_place(jobs)             ? "as many requests wait as may"
                      : !pool_has_memory(jobs->pool) ? "the browsers use the memory they may"
                                                     : NULL;
    mutex_unlock(&jobs->mutex);
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
    struct http_jobs *jobs = &server->jobs;
    if (strcmp(request->path, "/ready") == 0) {
        answer_ready(jobs, answer);
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
    mutex_lock(&jobs->mutex);
    answer->is_later = admit(jobs, &ask, request->id, answer);
    mutex_unlock(&jobs->mutex);
    one_shot_destroy(ask);
    if (answer->is_later) {
        service_wake(jobs->service);
    }
}

static void on_closed(void *data, uint64_t id)
{
    struct http_server *server = data;
    struct http_jobs *jobs = &server->jobs;
    bool is_found = false;
    mutex_lock(&jobs->mutex);
    for (struct http_job *job = jobs->first; job && !is_found; job = job->next) {
        is_found = http_job_leave(job, id);
    }
    mutex_unlock(&jobs->mutex);
    if (is_found) {
        service_wake(jobs->service);
    }
}

/* Returns for how long the oldest request has waited. Mutex held. */
static int64_t oldest_ms(const struct http_jobs *jobs)
{
    for (const struct http_job *job = jobs->first; job; job = job->next) {
        if (job->state == JOB_NEW || job->state == JOB_WAITING) {
            return clock_monotonic_ms() - job->arrived_ms;
        }
    }
    return 0;
}

static void on_metrics(void *data, struct strbuf *text)
{
    struct http_server *server = data;
    struct http_jobs *jobs = &server->jobs;
    mutex_lock(&jobs->mutex);
    const struct {
        const char *name, *type, *suffix, *help;
        double value;
    } families[] = {
        { "requests_waiting", "gauge", "", "Requests in the queue.", (double)jobs->queued },
        { "oldest_waiting_seconds", "gauge", "", "For how long the oldest of them has waited.",
          (double)oldest_ms(jobs) / 1000 },
        { "requests_refused", "counter", "_total", "Requests refused since the queue was full.",
          (double)jobs->refused },
        { "requests_late", "counter", "_total", "Requests that waited too long.",
          (double)jobs->late },
        { "requests_invalid", "counter", "_total", "Requests with invalid instructions.",
          (double)jobs->invalid },
        { "requests_joined", "counter", "_total", "Requests answered by another one's batch.",
          (double)jobs->joined },
        { "batches_cancelled", "counter", "_total", "Batches whose client left, or that ran long.",
          (double)jobs->cancelled },
        { "batches_finished", "counter", "_total", "Batches that have ended.",
          (double)jobs->finished },
        { "batches_run_seconds", "counter", "_total", "For how long these ran, in all.",
          (double)jobs->ran_ms / 1000 },
        { "batches_waited_seconds", "counter", "_total", "For how long these waited before.",
          (double)jobs->waited_ms / 1000 },
    };
    mutex_unlock(&jobs->mutex);
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        strbuf_add_format(text,
                          "# TYPE browser_runner_%s %s\n# HELP browser_runner_%s %s\n"
                          "browser_runner_%s%s %.15g\n",
                          families[i].name, families[i].type, families[i].name, families[i].help,
                          families[i].name, families[i].suffix, families[i].value);
    }
    pool_write_metrics(jobs->pool, text);
    sessions_write_metrics(server->options.pool.sessions, text);
}

/* All jobs, on the server's thread, with the mutex held. */

static size_t kept_bytes(const struct http_job *job)
{
    return job->state == JOB_KEPT ? sizeof(*job) + job->lines.capacity + one_shot_size(job->ask)
                                  : 0;
}

/* Forgets the oldest kept answers beyond the limits. */
static void limit_kept(struct http_jobs *jobs)
{
    size_t bytes = 0;
    size_t count = 0;
    for (const struct http_job *job = jobs->first; job; job = job->next) {
        bytes += kept_bytes(job);
        count += job->state == JOB_KEPT;
    }
    struct http_job *next = NULL;
    for (struct http_job *job = jobs->first; job && (bytes > MAX_KEPT_BYTES || count > MAX_KEPT);
         job = next) {
        next = job->next;
        if (job->state == JOB_KEPT) {
            bytes -= kept_bytes(job);
            count--;
            http_job_remove(job);
        }
    }
}

/* Returns the next job that waits for room. */
static struct http_job *next_waiting(const struct http_jobs *jobs)
{
    struct http_job *job = jobs->first;
    while (job && job->state != JOB_WAITING) {
        job = job->next;
    }
    return job;
}

static void begin_waiting(struct http_jobs *jobs)
{
    size_t before = 0;
    do {
        struct http_job *job = next_waiting(jobs);
        before = jobs->queued;
        if (job) {
            http_job_begin(job);
        }
    } while (jobs->queued < before);
}

static struct deadline next_due(const struct http_jobs *jobs)
{
    bool has_memory = pool_has_memory(jobs->pool);
    struct deadline due =
        next_waiting(jobs) || !has_memory ? deadline_in_ms(LOOK_MS) : DEADLINE_NEVER;
    for (const struct http_job *job = jobs->first; job; job = job->next) {
        due = deadline_earlier(due, job->due);
    }
    return due;
}

static struct deadline on_tick(void *data)
{
    struct http_server *server = data;
    struct http_jobs *jobs = &server->jobs;
    struct deadline swept = sessions_sweep(server->options.pool.sessions);
    if (!pool_has_memory(jobs->pool)) {
        pool_has_room(jobs->pool); /* measures again, for /ready */
    }
    mutex_lock(&jobs->mutex);
    struct http_job *next = NULL;
    for (struct http_job *job = jobs->first; job; job = next) {
        next = job->next;
        http_job_attend(job);
    }
    begin_waiting(jobs);
    limit_kept(jobs);
    struct deadline due = next_due(jobs);
    mutex_unlock(&jobs->mutex);
    return deadline_earlier(swept, due);
}

/* Start and end. */

/* The batches end before the listener, to which they send their lines. */
static void destroy(struct http_server *server)
{
    struct http_jobs *jobs = &server->jobs;
    sessions_unwatch_ends(server->options.pool.sessions, jobs->service);
    mutex_lock(&jobs->mutex);
    for (struct http_job *job = jobs->first; job; job = job->next) {
        if (job->batch) {
            http_job_end_batch(job);
        }
    }
    mutex_unlock(&jobs->mutex);
    net_listener_close(jobs->listener, CLOSE_MS);
    while (jobs->first) {
        struct http_job *job = jobs->first;
        jobs->first = job->next;
        http_job_free(job);
    }
    pool_destroy(jobs->pool);
    free(server->openapi);
    service_destroy(jobs->service, 0);
    pthread_cond_destroy(&jobs->ended);
    pthread_mutex_destroy(&jobs->mutex);
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
        (size_t)(pool_max_running(server->jobs.pool) + options->max_queued + MORE_CONNECTIONS);
    listener.limits.answer_ms =
        options->queue_ms + options->batch_ms + HTTP_JOB_CANCEL_MS + SLACK_MS;
    listener.ret_listener = &server->jobs.listener;
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
    struct http_jobs *jobs = &server->jobs;
    server->options = *options;
    jobs->options = &server->options;
    jobs->last = &jobs->first;
    jobs->usual_ms = USUAL_MS;
    pthread_mutex_init(&jobs->mutex, NULL);
    condition_init(&jobs->ended);
    jobs->service = service_create(loop, on_tick, server);
    server->options.pool.name = "http";
    server->options.pool.on_room = service_wake;
    server->options.pool.data = jobs->service;
    jobs->pool = pool_create(&server->options.pool);
    server->options.pool.settings = NULL; /* which the pool has copied */
    sessions_watch_ends(options->pool.sessions, service_wake, jobs->service);
    if (listen_on(server, loop, err) && service_begin(jobs->service, err)) {
        return server;
    }
    destroy(server);
    return NULL;
}

struct net_listener *http_server_listener(const struct http_server *server)
{
    return server->jobs.listener;
}

void http_server_drain(struct http_server *server)
{
    if (server) {
        mutex_lock(&server->jobs.mutex);
        server->jobs.is_draining = true;
        mutex_unlock(&server->jobs.mutex);
        service_wake(server->jobs.service);
    }
}

void http_server_stop(struct http_server *server)
{
    if (!server) {
        return;
    }
    struct http_jobs *jobs = &server->jobs;
    struct deadline deadline = deadline_in_ms(HTTP_JOB_CANCEL_MS + CLOSE_MS);
    mutex_lock(&jobs->mutex);
    jobs->is_draining = jobs->is_stopping = true;
    service_wake(jobs->service);
    while (jobs->queued + jobs->running > 0 &&
           condition_wait(&jobs->ended, &jobs->mutex, deadline)) {
    }
    mutex_unlock(&jobs->mutex);
    service_end(jobs->service);
    destroy(server);
}
