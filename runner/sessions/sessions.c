#include "runner/sessions/sessions.h"

#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/response.h"
#include "runner/base/thread.h"
#include "runner/chrome/browser.h"
#include "runner/sessions/browsers.h"
#include "runner/sessions/latency.h"
#include "runner/sessions/settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_NAME = 64 };

struct entry {
    struct entry *next;
    struct sessions *sessions;
    char *name;
    struct worker *worker;
    json_t *settings;              /* owned; NULL: all defaults */
    struct shared_browser *shared; /* NULL until it is open */
};

/* Is called at the end of each session. */
struct watcher {
    struct watcher *next;
    void (*on_end)(void *data);
    void *data;
};

struct sessions {
    void (*on_new)(void *data, struct worker *worker); /* NULL: no callback */
    void *data;
    struct browsers *browsers;
    /* For metrics, which the loop thread writes: it must not wait for a mutex. */
    struct latencies *latencies;
    atomic_size_t entry_count;
    pthread_mutex_t mutex;  /* guards the following members */
    pthread_cond_t changed; /* signalled when a session has ended */
    struct entry *entries;  /* open sessions, and those that are ending */
    struct entry *ended;    /* sessions whose threads have to be joined */
    struct watcher *watchers;
    int64_t idle_since_ms;
};

struct sessions *sessions_create(struct loop *loop, bool browsers_stay)
{
    struct sessions *sessions = xcalloc(1, sizeof(*sessions));
    sessions->browsers = browsers_create(loop, browsers_stay);
    sessions->latencies = latencies_create();
    sessions->idle_since_ms = clock_monotonic_ms();
    pthread_mutex_init(&sessions->mutex, NULL);
    condition_init(&sessions->changed);
    return sessions;
}

/* The worker's handler. Runs on the worker's thread. */

/* Opens a page for actions that need one. */
static bool open_blank(struct br_session *session, struct br_error *err)
{
    static const char start[] = "{\"type\":\"start\",\"url\":\"about:blank\"}";
    CLEANUP_ACTION struct br_action *action = br_action_from_json(start, strlen(start), err);
    CLEANUP_RESPONSE struct br_response *response = br_session_run(session, action);
    *err = response->error;
    return response->success;
}

static struct br_session *open_session(void *data, struct br_error *err)
{
    struct entry *entry = data;
    struct settings settings;
    struct br_session *session = NULL;
    if (settings_read(entry->settings, &settings, err)) {
        const json_t *given = json_object_get(entry->settings, "session");
        if (!json_object_get(given, "maxConsecutiveErrors")) {
            settings.session.max_consecutive_errors = 0;
        }
        if (!json_object_get(given, "totalErrorThreshold")) {
            settings.session.total_error_threshold = 0;
        }
        if (!settings.session.session_id) {
            settings.session.session_id = entry->name;
        }
        struct shared_browser *shared = browsers_acquire(
            entry->sessions->browsers, &settings.browser, &settings.session.policy, given, err);
        session = shared ? br_session_open(browsers_get(shared), &settings.session, err) : NULL;
        if (session && settings.is_blank && !settings.session.tab && !open_blank(session, err)) {
            br_session_close(session);
            session = NULL;
        }
        if (shared && !session) {
            browsers_release(entry->sessions->browsers, shared);
            shared = NULL;
        }
        mutex_lock(&entry->sessions->mutex);
        entry->shared = shared;
        mutex_unlock(&entry->sessions->mutex);
    }
    settings_finish(&settings);
    return session;
}

static void close_session(void *data, struct br_session *session)
{
    struct entry *entry = data;
    br_session_close(session);
    mutex_lock(&entry->sessions->mutex);
    struct shared_browser *shared = TAKE(entry->shared);
    mutex_unlock(&entry->sessions->mutex);
    if (shared) {
        browsers_release(entry->sessions->browsers, shared);
    }
}

static void on_over(void *data, struct worker *worker)
{
    (void)worker;
    struct entry *entry = data;
    struct sessions *sessions = entry->sessions;
    mutex_lock(&sessions->mutex);
    struct entry **place = &sessions->entries;
    while (*place != entry) {
        place = &(*place)->next;
    }
    *place = entry->next;
    sessions->entry_count--;
    entry->next = sessions->ended;
    sessions->ended = entry;
    for (const struct watcher *watcher = sessions->watchers; watcher; watcher = watcher->next) {
        watcher->on_end(watcher->data);
    }
    pthread_cond_broadcast(&sessions->changed);
    mutex_unlock(&sessions->mutex);
}

static void on_action(void *data, const struct br_action_change *action)
{
    const struct entry *entry = data;
    latencies_add(entry->sessions->latencies, action->type, action->success, action->duration_ms);
}

static void free_entries(struct entry *entry)
{
    while (entry) {
        struct entry *next = entry->next;
        worker_join(entry->worker);
        worker_release(entry->worker);
        json_decref(entry->settings);
        free(entry->name);
        free(entry);
        entry = next;
    }
}

static bool check_name(const char *name, struct br_error *err)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (*name && strlen(name) <= MAX_NAME && name[strspn(name, known)] == '\0') {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "\"%.*s\" is not a valid session name", MAX_NAME, name);
    return error_hint(err, "1 to %d letters, digits, \".\", \"_\" and \"-\"", MAX_NAME);
}

static bool check_settings(const json_t *settings, struct br_error *err)
{
    struct settings ignored;
    bool is_fine = settings_read(settings, &ignored, err);
    settings_finish(&ignored);
    return is_fine;
}

/* Finds a session by name, except one that is ending. Call with the mutex held. */
static struct entry *find_entry(struct sessions *sessions, const char *name)
{
    struct entry *entry = sessions->entries;
    while (entry &&
           (strcmp(worker_name(entry->worker), name) != 0 || worker_is_stopping(entry->worker))) {
        entry = entry->next;
    }
    return entry;
}

/* Whether the existing session was opened with the requested settings. */
static bool check_same(const struct entry *entry, const json_t *settings, struct br_error *err)
{
    static const char *const parts[] = { "browser", "session" };
    const char *member;
    json_t *value;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const json_t *present = json_object_get(entry->settings, parts[i]);
        json_object_foreach (json_object_get(settings, parts[i]), member, value) {
            if (!json_equal(value, json_object_get(present, member))) {
                error_set(err, BR_INVALID_ACTION, "the session %s is open with another %s: %s",
                          worker_name(entry->worker), i == 0 ? "browser" : "setting", member);
                return error_hint(
                    err, "remove that option, stop the session first, or use another name");
            }
        }
    }
    return true;
}

/* Call with the mutex held. */
static struct entry *add_entry(struct sessions *sessions, const char *name, const json_t *settings,
                               struct br_error *err)
{
    size_t count = sessions->entry_count;
    if (count >= SESSIONS_MAX) {
        error_set(err, BR_LIMIT_EXCEEDED, "%zu sessions are open, which is the maximum", count);
        error_hint(err, "stop sessions that are not needed");
        return NULL;
    }
    struct entry *entry = xcalloc(1, sizeof(*entry));
    const struct worker_handler handler = {
        .data = entry,
        .open = open_session,
        .close = close_session,
        .on_over = on_over,
        .on_action = on_action,
    };
    entry->sessions = sessions;
    entry->name = xstrdup(name);
    entry->settings = settings ? json_deep_copy(settings) : NULL;
    entry->worker = worker_start(name, &handler, err);
    if (!entry->worker) {
        json_decref(entry->settings);
        free(entry->name);
        free(entry);
        return NULL;
    }
    entry->next = sessions->entries;
    sessions->entries = entry;
    sessions->entry_count++;
    return entry;
}

void sessions_watch(struct sessions *sessions, void (*on_new)(void *data, struct worker *worker),
                    void *data)
{
    sessions->on_new = on_new;
    sessions->data = data;
}

void sessions_watch_ends(struct sessions *sessions, void (*on_end)(void *data), void *data)
{
    struct watcher *watcher = xcalloc(1, sizeof(*watcher));
    watcher->on_end = on_end;
    watcher->data = data;
    mutex_lock(&sessions->mutex);
    watcher->next = sessions->watchers;
    sessions->watchers = watcher;
    mutex_unlock(&sessions->mutex);
}

void sessions_unwatch_ends(struct sessions *sessions, const void *data)
{
    mutex_lock(&sessions->mutex);
    struct watcher **place = &sessions->watchers;
    while (*place && (*place)->data != data) {
        place = &(*place)->next;
    }
    struct watcher *watcher = *place;
    if (watcher) {
        *place = watcher->next;
    }
    mutex_unlock(&sessions->mutex);
    free(watcher);
}

struct worker *sessions_open(struct sessions *sessions, const char *name, const json_t *settings,
                             bool *ret_is_new, struct br_error *err)
{
    if (!check_name(name, err) || !check_settings(settings, err)) {
        return NULL;
    }
    mutex_lock(&sessions->mutex);
    struct entry *entry = find_entry(sessions, name);
    bool is_new = !entry;
    if (!entry) {
        entry = add_entry(sessions, name, settings, err);
    } else if (!ret_is_new) {
        entry = NULL;
        error_set(err, BR_INVALID_ACTION, "a session called %s is there already", name);
        error_hint(err, "another server has opened it: use another name");
    } else if (!check_same(entry, settings, err)) {
        entry = NULL;
    }
    struct worker *worker = entry ? worker_hold(entry->worker) : NULL;
    mutex_unlock(&sessions->mutex);
    if (ret_is_new) {
        *ret_is_new = is_new;
    }
    if (worker && is_new && sessions->on_new) {
        sessions->on_new(sessions->data, worker);
    }
    return worker;
}

size_t sessions_all(struct sessions *sessions, struct worker ***ret_workers)
{
    struct worker **workers = NULL;
    size_t count = 0;
    size_t capacity = 0;
    mutex_lock(&sessions->mutex);
    for (struct entry *entry = sessions->entries; entry; entry = entry->next) {
        workers = array_reserve(workers, count, &capacity, sizeof(struct worker *));
        workers[count++] = worker_hold(entry->worker);
    }
    mutex_unlock(&sessions->mutex);
    *ret_workers = workers;
    return count;
}

/* Hints at the nearest existing session, or all of them. */
static void hint_at_names(struct sessions *sessions, const char *name, struct br_error *err)
{
    struct worker **workers = NULL;
    size_t count = sessions_all(sessions, &workers);
    CLEANUP_FREE const char **names = xcalloc(count + 1, sizeof(*names));
    for (size_t i = 0; i < count; i++) {
        names[i] = worker_name(workers[i]);
    }
    const char *nearest = names_nearest(name, names, count);
    if (nearest) {
        error_hint(err, "did you mean %s?", nearest);
    } else if (count) {
        error_hint(err, "session list lists the open ones; session start %s opens it", name);
    } else {
        error_hint(err, "no session is open; session start %s opens it", name);
    }
    for (size_t i = 0; i < count; i++) {
        worker_release(workers[i]);
    }
    free(workers);
}

struct worker *sessions_find(struct sessions *sessions, const char *name, struct br_error *err)
{
    mutex_lock(&sessions->mutex);
    struct entry *entry = find_entry(sessions, name);
    struct worker *worker = entry ? worker_hold(entry->worker) : NULL;
    mutex_unlock(&sessions->mutex);
    if (!worker) {
        error_set(err, BR_INVALID_ACTION, "no session is called \"%.*s\"", MAX_NAME, name);
        hint_at_names(sessions, name, err);
    }
    return worker;
}

json_t *sessions_describe(struct sessions *sessions, struct worker *worker)
{
    json_t *object = worker_describe(worker);
    pid_t pid = 0;
    mutex_lock(&sessions->mutex);
    for (const struct entry *entry = sessions->entries; entry; entry = entry->next) {
        if (entry->worker == worker) {
            json_t *browser = json_object_get(entry->settings, "browser");
            json_t *session = json_object_get(entry->settings, "session");
            json_object_set_new(object, "connect",
                                json_deep_copy(json_object_get(browser, "connect")));
            json_object_set_new(object, "profile",
                                json_deep_copy(json_object_get(browser, "profile")));
            json_object_set_new(object, "isolated",
                                json_deep_copy(json_object_get(session, "isolated")));
            pid = entry->shared ? browser_pid(browsers_get(entry->shared)) : 0;
        }
    }
    mutex_unlock(&sessions->mutex);
    if (pid) {
        json_object_set_new(object, "browserPid", json_integer(pid));
        json_object_set_new(object, "memoryBytes", json_integer((json_int_t)browsers_memory(pid)));
    }
    return object;
}

struct deadline sessions_sweep(struct sessions *sessions)
{
    struct deadline due = DEADLINE_NEVER;
    mutex_lock(&sessions->mutex);
    struct entry *ended = TAKE(sessions->ended);
    mutex_unlock(&sessions->mutex);
    free_entries(ended);
    struct worker **workers = NULL;
    size_t count = sessions_all(sessions, &workers);
    for (size_t i = 0; i < count; i++) {
        due = deadline_earlier(due, worker_sweep(workers[i]));
        worker_release(workers[i]);
    }
    free(workers);
    return due;
}

int64_t sessions_idle_ms(struct sessions *sessions)
{
    int64_t now_ms = clock_monotonic_ms();
    struct worker **workers = NULL;
    size_t count = sessions_all(sessions, &workers);
    int64_t idle_ms = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        int64_t of_one = worker_idle_ms(workers[i]);
        idle_ms = of_one < idle_ms ? of_one : idle_ms;
        worker_release(workers[i]);
    }
    free(workers);
    mutex_lock(&sessions->mutex);
    if (count) {
        sessions->idle_since_ms = now_ms; /* if this was the last one */
    } else {
        idle_ms = now_ms - sessions->idle_since_ms;
    }
    mutex_unlock(&sessions->mutex);
    return idle_ms;
}

struct browsers *sessions_browsers(struct sessions *sessions)
{
    return sessions->browsers;
}

void sessions_write_metrics(struct sessions *sessions, struct strbuf *text)
{
    strbuf_add_format(text,
                      "# TYPE browser_runner_sessions gauge\n"
                      "# HELP browser_runner_sessions Sessions that are open.\n"
                      "browser_runner_sessions %zu\n",
                      sessions->entry_count);
    browsers_write_metrics(sessions->browsers, text);
    latencies_write(sessions->latencies, text);
}

void sessions_destroy(struct sessions *sessions)
{
    struct worker **workers = NULL;
    size_t count = sessions_all(sessions, &workers);
    for (size_t i = 0; i < count; i++) {
        worker_stop(workers[i], NULL, NULL);
        worker_release(workers[i]);
    }
    free(workers);
    mutex_lock(&sessions->mutex);
    while (sessions->entries) {
        pthread_cond_wait(&sessions->changed, &sessions->mutex);
    }
    mutex_unlock(&sessions->mutex);
    free_entries(sessions->ended);
    while (sessions->watchers) {
        struct watcher *watcher = sessions->watchers;
        sessions->watchers = watcher->next;
        free(watcher);
    }
    browsers_destroy(sessions->browsers);
    latencies_destroy(sessions->latencies);
    pthread_cond_destroy(&sessions->changed);
    pthread_mutex_destroy(&sessions->mutex);
    free(sessions);
}
