#include "runner/chrome/context.h"

#include "runner/base/json.h"
#include "runner/base/thread.h"
#include "runner/cdp/client.h"
#include "runner/net/way_out.h"

#include <string.h>

enum {
    MAX_STORAGES = 64, /* limit of origins whose storage is kept */
    DISPOSE_MS = 500,  /* time to write the command */
};

/* All fields except the first four are guarded by the mutex. */
struct context {
    struct contexts *all; /* the list that it belongs to */
    char *name;           /* "": the profile's, unless it is private */
    bool is_private;
    struct way_out *way_out; /* NULL: none; the profile's context uses that of `all` */
    struct context *next;
    size_t users;
    size_t admitted;     /* users that admit() has let in */
    bool is_busy;        /* a session is creating or restoring it */
    uint64_t generation; /* life in which `id` is valid; 0: none */
    char *id;
    json_t *cookies;            /* array; NULL: none kept */
    json_t *storages;           /* object: the storage of each origin, as text */
    uint64_t filled_generation; /* newest life that has the kept values; 0: none */
    uint64_t last_generation;   /* its value before the restore in progress */
    json_t *asked;              /* object: origins whose storage was handed out in that life */
};

/* Discards what was kept from earlier lives. */
static void forget(struct context *context)
{
    json_decref(context->cookies);
    context->cookies = NULL;
    json_object_clear(context->storages);
    context->filled_generation = 0;
    context->last_generation = 0;
}

static void context_free(struct context *context)
{
    way_out_close(context->way_out);
    forget(context);
    json_decref(context->storages);
    json_decref(context->asked);
    free(context->name);
    free(context->id);
    free(context);
}

static bool is_profiles_own(const struct context *context)
{
    return !context->is_private && !*context->name;
}

/* Returns the value of a switch given by the user; NULL: not given. */
static const char *user_switch(const struct contexts *all, const char *name)
{
    size_t length = strlen(name);
    const char *found = NULL;
    for (const char *const *arg = all->chrome_args; arg && *arg; arg++) {
        const char *text = *arg + strspn(*arg, "-");
        if (strncmp(text, name, length) == 0 && (text[length] == '=' || text[length] == '\0')) {
            found = text + length + (text[length] == '=');
        }
    }
    return found;
}

/* Returns whether the user configured a proxy, or none, for Chrome; it must not be replaced. */
static bool has_own_proxy(const struct contexts *all)
{
    static const char *const switches[] = { "proxy-server", "proxy-pac-url", "proxy-auto-detect",
                                            "no-proxy-server" };
    static const char *const variables[] = { "http_proxy", "https_proxy", "all_proxy",
                                             "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
                                             "auto_proxy" };
    bool is_found = false;
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        is_found |= user_switch(all, switches[i]) != NULL;
    }
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *value = getenv(variables[i]);
        is_found |= value && *value;
    }
    return is_found;
}

/* Returns the rules for connections; NULL: all are allowed. */
static const struct policy *host_rules(const struct policy *policy)
{
    return policy_judges_hosts(policy) ? policy : NULL;
}

static struct way_out **place_of_way_out(struct context *context)
{
    return is_profiles_own(context) ? &context->all->way_out : &context->way_out;
}

static struct way_out *way_out_of(const struct context *context)
{
    return is_profiles_own(context) ? context->all->way_out : context->way_out;
}

/*
 * Whether a session with this policy begins the context's way out. Call with the mutex locked.
 */
static bool begins_way_out(const struct context *context, const struct policy *policy)
{
    const struct contexts *all = context->all;
    bool may_begin =
        is_profiles_own(context) ? !all->is_launched && !all->is_foreign : context->admitted == 0;
    return may_begin && !way_out_of(context) && host_rules(policy) && !has_own_proxy(all);
}

/*
 * Allows the requests of one more session through the way out. That becomes *opened (NULL: none)
 * if the session begins it; *opened is then NULL. Call with the mutex locked.
 */
static void admit(struct context *context, const struct policy *policy, struct way_out **opened)
{
    struct way_out **at = place_of_way_out(context);
    if (*opened && begins_way_out(context, policy)) {
        *at = TAKE(*opened);
        for (size_t i = 0; i < context->admitted; i++) { /* sessions that came without rules */
            way_out_rules_add(way_out_rules(*at), NULL);
        }
    }
    if (*at) {
        way_out_rules_add(way_out_rules(*at), host_rules(policy));
    }
    context->admitted++;
}

/* Returns the context with one more user. Call with the mutex locked. */
static struct context *find(struct contexts *all, const char *name, bool is_private)
{
    struct context *context = is_private ? NULL : all->list;
    while (context && (context->is_private || strcmp(context->name, name ? name : "") != 0)) {
        context = context->next;
    }
    if (!context) {
        context = xcalloc(1, sizeof(*context));
        context->all = all;
        context->name = xstrdup(name ? name : "");
        context->is_private = is_private;
        context->storages = json_object();
        context->next = all->list;
        all->list = context;
    }
    context->users++;
    return context;
}

void contexts_forget(struct contexts *all)
{
    for (struct context *context = all->list; context; context = context->next) {
        forget(context);
    }
}

/* Returns a reference to the life that has the context; NULL: none. Call with the mutex locked. */
static struct browser_life *life_of(const struct context *context)
{
    struct browser_life *life = *context->all->life;
    bool has_it = context->id && life && browser_life_generation(life) == context->generation;
    if (has_it) {
        browser_life_hold(life);
    }
    return has_it ? life : NULL;
}

static void dispose(const struct context *context, struct browser_life *life)
{
    struct br_error ignored;
    cdp_connection_send(browser_life_connection(life), NULL, NULL, "Target.disposeBrowserContext",
                        json_pack("{s:s}", "browserContextId", context->id),
                        deadline_in_ms(DISPOSE_MS), &ignored);
    browser_life_release(life);
}

static void leave(struct context *context, const struct policy *policy, bool was_admitted)
{
    struct contexts *all = context->all;
    mutex_lock(all->mutex);
    if (was_admitted && way_out_of(context)) {
        way_out_rules_remove(way_out_rules(way_out_of(context)), host_rules(policy));
    }
    context->admitted -= was_admitted;
    bool is_last = --context->users == 0;
    for (struct context **at = &all->list; is_last && *at; at = &(*at)->next) {
        if (*at == context) {
            *at = context->next;
            break;
        }
    }
    struct browser_life *life = is_last ? life_of(context) : NULL;
    mutex_unlock(all->mutex);
    if (life) {
        dispose(context, life);
    }
    if (is_last) {
        context_free(context);
    }
}

struct context *context_acquire(struct contexts *all, const char *name, bool is_private,
                                const struct policy *policy, struct br_error *err)
{
    mutex_lock(all->mutex);
    struct context *context = find(all, name, is_private);
    struct way_out *opened = NULL;
    bool is_admitted = true;
    while (is_admitted && !opened && begins_way_out(context, policy)) {
        /* Opening waits for the loop. If other sessions open one, too, the first is used. */
        mutex_unlock(all->mutex);
        opened = way_out_open(all->loop, user_switch(all, "host-resolver-rules"), err);
        is_admitted = opened;
        mutex_lock(all->mutex);
    }
    if (is_admitted) {
        admit(context, policy, &opened);
    }
    mutex_unlock(all->mutex);
    way_out_close(opened);
    if (!is_admitted) {
        leave(context, policy, false);
        return NULL;
    }
    return context;
}

void context_release(struct context *context, const struct policy *policy)
{
    if (context) {
        leave(context, policy, true);
    }
}

static int port_of(const struct way_out *way_out)
{
    return way_out ? way_out_port(way_out) : 0;
}

int context_way_out(const struct context *context)
{
    mutex_lock(context->all->mutex);
    int port = port_of(way_out_of(context));
    mutex_unlock(context->all->mutex);
    return port;
}

int contexts_launch(struct contexts *all)
{
    mutex_lock(all->mutex);
    all->is_launched = true;
    int port = port_of(all->way_out);
    mutex_unlock(all->mutex);
    return port;
}

struct way_out *contexts_take_way_out(struct contexts *all)
{
    all->is_launched = false;
    return TAKE(all->way_out);
}

bool context_take_refusal(struct context *context, struct br_error *ret_why)
{
    mutex_lock(context->all->mutex);
    bool is_found = way_out_of(context) &&
                    way_out_rules_take_refusal(way_out_rules(way_out_of(context)), ret_why);
    mutex_unlock(context->all->mutex);
    return is_found;
}

bool context_explain(struct context *context, const char *url, struct br_error *ret_why)
{
    mutex_lock(context->all->mutex);
    bool is_found = way_out_of(context) &&
                    way_out_rules_explain(way_out_rules(way_out_of(context)), url, ret_why);
    mutex_unlock(context->all->mutex);
    return is_found;
}

/* Creates the context in Chrome and returns its id, which the caller frees; NULL with an error. */
static char *create(const struct context *context, struct browser_life *life,
                    struct deadline deadline, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *id = NULL;
    json_t *params = json_pack("{s:b}", "disposeOnDetach", 1);
    if (context->way_out) {
        CLEANUP_FREE char *server =
            xasprintf("socks5://127.0.0.1:%d", way_out_port(context->way_out));
        json_object_set_new(params, "proxyServer", json_string(server));
        json_object_set_new(params, "proxyBypassList", json_string("<-loopback>"));
    }
    struct cdp_client *client = cdp_client_create(browser_life_connection(life), NULL, NULL);
    cdp_client_set_deadline(client, deadline);
    bool is_created =
        cdp_call(client, NULL, "Target.createBrowserContext", params, &reply, err) &&
        json_read(reply, "Target.createBrowserContext", err, "{s:s}", "browserContextId", &id);
    cdp_client_destroy(client);
    return is_created ? xstrdup(id) : NULL;
}

/*
 * Waits while another thread talks to the browser about this context. Call with the mutex locked.
 */
static bool await_turn(struct context *context, struct deadline deadline)
{
    struct contexts *all = context->all;
    while (context->is_busy && condition_wait(all->changed, all->mutex, deadline)) {
    }
    return !context->is_busy;
}

static void end_turn(struct context *context)
{
    context->is_busy = false;
    pthread_cond_broadcast(context->all->changed);
}

bool context_enter(struct context *context, struct browser_life *life, struct deadline deadline,
                   char **ret_id, struct br_error *err)
{
    struct contexts *all = context->all;
    uint64_t generation = browser_life_generation(life);
    *ret_id = NULL;
    if (is_profiles_own(context)) {
        return true;
    }
    mutex_lock(all->mutex);
    bool is_done = await_turn(context, deadline);
    if (is_done && context->generation != generation) {
        context->is_busy = true;
        mutex_unlock(all->mutex);
        char *id = create(context, life, deadline, err);
        mutex_lock(all->mutex);
        end_turn(context);
        is_done = id;
        if (id) {
            free(context->id);
            context->id = id;
            context->generation = generation;
        }
    } else if (!is_done) {
        error_set(err, BR_TIMEOUT, "timed out waiting for the context to be made");
    }
    *ret_id = is_done ? xstrdup(context->id) : NULL;
    mutex_unlock(all->mutex);
    return is_done;
}

/* Storage that is still to be restored is not replaced by what a page reports before that. */
static bool awaits_refill(struct context *context, const char *origin)
{
    bool is_due = context->last_generation && !json_object_get(context->asked, origin) &&
                  json_object_get(context->storages, origin);
    if (is_due) {
        json_object_set_new(context->asked, origin, json_true());
    }
    return is_due;
}

static void keep_storage(struct context *context, const char *origin, const char *storage)
{
    const char *kept = json_string_value(json_object_get(context->storages, origin));
    if (!storage) {
        json_object_del(context->storages, origin);
    } else if (kept ? strcmp(kept, storage) != 0
                    : json_object_size(context->storages) < MAX_STORAGES) {
        json_object_set_new(context->storages, origin, json_text(storage));
    }
}

void context_keep(struct context *context, const struct browser_life *life, json_t *cookies,
                  const char *origin, const char *storage)
{
    pthread_mutex_t *mutex = context->all->mutex;
    mutex_lock(mutex);
    bool is_filled =
        !context->is_busy && context->filled_generation == browser_life_generation(life);
    if (is_filled && cookies) {
        json_decref(context->cookies);
        context->cookies = TAKE(cookies);
    }
    if (is_filled && origin && !awaits_refill(context, origin)) {
        keep_storage(context, origin, storage);
    }
    mutex_unlock(mutex);
    json_decref(cookies);
}

bool context_begin_refill(struct context *context, const struct browser_life *life,
                          struct deadline deadline, json_t **ret_cookies)
{
    struct contexts *all = context->all;
    uint64_t generation = browser_life_generation(life);
    *ret_cookies = NULL;
    mutex_lock(all->mutex);
    bool is_turn = await_turn(context, deadline);
    bool is_due = is_turn && context->filled_generation < generation;
    bool has_kept = context->filled_generation != 0;
    if (is_due) {
        context->last_generation = context->filled_generation;
        context->filled_generation = generation;
        json_decref(context->asked);
        context->asked = json_object();
    }
    if (is_due && has_kept) {
        context->is_busy = true;
        *ret_cookies = json_deep_copy(context->cookies); /* references must not be shared between
                                                            threads */
    }
    mutex_unlock(all->mutex);
    return is_due && has_kept;
}

void context_end_refill(struct context *context, bool is_done)
{
    mutex_lock(context->all->mutex);
    if (!is_done) {
        context->filled_generation = context->last_generation;
    }
    end_turn(context);
    mutex_unlock(context->all->mutex);
}

char *context_storage(struct context *context, const struct browser_life *life, const char *origin,
                      bool *ret_is_first)
{
    mutex_lock(context->all->mutex);
    char *storage = xstrdup(json_string_value(json_object_get(context->storages, origin)));
    bool is_present = context->filled_generation == browser_life_generation(life);
    *ret_is_first = is_present && !json_object_get(context->asked, origin);
    if (is_present) {
        json_object_set_new(context->asked, origin, json_true());
    }
    mutex_unlock(context->all->mutex);
    return storage;
}
