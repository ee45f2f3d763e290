#include "runner/sessions/sessions.h"

#include "profiles/profile.h"
#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/platform.h"
#include "runner/base/policy.h"
#include "runner/base/response.h"
#include "runner/base/thread.h"
#include "runner/chrome/browser.h"
#include "runner/sessions/latency.h"
#include "runner/sessions/settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_NAME = 64,
    CLOSING_MS = 20000, /* longest wait for a browser that is ending; its own limit is shorter */
};

/* A browser that sessions share. */
struct shared {
    struct shared *next;
    char *key; /* the key by which it is shared; NULL: not shared */
    struct br_browser *browser;
    size_t users;
    unsigned begun;  /* number of its users so far */
    uint64_t bytes;  /* of memory, when it was last measured */
    json_t *options; /* the options of the browser with which it was opened */
    json_t *rules;   /* rules about URLs of all its sessions; NULL: none */
    bool is_closing;
};

struct entry {
    struct entry *next;
    struct sessions *sessions;
    char *name;
    struct worker *worker;
    json_t *settings;      /* owned; NULL: all defaults */
    struct shared *shared; /* NULL until it is open */
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
    struct loop *loop;
    bool browsers_stay;
    /* For metrics, which the loop thread writes: it must not wait for a mutex. */
    struct latencies *latencies;
    atomic_size_t entry_count, browser_count;
    atomic_ullong starts;   /* of browsers, also of those that are now closed */
    atomic_ullong recycled; /* browsers that were replaced */
    pthread_mutex_t mutex;  /* guards the following members */
    pthread_cond_t changed; /* signalled when a browser was closed or a session has ended */
    struct entry *entries;  /* open sessions, and those that are ending */
    struct entry *ended;    /* sessions whose threads have to be joined */
    struct watcher *watchers;
    struct shared *browsers;
    unsigned recycle_after; /* sessions; 0: never */
    uint64_t recycle_above; /* bytes; 0: never */
    int64_t idle_since_ms;
};

struct sessions *sessions_create(struct loop *loop, bool browsers_stay)
{
    struct sessions *sessions = xcalloc(1, sizeof(*sessions));
    sessions->loop = loop;
    sessions->browsers_stay = browsers_stay;
    sessions->latencies = latencies_create();
    sessions->idle_since_ms = clock_monotonic_ms();
    pthread_mutex_init(&sessions->mutex, NULL);
    condition_init(&sessions->changed);
    return sessions;
}

/*
 * Returns in *ret_key the key by which a browser is shared: "connect:URL" or "profile:PATH"; NULL:
 * not shared. Caller frees.
 */
static bool browser_key(const struct sessions *sessions, const struct br_browser_options *options,
                        const json_t *rules, char **ret_key, struct br_error *err)
{
    if (options->temp_profile) {
        /*
         * A temporary profile goes with its browser: a browser that stays can be shared, under the
         * same rules.
         */
        CLEANUP_FREE char *text = rules ? json_dumps(rules, JSON_COMPACT) : NULL;
        *ret_key = sessions->browsers_stay ? xasprintf("temporary:%s", text ? text : "") : NULL;
        return true;
    }
    if (options->connect) {
        *ret_key = xasprintf("connect:%s", options->connect);
        return true;
    }
    CLEANUP_FREE char *directory = options->profile
                                       ? profile_directory_absolute(options->profile, err)
                                       : profile_project_directory(options->project, err);
    *ret_key = directory ? xasprintf("profile:%s", directory) : NULL;
    return directory;
}

/* Call with the mutex held. */
static struct shared *find_shared(struct sessions *sessions, const char *key)
{
    struct shared *shared = sessions->browsers;
    while (shared && (!key || !shared->key || strcmp(shared->key, key) != 0)) {
        shared = shared->next;
    }
    return shared;
}

/* Call with the mutex held. */
static struct shared *add_shared(struct sessions *sessions, char *key,
                                 const struct br_browser_options *given, struct br_error *err)
{
    struct br_browser_options options = *given;
    /* TLS needs memory that a shared loop has not allocated. */
    bool has_tls = given->connect && (strncmp(given->connect, "https:", 6) == 0 ||
                                      strncmp(given->connect, "wss:", 4) == 0);
    options.stays = sessions->browsers_stay;
    options.wording = BR_WORDING_COMMAND_LINE;
    struct br_browser *browser = browser_open_on(has_tls ? NULL : sessions->loop, &options, err);
    if (!browser) {
        free(key);
        return NULL;
    }
    struct shared *shared = xcalloc(1, sizeof(*shared));
    json_auto_t *written = settings_write(given, &(struct br_session_options){ 0 });
    shared->key = key;
    shared->browser = browser;
    shared->options = json_incref(json_object_get(written, "browser"));
    shared->next = sessions->browsers;
    sessions->browsers = shared;
    sessions->browser_count++;
    browser_count_starts(browser, &sessions->starts);
    return shared;
}

/*
 * Targets that pages of one context share, such as workers, are checked by the session that sees
 * them first: other sessions in that browser must have the same rules.
 */
static bool may_share(const struct shared *shared, const json_t *rules, struct br_error *err)
{
    if (shared->users == 0 || (!rules && !shared->rules) ||
        (rules && shared->rules && json_equal(rules, shared->rules))) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION,
              "sessions that share a browser must have the same rules about URLs, and another one "
              "in it has %s",
              shared->rules ? "other rules" : "none");
    return error_hint(err, "use a separate profile: --temp-profile, or another --project");
}

/*
 * Whether the browser has what these options say; what they do not name may differ. Names the first
 * option that it was not opened with, which would have no effect.
 */
static bool is_as_asked(const struct shared *shared, const struct br_browser_options *options,
                        struct br_error *err)
{
    static const struct {
        const char *member, *option;
    } names[] = {
        { "chrome", "chrome" },         { "headed", "headed" },
        { "noSandbox", "no-sandbox" },  { "stablePixels", "stable-pixels" },
        { "chromeArgs", "chrome-arg" },
    };
    json_auto_t *written = settings_write(options, &(struct br_session_options){ 0 });
    const json_t *wanted = json_object_get(written, "browser");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const json_t *value = json_object_get(wanted, names[i].member);
        bool is_implied = strcmp(names[i].member, "noSandbox") == 0 && geteuid() == 0;
        if (value && !is_implied &&
            !json_equal(value, json_object_get(shared->options, names[i].member))) {
            error_set(err, BR_INVALID_ACTION,
                      "another session uses the browser of this profile, and it was started with "
                      "another --%s",
                      names[i].option);
            return error_hint(err,
                              "omit --%s, stop the other sessions first, or use a separate "
                              "profile: --temp-profile, or another --project",
                              names[i].option);
        }
    }
    return true;
}

/* Call with the mutex held. */
static bool is_worn(const struct sessions *sessions, const struct shared *shared)
{
    return (sessions->recycle_after && shared->begun >= sessions->recycle_after) ||
           (sessions->recycle_above && shared->bytes > sessions->recycle_above);
}

/*
 * Returns the browser of this key, but not a worn one that can be replaced at once: that one ends
 * with its last session. Call with the mutex held.
 */
static struct shared *find_fresh(struct sessions *sessions,
                                 const struct br_browser_options *options, const char *key)
{
    struct shared *shared = find_shared(sessions, key);
    if (shared && shared->users > 0 && options->temp_profile && is_worn(sessions, shared)) {
        free(TAKE(shared->key));
        sessions->recycled++;
        return NULL;
    }
    return shared;
}

/* Returns a reference to the browser for these options; waits for one that is closing. */
static struct shared *acquire_browser(struct sessions *sessions,
                                      const struct br_browser_options *options, json_t *rules,
                                      struct br_error *err)
{
    char *key = NULL;
    if (!browser_key(sessions, options, rules, &key, err)) {
        return NULL;
    }
    mutex_lock(&sessions->mutex);
    struct deadline deadline = deadline_in_ms(CLOSING_MS);
    struct shared *shared = find_fresh(sessions, options, key);
    while (shared && shared->is_closing &&
           condition_wait(&sessions->changed, &sessions->mutex, deadline)) {
        shared = find_shared(sessions, key);
    }
    if (shared && shared->is_closing) {
        free(key);
        shared = NULL;
        error_set(err, BR_TIMEOUT, "the browser of this profile is still being closed");
        error_hint(err, "try again in a moment");
    } else if (!shared) {
        shared = add_shared(sessions, key, options, err);
    } else {
        free(key);
        bool is_fine = may_share(shared, rules, err) && is_as_asked(shared, options, err);
        shared = is_fine ? shared : NULL;
    }
    if (shared) {
        shared->users++;
        shared->begun++;
        json_decref(shared->rules);
        shared->rules = json_deep_copy(rules); /* other threads free it */
    }
    mutex_unlock(&sessions->mutex);
    return shared;
}

/* Closes a browser without users. The caller has set is_closing, so no other thread uses it. */
static void close_shared(struct sessions *sessions, struct shared *shared)
{
    br_browser_close(shared->browser);
    mutex_lock(&sessions->mutex);
    struct shared **place = &sessions->browsers;
    while (*place != shared) {
        place = &(*place)->next;
    }
    *place = shared->next;
    sessions->browser_count--;
    pthread_cond_broadcast(&sessions->changed);
    mutex_unlock(&sessions->mutex);
    json_decref(shared->options);
    json_decref(shared->rules);
    free(shared->key);
    free(shared);
}

static void release_browser(struct sessions *sessions, struct shared *shared)
{
    mutex_lock(&sessions->mutex);
    bool is_last = --shared->users == 0;
    bool is_replaced = is_last && shared->key && is_worn(sessions, shared);
    sessions->recycled += is_replaced;
    shared->is_closing = is_last && (!sessions->browsers_stay || !shared->key || is_replaced);
    bool is_closing = shared->is_closing;
    mutex_unlock(&sessions->mutex);
    if (is_closing) {
        close_shared(sessions, shared);
    }
}

/* The worker's handler. Runs on the worker's thread. */

/*
 * Returns the rules for what pages request, as they were given, or NULL. Invalid rules are reported
 * when the session is opened. Caller decrefs.
 */
static json_t *rules_of(const struct br_policy *policy, const json_t *given)
{
    static const char *const names[] = { "allow", "deny", "schemes", "files" };
    struct policy *read = NULL;
    struct br_error ignored;
    bool is_judged = policy_create(policy, &read, &ignored) && policy_judges_urls(read);
    json_t *rules = is_judged ? json_object() : NULL;
    for (size_t i = 0; rules && i < sizeof(names) / sizeof(names[0]); i++) {
        json_object_set(rules, names[i], json_object_get(given, names[i]));
    }
    /* No file is opened: what pages share cannot come of one. */
    if (policy->files && strcmp(policy->files, "none") == 0) {
        json_object_del(rules, "files");
    }
    policy_destroy(read);
    return rules;
}

struct br_browser *sessions_take_browser(struct sessions *sessions,
                                         const struct br_browser_options *options,
                                         const struct br_policy *policy, struct br_error *err)
{
    const struct br_session_options session = { .policy = *policy };
    json_auto_t *given = settings_write(options, &session);
    json_auto_t *rules = rules_of(policy, json_object_get(given, "session"));
    struct shared *shared = acquire_browser(sessions, options, rules, err);
    if (shared) {
        browser_join(shared->browser);
    }
    return shared ? shared->browser : NULL;
}

void sessions_return_browser(struct sessions *sessions, struct br_browser *browser)
{
    if (!browser) {
        return;
    }
    mutex_lock(&sessions->mutex);
    struct shared *shared = sessions->browsers;
    while (shared->browser != browser) {
        shared = shared->next;
    }
    mutex_unlock(&sessions->mutex);
    browser_leave(browser, deadline_in_ms(CLOSING_MS));
    release_browser(sessions, shared);
}

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
        json_auto_t *rules = rules_of(&settings.session.policy, given);
        struct shared *shared = acquire_browser(entry->sessions, &settings.browser, rules, err);
        session = shared ? br_session_open(shared->browser, &settings.session, err) : NULL;
        if (session && settings.is_blank && !settings.session.tab && !open_blank(session, err)) {
            br_session_close(session);
            session = NULL;
        }
        if (shared && !session) {
            release_browser(entry->sessions, shared);
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
    struct shared *shared = TAKE(entry->shared);
    mutex_unlock(&entry->sessions->mutex);
    if (shared) {
        release_browser(entry->sessions, shared);
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

/* Adds up what `of_process` returns for the browser's processes. */
static uint64_t memory_of(pid_t browser, uint64_t (*of_process)(pid_t pid))
{
    pid_t *pids = NULL;
    size_t count = browser ? platform_process_descendants(browser, &pids) : 0;
    uint64_t bytes = browser ? of_process(browser) : 0;
    for (size_t i = 0; i < count; i++) {
        bytes += of_process(pids[i]);
    }
    free(pids);
    return bytes;
}

void sessions_recycle(struct sessions *sessions, unsigned after_sessions, uint64_t above_bytes)
{
    mutex_lock(&sessions->mutex);
    sessions->recycle_after = after_sessions;
    sessions->recycle_above = above_bytes;
    mutex_unlock(&sessions->mutex);
}

uint64_t sessions_measure(struct sessions *sessions)
{
    pid_t pids[SESSIONS_MAX];
    size_t count = 0;
    uint64_t total = 0;
    mutex_lock(&sessions->mutex);
    for (const struct shared *shared = sessions->browsers; shared && count < SESSIONS_MAX;
         shared = shared->next) {
        pids[count++] = shared->is_closing ? 0 : browser_pid(shared->browser);
    }
    mutex_unlock(&sessions->mutex);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = memory_of(pids[i], platform_process_share);
        total += bytes;
        mutex_lock(&sessions->mutex);
        for (struct shared *shared = sessions->browsers; shared; shared = shared->next) {
            if (pids[i] && !shared->is_closing && browser_pid(shared->browser) == pids[i]) {
                shared->bytes = bytes;
            }
        }
        mutex_unlock(&sessions->mutex);
    }
    return total;
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
            pid = entry->shared && !entry->shared->is_closing ? browser_pid(entry->shared->browser)
                                                              : 0;
        }
    }
    mutex_unlock(&sessions->mutex);
    if (pid) {
        json_object_set_new(object, "browserPid", json_integer(pid));
        json_object_set_new(object, "memoryBytes",
                            json_integer((json_int_t)memory_of(pid, platform_process_memory)));
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

void sessions_write_metrics(struct sessions *sessions, struct strbuf *text)
{
    strbuf_add_format(text,
                      "# TYPE browser_runner_sessions gauge\n"
                      "# HELP browser_runner_sessions Sessions that are open.\n"
                      "browser_runner_sessions %zu\n"
                      "# TYPE browser_runner_browsers gauge\n"
                      "# HELP browser_runner_browsers Browsers that sessions share.\n"
                      "browser_runner_browsers %zu\n"
                      "# TYPE browser_runner_browser_starts counter\n"
                      "# HELP browser_runner_browser_starts Starts of browsers.\n"
                      "browser_runner_browser_starts_total %llu\n"
                      "# TYPE browser_runner_browsers_recycled counter\n"
                      "# HELP browser_runner_browsers_recycled Browsers replaced as worn.\n"
                      "browser_runner_browsers_recycled_total %llu\n",
                      sessions->entry_count, sessions->browser_count, sessions->starts,
                      sessions->recycled);
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
    while (sessions->browsers) {
        close_shared(sessions, sessions->browsers);
    }
    latencies_destroy(sessions->latencies);
    pthread_cond_destroy(&sessions->changed);
    pthread_mutex_destroy(&sessions->mutex);
    free(sessions);
}
