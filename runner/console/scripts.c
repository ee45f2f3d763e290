#include "runner/console/scripts.h"

#include "runner/base/clock.h"
#include "runner/base/table.h"
#include "runner/base/thread.h"
#include "runner/base/url_parts.h"
#include "runner/net/bucket.h"
#include "runner/net/http.h"
#include "runner/observe/source_map.h"

#include <pthread.h>
#include <string.h>

enum {
    MAX_SCRIPTS = 64,
    MAX_THREADS = 4, /* each fetches one script */
    MAX_SCRIPT_BYTES = 16 << 20,
    MAX_MAP_BYTES = 16 << 20,
    MAX_KEPT_BYTES = 64 << 20, /* bytes of all maps */
    FETCH_MS = 2000,           /* for a script and its map */
    FRESH_MS = 5000,           /* until a script is fetched again: development servers rebuild */
    FETCH_RATE = 50,           /* scripts a second: pages choose the URLs */
    FETCH_BURST = 200,
};

static const struct server_kind peer = { .name = "the server of a script", .start = "port " };

/* A script to fetch, and the result. */
struct job {
    struct job *next;
    char *url;
    uint64_t known_hash; /* of the text of the map that is kept already; 0: none */
    bool is_answered;    /* false: the script, or the map that it names, could not be fetched */
    bool is_known;       /* the map is the one that is kept already */
    uint64_t hash;
    struct source_map *map; /* NULL: there is none, or it is malformed */
    char *base_url;         /* names in the map are relative to it */
};

struct script {
    char *url;
    uint64_t url_hash;
    bool is_asked;       /* a job for it waits or runs */
    int64_t asked_at_ms; /* of the last job */
    int64_t done_at_ms;
    uint64_t used; /* of struct console_scripts.uses, at the last use */
    uint64_t hash; /* of the map's text */
    struct source_map *map;
    char *base_url;
};

struct console_scripts {
    struct loop *loop;
    const struct policy *policy;
    void (*on_done)(void *data);
    void *data;
    struct script list[MAX_SCRIPTS];
    size_t count;
    uint64_t uses;
    struct bucket bucket;
    atomic_bool is_ending;
    pthread_t threads[MAX_THREADS];
    size_t thread_count;
    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t changed;
    struct job *waiting, *done; /* waiting is in order */
    size_t idle;                /* threads */
};

static void job_destroy(struct job *job)
{
    source_map_destroy(job->map);
    free(job->url);
    free(job->base_url);
    free(job);
}

/* On the threads that fetch. */

static bool is_local(const char *url, struct server_url *ret_server)
{
    struct br_error ignored;
    return strncmp(url, "http://", strlen("http://")) == 0 &&
           server_url_parse(url, ret_server, &ignored) && url_host_is_loopback(ret_server->host);
}

/* Servers of this machine have private addresses. */
static bool is_allowed(const struct policy *policy, const char *url)
{
    struct br_error ignored;
    return policy_check_url(policy, url, &ignored) &&
           policy_check_address(policy, url, true, &ignored);
}

static char *fetch(const struct console_scripts *scripts, const char *url, size_t max_bytes,
                   struct deadline deadline)
{
    struct server_url server;
    struct br_error ignored;
    return is_local(url, &server) && is_allowed(scripts->policy, url)
               ? http_get(scripts->loop, &server, &peer, max_bytes, deadline, &ignored)
               : NULL;
}

/* Parses the map on this thread: 16 MB take longer than the hub should stop for. */
static void take_map(struct job *job, const char *text)
{
    struct br_error ignored;
    size_t length = strlen(text);
    job->is_answered = true;
    job->hash = table_hash_bytes(text, length) | 1;
    job->is_known = job->hash == job->known_hash;
    if (!job->is_known) {
        job->map = source_map_parse(text, length, &ignored);
    }
}

static void fetch_script(const struct console_scripts *scripts, struct job *job)
{
    struct deadline deadline = deadline_in_ms(FETCH_MS);
    deadline.is_off = &scripts->is_ending;
    size_t length = 0;
    char *script = fetch(scripts, job->url, MAX_SCRIPT_BYTES, deadline);
    const char *reference = script ? source_map_reference(script, &length) : NULL;
    CLEANUP_FREE char *named = reference ? xstrndup(reference, length) : NULL;
    job->is_answered = script && !reference;
    free(script);
    if (!named) {
        return;
    }
    bool is_inside = strncmp(named, "data:", strlen("data:")) == 0;
    job->base_url = is_inside ? xstrdup(job->url) : url_parts_resolve(job->url, named);
    CLEANUP_FREE char *text = is_inside ? source_map_inline(named)
                                        : fetch(scripts, job->base_url, MAX_MAP_BYTES, deadline);
    if (text) {
        take_map(job, text);
    }
}

/* NULL: the thread has to end. */
static struct job *next_job(struct console_scripts *scripts)
{
    mutex_lock(&scripts->mutex);
    scripts->idle++;
    while (!scripts->waiting && !atomic_load(&scripts->is_ending)) {
        pthread_cond_wait(&scripts->changed, &scripts->mutex);
    }
    scripts->idle--;
    struct job *job = atomic_load(&scripts->is_ending) ? NULL : scripts->waiting;
    if (job) {
        scripts->waiting = job->next;
    }
    mutex_unlock(&scripts->mutex);
    return job;
}

static void *run(void *data)
{
    struct console_scripts *scripts = data;
    struct job *job;
    while ((job = next_job(scripts))) {
        fetch_script(scripts, job);
        mutex_lock(&scripts->mutex);
        job->next = scripts->done;
        scripts->done = job;
        mutex_unlock(&scripts->mutex);
        scripts->on_done(scripts->data);
    }
    return NULL;
}

static void post(struct console_scripts *scripts, struct job *job)
{
    mutex_lock(&scripts->mutex);
    struct job **last = &scripts->waiting;
    size_t waiting = 1;
    for (; *last; last = &(*last)->next) {
        waiting++;
    }
    *last = job;
    bool needs_thread = waiting > scripts->idle && scripts->thread_count < MAX_THREADS;
    pthread_cond_signal(&scripts->changed);
    mutex_unlock(&scripts->mutex);
    /* If no thread can be started, a running one takes the job; without any, nothing is mapped. */
    if (needs_thread && thread_start(&scripts->threads[scripts->thread_count], run, scripts) == 0) {
        scripts->thread_count++;
    }
}

/* On the caller's thread. */

static void forget_map(struct script *script)
{
    source_map_destroy(TAKE(script->map));
    free(TAKE(script->base_url));
    script->hash = 0;
}

static void forget(struct console_scripts *scripts, struct script *script)
{
    forget_map(script);
    free(script->url);
    *script = scripts->list[--scripts->count];
}

static struct script *find(const struct console_scripts *scripts, const char *url)
{
    uint64_t hash = table_hash_bytes(url, strlen(url));
    for (size_t i = 0; i < scripts->count; i++) {
        const struct script *script = &scripts->list[i];
        if (script->url_hash == hash && strcmp(script->url, url) == 0) {
            return (struct script *)script;
        }
    }
    return NULL;
}

/* The least recently used script that is not being fetched; NULL: there is none. */
static struct script *find_oldest(struct console_scripts *scripts)
{
    struct script *oldest = NULL;
    for (size_t i = 0; i < scripts->count; i++) {
        struct script *script = &scripts->list[i];
        if (!script->is_asked && (!oldest || script->used < oldest->used)) {
            oldest = script;
        }
    }
    return oldest;
}

static struct script *add(struct console_scripts *scripts, const char *url)
{
    struct server_url server;
    struct script *oldest = scripts->count == MAX_SCRIPTS ? find_oldest(scripts) : NULL;
    if (!is_local(url, &server) || (scripts->count == MAX_SCRIPTS && !oldest)) {
        return NULL;
    }
    if (oldest) {
        forget(scripts, oldest);
    }
    struct script *script = &scripts->list[scripts->count++];
    *script =
        (struct script){ .url = xstrdup(url), .url_hash = table_hash_bytes(url, strlen(url)) };
    return script;
}

static void ask(struct console_scripts *scripts, struct script *script, int64_t now_ms)
{
    struct job *job = xcalloc(1, sizeof(*job));
    job->url = xstrdup(script->url);
    job->known_hash = script->hash;
    script->is_asked = true;
    script->asked_at_ms = now_ms;
    post(scripts, job);
}

bool console_scripts_await(struct console_scripts *scripts, const char *url)
{
    int64_t now_ms = clock_monotonic_ms();
    struct script *script = find(scripts, url);
    bool is_fresh = script && script->done_at_ms && now_ms - script->done_at_ms < FRESH_MS;
    if (!is_fresh && !(script && script->is_asked)) {
        bool may_ask = bucket_admits(&scripts->bucket, FETCH_RATE, FETCH_BURST, now_ms);
        script = script || !may_ask ? script : add(scripts, url);
        if (script && may_ask) {
            ask(scripts, script, now_ms);
        }
    }
    if (script) {
        script->used = ++scripts->uses;
    }
    return script && script->is_asked && now_ms - script->asked_at_ms < SCRIPTS_WAIT_MS;
}

/* If fetching failed, the old map stays: the page still runs the old script. */
static void take_job(struct console_scripts *scripts, struct job *job)
{
    struct script *script = find(scripts, job->url);
    if (!script) {
        return;
    }
    script->is_asked = false;
    script->done_at_ms = clock_monotonic_ms();
    if (job->is_answered && !job->is_known) {
        forget_map(script);
        script->hash = job->hash;
        script->map = TAKE(job->map);
        script->base_url = TAKE(job->base_url);
    }
}

static size_t kept_bytes(const struct console_scripts *scripts)
{
    size_t bytes = 0;
    for (size_t i = 0; i < scripts->count; i++) {
        bytes += scripts->list[i].map ? source_map_size(scripts->list[i].map) : 0;
    }
    return bytes;
}

void console_scripts_collect(struct console_scripts *scripts)
{
    mutex_lock(&scripts->mutex);
    struct job *done = TAKE(scripts->done);
    mutex_unlock(&scripts->mutex);
    while (done) {
        struct job *job = done;
        done = job->next;
        take_job(scripts, job);
        job_destroy(job);
    }
    struct script *oldest;
    while (kept_bytes(scripts) > MAX_KEPT_BYTES && (oldest = find_oldest(scripts))) {
        forget(scripts, oldest);
    }
}

char *console_scripts_find(const struct console_scripts *scripts, const char *url, int line,
                           int column)
{
    const struct script *script = find(scripts, url);
    return script && script->map ? source_map_find(script->map, script->base_url, line, column)
                                 : NULL;
}

struct console_scripts *console_scripts_create(struct loop *loop, const struct policy *policy,
                                               void (*on_done)(void *data), void *data)
{
    struct console_scripts *scripts = xcalloc(1, sizeof(*scripts));
    scripts->loop = loop;
    scripts->policy = policy;
    scripts->on_done = on_done;
    scripts->data = data;
    pthread_mutex_init(&scripts->mutex, NULL);
    pthread_cond_init(&scripts->changed, NULL);
    return scripts;
}

static void destroy_jobs(struct job *job)
{
    while (job) {
        struct job *next = job->next;
        job_destroy(job);
        job = next;
    }
}

void console_scripts_destroy(struct console_scripts *scripts)
{
    if (!scripts) {
        return;
    }
    mutex_lock(&scripts->mutex);
    atomic_store(&scripts->is_ending, true);
    pthread_cond_broadcast(&scripts->changed);
    mutex_unlock(&scripts->mutex);
    for (size_t i = 0; i < scripts->thread_count; i++) {
        pthread_join(scripts->threads[i], NULL);
    }
    destroy_jobs(scripts->waiting);
    destroy_jobs(scripts->done);
    while (scripts->count) {
        forget(scripts, &scripts->list[0]);
    }
    pthread_cond_destroy(&scripts->changed);
    pthread_mutex_destroy(&scripts->mutex);
    free(scripts);
}
