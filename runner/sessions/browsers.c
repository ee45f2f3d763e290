#include "runner/sessions/browsers.h"

#include "profiles/profile.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/policy.h"
#include "runner/base/thread.h"
#include "runner/chrome/browser.h"
#include "runner/sessions/settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Longest wait for a browser that is ending; its own limit is shorter. */
enum { CLOSING_MS = 20000 };

/* A browser that sessions share. */
struct shared_browser {
    struct shared_browser *next;
    char *key; /* the key by which it is shared; NULL: not shared */
    struct br_browser *browser;
    size_t users;
    unsigned begun;  /* number of its users so far */
    uint64_t bytes;  /* of memory, when it was last measured */
    json_t *options; /* the options of the browser with which it was opened */
    json_t *rules;   /* rules about URLs of all its sessions; NULL: none */
    bool is_closing;
};

struct browsers {
    struct loop *loop;
    bool they_stay;
    /* For metrics, which the loop thread writes: it must not wait for a mutex. */
    atomic_size_t count;
    atomic_ullong starts;   /* also of browsers that are now closed */
    atomic_ullong recycled; /* browsers that were replaced */
    pthread_mutex_t mutex;  /* guards the following members */
    pthread_cond_t changed; /* signalled when a browser was closed */
    struct shared_browser *first;
    unsigned recycle_after; /* sessions; 0: never */
    uint64_t recycle_above; /* bytes; 0: never */
};

struct browsers *browsers_create(struct loop *loop, bool they_stay)
{
    struct browsers *browsers = xcalloc(1, sizeof(*browsers));
    browsers->loop = loop;
    browsers->they_stay = they_stay;
    pthread_mutex_init(&browsers->mutex, NULL);
    condition_init(&browsers->changed);
    return browsers;
}

/*
 * Returns in *ret_key the key by which a browser is shared: "connect:URL" or "profile:PATH"; NULL:
 * not shared. Caller frees.
 */
static bool browser_key(const struct browsers *browsers, const struct br_browser_options *options,
                        const json_t *rules, char **ret_key, struct br_error *err)
{
    if (options->temp_profile) {
        /*
         * A temporary profile is deleted with its browser. Sessions with the same rules can share
         * such a browser if it stays open.
         */
        CLEANUP_FREE char *text = rules ? json_dumps(rules, JSON_COMPACT) : NULL;
        *ret_key = browsers->they_stay ? xasprintf("temporary:%s", text ? text : "") : NULL;
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
static struct shared_browser *find_shared(struct browsers *browsers, const char *key)
{
    struct shared_browser *shared = browsers->first;
    while (shared && (!key || !shared->key || strcmp(shared->key, key) != 0)) {
        shared = shared->next;
    }
    return shared;
}

/* Call with the mutex held. */
static struct shared_browser *add_shared(struct browsers *browsers, char *key,
                                         const struct br_browser_options *given,
                                         struct br_error *err)
{
    struct br_browser_options options = *given;
    /* TLS needs memory that a shared loop has not allocated. */
    bool has_tls = given->connect && (strncmp(given->connect, "https:", 6) == 0 ||
                                      strncmp(given->connect, "wss:", 4) == 0);
    options.stays = browsers->they_stay;
    options.wording = BR_WORDING_COMMAND_LINE;
    struct br_browser *browser = browser_open_on(has_tls ? NULL : browsers->loop, &options, err);
    if (!browser) {
        free(key);
        return NULL;
    }
    struct shared_browser *shared = xcalloc(1, sizeof(*shared));
    json_auto_t *written = settings_write(given, &(struct br_session_options){ 0 });
    shared->key = key;
    shared->browser = browser;
    shared->options = json_incref(json_object_get(written, "browser"));
    shared->next = browsers->first;
    browsers->first = shared;
    browsers->count++;
    browser_count_starts(browser, &browsers->starts);
    return shared;
}

/*
 * Targets that pages of one context share, such as workers, are checked by the session that sees
 * them first: other sessions in that browser must have the same rules.
 */
static bool may_share(const struct shared_browser *shared, const json_t *rules,
                      struct br_error *err)
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
static bool is_as_asked(const struct shared_browser *shared,
                        const struct br_browser_options *options, struct br_error *err)
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
static bool is_worn(const struct browsers *browsers, const struct shared_browser *shared)
{
    return (browsers->recycle_after && shared->begun >= browsers->recycle_after) ||
           (browsers->recycle_above && shared->bytes > browsers->recycle_above);
}

/*
 * Returns the browser of this key, but not a worn one that can be replaced at once: that one ends
 * with its last session. Call with the mutex held.
 */
static struct shared_browser *find_fresh(struct browsers *browsers,
                                         const struct br_browser_options *options, const char *key)
{
    struct shared_browser *shared = find_shared(browsers, key);
    if (shared && shared->users > 0 && options->temp_profile && is_worn(browsers, shared)) {
        free(TAKE(shared->key));
        browsers->recycled++;
        return NULL;
    }
    return shared;
}

/* Returns a reference to the browser for these options; waits for one that is closing. */
static struct shared_browser *acquire(struct browsers *browsers,
                                      const struct br_browser_options *options, json_t *rules,
                                      struct br_error *err)
{
    char *key = NULL;
    if (!browser_key(browsers, options, rules, &key, err)) {
        return NULL;
    }
    mutex_lock(&browsers->mutex);
    struct deadline deadline = deadline_in_ms(CLOSING_MS);
    struct shared_browser *shared = find_fresh(browsers, options, key);
    while (shared && shared->is_closing &&
           condition_wait(&browsers->changed, &browsers->mutex, deadline)) {
        shared = find_shared(browsers, key);
    }
    if (shared && shared->is_closing) {
        free(key);
        shared = NULL;
        error_set(err, BR_TIMEOUT, "the browser of this profile is still being closed");
        error_hint(err, "try again in a moment");
    } else if (!shared) {
        shared = add_shared(browsers, key, options, err);
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
    mutex_unlock(&browsers->mutex);
    return shared;
}

/* Closes a browser without users. The caller has set is_closing, so no other thread uses it. */
static void close_shared(struct browsers *browsers, struct shared_browser *shared)
{
    br_browser_close(shared->browser);
    mutex_lock(&browsers->mutex);
    struct shared_browser **place = &browsers->first;
    while (*place != shared) {
        place = &(*place)->next;
    }
    *place = shared->next;
    browsers->count--;
    pthread_cond_broadcast(&browsers->changed);
    mutex_unlock(&browsers->mutex);
    json_decref(shared->options);
    json_decref(shared->rules);
    free(shared->key);
    free(shared);
}

void browsers_release(struct browsers *browsers, struct shared_browser *shared)
{
    mutex_lock(&browsers->mutex);
    bool is_last = --shared->users == 0;
    bool is_replaced = is_last && shared->key && is_worn(browsers, shared);
    browsers->recycled += is_replaced;
    shared->is_closing = is_last && (!browsers->they_stay || !shared->key || is_replaced);
    bool is_closing = shared->is_closing;
    mutex_unlock(&browsers->mutex);
    if (is_closing) {
        close_shared(browsers, shared);
    }
}

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

struct shared_browser *browsers_acquire(struct browsers *browsers,
                                        const struct br_browser_options *options,
                                        const struct br_policy *policy, const json_t *given,
                                        struct br_error *err)
{
    json_auto_t *rules = rules_of(policy, given);
    return acquire(browsers, options, rules, err);
}

struct br_browser *browsers_get(const struct shared_browser *shared)
{
    return shared->browser;
}

struct br_browser *browsers_take(struct browsers *browsers,
                                 const struct br_browser_options *options,
                                 const struct br_policy *policy, struct br_error *err)
{
    const struct br_session_options session = { .policy = *policy };
    json_auto_t *given = settings_write(options, &session);
    struct shared_browser *shared =
        browsers_acquire(browsers, options, policy, json_object_get(given, "session"), err);
    if (shared) {
        browser_join(shared->browser);
    }
    return shared ? shared->browser : NULL;
}

void browsers_return(struct browsers *browsers, struct br_browser *browser)
{
    if (!browser) {
        return;
    }
    mutex_lock(&browsers->mutex);
    struct shared_browser *shared = browsers->first;
    while (shared->browser != browser) {
        shared = shared->next;
    }
    mutex_unlock(&browsers->mutex);
    browser_leave(browser, deadline_in_ms(CLOSING_MS));
    browsers_release(browsers, shared);
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

uint64_t browsers_memory(pid_t browser)
{
    return memory_of(browser, platform_process_memory);
}

void browsers_recycle(struct browsers *browsers, unsigned after_sessions, uint64_t above_bytes)
{
    mutex_lock(&browsers->mutex);
    browsers->recycle_after = after_sessions;
    browsers->recycle_above = above_bytes;
    mutex_unlock(&browsers->mutex);
}

uint64_t browsers_measure(struct browsers *browsers)
{
    size_t count = 0;
    uint64_t total = 0;
    mutex_lock(&browsers->mutex);
    CLEANUP_FREE pid_t *pids = xcalloc(browsers->count + 1, sizeof(*pids));
    for (const struct shared_browser *shared = browsers->first; shared; shared = shared->next) {
        pids[count++] = shared->is_closing ? 0 : browser_pid(shared->browser);
    }
    mutex_unlock(&browsers->mutex);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = memory_of(pids[i], platform_process_share);
        total += bytes;
        mutex_lock(&browsers->mutex);
        for (struct shared_browser *shared = browsers->first; shared; shared = shared->next) {
            if (pids[i] && !shared->is_closing && browser_pid(shared->browser) == pids[i]) {
                shared->bytes = bytes;
            }
        }
        mutex_unlock(&browsers->mutex);
    }
    return total;
}

void browsers_write_metrics(struct browsers *browsers, struct strbuf *text)
{
    strbuf_add_format(text,
                      "# TYPE browser_runner_browsers gauge\n"
                      "# HELP browser_runner_browsers Browsers that sessions share.\n"
                      "browser_runner_browsers %zu\n"
                      "# TYPE browser_runner_browser_starts counter\n"
                      "# HELP browser_runner_browser_starts Starts of browsers.\n"
                      "browser_runner_browser_starts_total %llu\n"
                      "# TYPE browser_runner_browsers_recycled counter\n"
                      "# HELP browser_runner_browsers_recycled Browsers replaced as worn.\n"
                      "browser_runner_browsers_recycled_total %llu\n",
                      browsers->count, browsers->starts, browsers->recycled);
}

void browsers_destroy(struct browsers *browsers)
{
    while (browsers->first) {
        close_shared(browsers, browsers->first);
    }
    pthread_cond_destroy(&browsers->changed);
    pthread_mutex_destroy(&browsers->mutex);
    free(browsers);
}
