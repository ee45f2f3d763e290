#include "runner/sessions/pool.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/thread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MEASURE_MS = 1000, /* between two measurements: each reads a file of every process */
    USUAL_PERCENT = 80,
    BEGIN_MS = 60000, /* for the session to open */
};

struct pool {
    struct pool_options options;
    json_t *settings;
    pthread_mutex_t mutex;
    pthread_cond_t emptied;
    uint64_t last_number; /* guarded by the mutex, as is measured_at_ms */
    int64_t measured_at_ms;
    atomic_int running;  /* batches whose sessions have not ended */
    atomic_ullong bytes; /* as measured last */
};

struct pool_batch {
    struct pool *pool;
    struct channel *channel;
};

/* What `run` stops after, a session of a server does not: see sessions_open(). */
static void add_error_limits(json_t *settings)
{
    static const struct br_session_options usual = BR_SESSION_OPTIONS_INIT;
    const struct {
        const char *name;
        int value;
    } limits[] = {
        { "maxConsecutiveErrors", usual.max_consecutive_errors },
        { "totalErrorThreshold", usual.total_error_threshold },
    };
    json_t *session = json_object_get(settings, "session");
    if (!session) {
        session = json_object();
        json_object_set_new(settings, "session", session);
    }
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        if (!json_object_get(session, limits[i].name)) {
            json_object_set_new(session, limits[i].name, json_integer(limits[i].value));
        }
    }
}

struct pool *pool_create(const struct pool_options *options)
{
    struct pool *pool = xcalloc(1, sizeof(*pool));
    pool->options = *options;
    pool->settings = options->settings ? json_deep_copy(options->settings) : json_object();
    add_error_limits(pool->settings);
    if (pool->options.max_running <= 0) {
        pool->options.max_running = 2 * platform_processors();
    }
    if (pool->options.max_running > POOL_MAX_RUNNING) {
        pool->options.max_running = POOL_MAX_RUNNING;
    }
    if (pool->options.max_bytes == 0) {
        pool->options.max_bytes = platform_memory_limit() / 100 * USUAL_PERCENT;
    }
    if (pool->options.recycle_above == 0) {
        pool->options.recycle_above = pool->options.max_bytes / 4 * 3;
    }
    browsers_recycle(sessions_browsers(options->sessions), options->recycle_after,
                     pool->options.recycle_above);
    pool->measured_at_ms = clock_monotonic_ms() - MEASURE_MS;
    pthread_mutex_init(&pool->mutex, NULL);
    condition_init(&pool->emptied);
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool) {
        return;
    }
    mutex_lock(&pool->mutex);
    while (pool->running > 0) {
        pthread_cond_wait(&pool->emptied, &pool->mutex);
    }
    mutex_unlock(&pool->mutex);
    json_decref(pool->settings);
    pthread_cond_destroy(&pool->emptied);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

static void measure(struct pool *pool)
{
    int64_t now_ms = clock_monotonic_ms();
    mutex_lock(&pool->mutex);
    bool is_due = now_ms - pool->measured_at_ms >= MEASURE_MS;
    pool->measured_at_ms = is_due ? now_ms : pool->measured_at_ms;
    mutex_unlock(&pool->mutex);
    if (is_due) {
        pool->bytes = browsers_measure(sessions_browsers(pool->options.sessions));
    }
}

bool pool_has_memory(const struct pool *pool)
{
    return pool->running == 0 || pool->bytes < pool->options.max_bytes;
}

bool pool_has_room(struct pool *pool)
{
    if (pool->running >= pool->options.max_running && pool_has_memory(pool)) {
        return false;
    }
    measure(pool);
    return pool->running < pool->options.max_running && pool_has_memory(pool);
}

int pool_max_running(const struct pool *pool)
{
    return pool->options.max_running;
}

struct pool_batch *pool_begin(struct pool *pool, const char *text, size_t length,
                              const struct channel_options *options, struct br_error *err)
{
    mutex_lock(&pool->mutex);
    uint64_t number = ++pool->last_number;
    mutex_unlock(&pool->mutex);
    CLEANUP_FREE char *name = xasprintf("%s-%" PRIu64, pool->options.name, number);
    struct worker *worker = sessions_open(pool->options.sessions, name, pool->settings, NULL, err);
    if (!worker) {
        return NULL;
    }
    struct pool_batch *batch = xcalloc(1, sizeof(*batch));
    batch->pool = pool;
    batch->channel = channel_open(worker, options);
    worker_release(worker);
    pool->running++;
    channel_feed(batch->channel, text, length, BEGIN_MS);
    return batch;
}

void pool_cancel(struct pool_batch *batch)
{
    struct br_error ignored; /* a cancel of all does not fail */
    channel_cancel(batch->channel, 0, &ignored);
}

/* The session has ended, on its thread. */
static void on_over(void *data)
{
    struct pool *pool = data;
    mutex_lock(&pool->mutex);
    pool->running--;
    pthread_cond_broadcast(&pool->emptied);
    pool->options.on_room(pool->options.data); /* with the mutex: afterwards both may be freed */
    mutex_unlock(&pool->mutex);
}

void pool_end(struct pool_batch *batch)
{
    struct worker *worker = worker_hold(channel_worker(batch->channel));
    channel_close(batch->channel);
    worker_stop(worker, on_over, batch->pool);
    worker_release(worker);
    free(batch);
}

void pool_write_metrics(const struct pool *pool, struct strbuf *text)
{
    strbuf_add_format(text,
                      "# TYPE browser_runner_batches_running gauge\n"
                      "# HELP browser_runner_batches_running Batches that run, of at most %d.\n"
                      "browser_runner_batches_running %d\n"
                      "# TYPE browser_runner_browsers_memory_bytes gauge\n"
                      "# HELP browser_runner_browsers_memory_bytes Memory of the browsers.\n"
                      "browser_runner_browsers_memory_bytes %llu\n"
                      "# TYPE browser_runner_browsers_memory_limit_bytes gauge\n"
                      "# HELP browser_runner_browsers_memory_limit_bytes Above this none begins.\n"
                      "browser_runner_browsers_memory_limit_bytes %" PRIu64 "\n",
                      pool->options.max_running, pool->running, pool->bytes,
                      pool->options.max_bytes);
}
