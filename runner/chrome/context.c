#include "runner/chrome/context.h"

#include "runner/base/json.h"
#include "runner/cdp/client.h"

#include <string.h>

enum {
    MAX_STORAGES = 64, /* origins whose storage is kept */
    DISPOSE_MS = 500,  /* for the command to be written */
};

/* All but the first four members are guarded by the mutex. */
struct context {
    struct contexts *all; /* it is one of these */
    char *name;           /* "": the profile's, if it is not private */
    bool is_private;
    struct context *next;
    size_t users;
    bool is_busy;        /* a session makes or fills it */
    uint64_t generation; /* of the life in which it has this id; 0: none */
    char *id;
    json_t *cookies;            /* array; NULL: none were kept */
    json_t *storages;           /* object: of each origin, as text */
    uint64_t filled_generation; /* of the newest life that has what was kept; 0: none */
    uint64_t last_generation;   /* the same before the filling that goes on */
    json_t *asked;              /* object: the origins whose storage that life was given */
};

struct context *context_acquire(struct contexts *all, const char *name, bool is_private)
{
    pthread_mutex_lock(all->mutex);
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
    pthread_mutex_unlock(all->mutex);
    return context;
}

/* What was kept of lives that are over for good. */
static void forget(struct context *context)
{
    json_decref(context->cookies);
    context->cookies = NULL;
    json_object_clear(context->storages);
    context->filled_generation = 0;
    context->last_generation = 0;
}

void contexts_forget(struct contexts *all)
{
    for (struct context *context = all->list; context; context = context->next) {
        forget(context);
    }
}

/* A life that has the context, with a reference; NULL: none. With the mutex. */
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

void context_release(struct context *context)
{
    if (!context) {
        return;
    }
    struct contexts *all = context->all;
    pthread_mutex_lock(all->mutex);
    bool is_last = --context->users == 0;
    for (struct context **at = &all->list; is_last && *at; at = &(*at)->next) {
        if (*at == context) {
            *at = context->next;
            break;
        }
    }
    struct browser_life *life = is_last ? life_of(context) : NULL;
    pthread_mutex_unlock(all->mutex);
    if (life) {
        dispose(context, life);
    }
    if (is_last) {
        forget(context);
        json_decref(context->storages);
        json_decref(context->asked);
        free(context->name);
        free(context->id);
        free(context);
    }
}

static bool is_profiles_own(const struct context *context)
{
    return !context->is_private && !*context->name;
}

/* Chrome's id of a new one, the caller's to free; NULL with the error. */
static char *create(struct browser_life *life, struct deadline deadline, struct br_error *err)
{
    json_auto_t *reply = NULL;
    const char *id = NULL;
    struct cdp_client *client = cdp_client_create(browser_life_connection(life), NULL, NULL);
    cdp_client_set_deadline(client, deadline);
    bool is_created =
        cdp_call(client, NULL, "Target.createBrowserContext",
                 json_pack("{s:b}", "disposeOnDetach", 1), &reply, err) &&
        json_read(reply, "Target.createBrowserContext", err, "{s:s}", "browserContextId", &id);
    cdp_client_destroy(client);
    return is_created ? xstrdup(id) : NULL;
}

/* Whoever waits here does so for another thread that talks to the browser. With the mutex. */
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
    pthread_mutex_lock(all->mutex);
    bool is_done = await_turn(context, deadline);
    if (is_done && context->generation != generation) {
        context->is_busy = true;
        pthread_mutex_unlock(all->mutex);
        char *id = create(life, deadline, err);
        pthread_mutex_lock(all->mutex);
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
    pthread_mutex_unlock(all->mutex);
    return is_done;
}

/* Storage that waits to be put back is not replaced by what a page says that came before it. */
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
    pthread_mutex_lock(mutex);
    bool is_filled =
        !context->is_busy && context->filled_generation == browser_life_generation(life);
    if (is_filled && cookies) {
        json_decref(context->cookies);
        context->cookies = TAKE(cookies);
    }
    if (is_filled && origin && !awaits_refill(context, origin)) {
        keep_storage(context, origin, storage);
    }
    pthread_mutex_unlock(mutex);
    json_decref(cookies);
}

bool context_begin_refill(struct context *context, const struct browser_life *life,
                          struct deadline deadline, json_t **ret_cookies)
{
    struct contexts *all = context->all;
    uint64_t generation = browser_life_generation(life);
    *ret_cookies = NULL;
    pthread_mutex_lock(all->mutex);
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
        *ret_cookies = json_deep_copy(context->cookies); /* references are not shared by threads */
    }
    pthread_mutex_unlock(all->mutex);
    return is_due && has_kept;
}

void context_end_refill(struct context *context, bool is_done)
{
    pthread_mutex_lock(context->all->mutex);
    if (!is_done) {
        context->filled_generation = context->last_generation;
    }
    end_turn(context);
    pthread_mutex_unlock(context->all->mutex);
}

char *context_storage(struct context *context, const struct browser_life *life, const char *origin,
                      bool *ret_is_first)
{
    pthread_mutex_lock(context->all->mutex);
    char *storage = xstrdup(json_string_value(json_object_get(context->storages, origin)));
    bool is_present = context->filled_generation == browser_life_generation(life);
    *ret_is_first = is_present && !json_object_get(context->asked, origin);
    if (is_present) {
        json_object_set_new(context->asked, origin, json_true());
    }
    pthread_mutex_unlock(context->all->mutex);
    return storage;
}
