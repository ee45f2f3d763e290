#include "runner/servers/cdp/view.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <stdatomic.h>
#include <string.h>

enum { WATCHER_BYTES = 64 * 1024 * 1024 };

/* A command of ours without a reply. */
struct pending {
    struct pending *next;
    int tag;
    view_on_reply *on_reply;
    void *data;
};

/* A tab whose page is being learnt. */
struct tab {
    struct tab *next;
    struct view *view;
    char *id;
    char *session_id; /* NULL: not yet */
};

/* A callback that waits until all tabs are known. */
struct learner {
    struct learner *next;
    void (*on_learned)(void *data);
    void *data;
};

struct view {
    atomic_size_t references;
    struct browser_life *life;
    struct cdp_relay *relay;
    struct context_set *contexts;
    /* Used on the loop thread only: */
    struct cdp_sink *watcher; /* NULL before view_watch() and after view_unwatch() */
    struct view_handler handler;
    struct pending *pending;
    int last_tag;
    json_t *version;
    char *profile_context;
    bool is_lost;
    bool learns_tabs;
    struct tab *tabs; /* whose page is being learnt */
    struct learner *learners;
    json_t *pages;   /* object: the id of its page by the id of a tab */
    json_t *settled; /* object: targets of view_settle() */
    json_t *made;    /* object: targets of view_add_made() */
    json_t *crashed; /* object: targets whose process has ended */
    json_t *targets; /* object: targetInfo by id */
};

struct view *view_create(struct browser_life *life, struct loop *loop)
{
    struct view *view = xcalloc(1, sizeof(*view));
    atomic_init(&view->references, 1);
    view->life = life;
    view->relay = cdp_relay_create(browser_life_connection(life), loop);
    view->contexts = context_set_create();
    view->targets = json_object();
    view->pages = json_object();
    view->settled = json_object();
    view->made = json_object();
    view->crashed = json_object();
    return view;
}

struct view *view_hold(struct view *view)
{
    atomic_fetch_add(&view->references, 1);
    return view;
}

void view_release(struct view *view)
{
    if (!view || atomic_fetch_sub(&view->references, 1) > 1) {
        return;
    }
    cdp_relay_destroy(view->relay);
    browser_life_release(view->life);
    context_set_destroy(view->contexts);
    json_decref(view->version);
    json_decref(view->targets);
    json_decref(view->pages);
    json_decref(view->settled);
    json_decref(view->made);
    json_decref(view->crashed);
    free(view->profile_context);
    free(view);
}

struct browser_life *view_life(const struct view *view)
{
    return view->life;
}

struct cdp_relay *view_relay(const struct view *view)
{
    return view->relay;
}

const json_t *view_version(const struct view *view)
{
    return view->version;
}

const char *view_profile_context(const struct view *view)
{
    return view->profile_context;
}

struct context_set *view_contexts(const struct view *view)
{
    return view->contexts;
}

json_t *view_targets(const struct view *view)
{
    return view->targets;
}

/* session_id NULL is the watcher's own session. Takes ownership of params. */
static void call_on(struct view *view, const char *session_id, const char *method, json_t *params,
                    view_on_reply *on_reply, void *data)
{
    if (!view->watcher || view->is_lost) {
        json_decref(params);
        on_reply(data, NULL, "the browser has ended");
        return;
    }
    struct pending *pending = xcalloc(1, sizeof(*pending));
    view->last_tag = view->last_tag % INT32_MAX + 1;
    pending->tag = view->last_tag;
    pending->on_reply = on_reply;
    pending->data = data;
    pending->next = view->pending;
    view->pending = pending;
    cdp_sink_command(view->watcher, session_id, method, params, pending->tag);
}

void view_call(struct view *view, const char *method, json_t *params, view_on_reply *on_reply,
               void *data)
{
    call_on(view, NULL, method, params, on_reply, data);
}

static void fail_pending(struct view *view, const char *why)
{
    while (view->pending) {
        struct pending *pending = view->pending;
        view->pending = pending->next;
        pending->on_reply(pending->data, NULL, why);
        free(pending);
    }
}

static void on_reply(void *data, int tag, char *text, size_t length)
{
    struct view *view = data;
    struct pending **place = &view->pending;
    json_auto_t *reply = json_loadb(text, length, 0, NULL);
    free(text);
    while (*place && (*place)->tag != tag) {
        place = &(*place)->next;
    }
    struct pending *pending = *place;
    if (pending) {
        *place = pending->next;
        const char *why = json_member_string(json_object_get(reply, "error"), "message");
        pending->on_reply(pending->data, json_object_get(reply, "result"),
                          why ? why : "the browser gave no result");
        free(pending);
    }
}

static void on_text(void *data, char *text, size_t length)
{
    (void)data;
    (void)length;
    free(text);
}

/* The page of each tab. */

static void tell_learners(struct view *view)
{
    struct learner *learner = view->tabs ? NULL : TAKE(view->learners);
    while (learner) {
        struct learner *next = learner->next;
        learner->on_learned(learner->data);
        free(learner);
        learner = next;
    }
}

static void finish_tab(struct tab *tab)
{
    struct view *view = tab->view;
    struct tab **place = &view->tabs;
    while (*place != tab) {
        place = &(*place)->next;
    }
    *place = tab->next;
    if (json_object_get(view->targets, tab->id) && !json_object_get(view->pages, tab->id)) {
        json_object_set_new(view->pages, tab->id, json_string(""));
    }
    free(tab->id);
    free(tab->session_id);
    free(tab);
    tell_learners(view);
}

static void on_nothing(void *data, const json_t *result, const char *why)
{
    (void)data;
    (void)result;
    (void)why;
}

/* Chrome has reported the page before this reply. */
static void on_tab_watched(void *data, const json_t *result, const char *why)
{
    struct tab *tab = data;
    (void)result;
    (void)why;
    view_call(tab->view, "Target.detachFromTarget",
              json_pack("{s:s}", "sessionId", tab->session_id), on_nothing, NULL);
    finish_tab(tab);
}

static void on_tab_attached(void *data, const json_t *result, const char *why)
{
    struct tab *tab = data;
    const char *session_id = json_member_string(result, "sessionId");
    (void)why;
    if (!session_id) {
        finish_tab(tab); /* the tab has closed */
        return;
    }
    tab->session_id = xstrdup(session_id);
    call_on(tab->view, session_id, "Target.setAutoAttach",
            json_pack("{s:b, s:b, s:b, s:[{s:s}]}", "autoAttach", 1, "flatten", 1,
                      "waitForDebuggerOnStart", 0, "filter", "type", "page"),
            on_tab_watched, tab);
}

/* Learns the page of a target that is a new tab of the profile. */
static void ask_tab(struct view *view, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    const char *context_id = json_member_string(target, "browserContextId");
    bool is_tab = id && type && strcmp(type, "tab") == 0 && context_id && view->profile_context &&
                  strcmp(context_id, view->profile_context) == 0;
    const struct tab *asked = view->tabs;
    while (is_tab && asked && strcmp(asked->id, id) != 0) {
        asked = asked->next;
    }
    if (!is_tab || asked || json_object_get(view->pages, id)) {
        return;
    }
    struct tab *tab = xcalloc(1, sizeof(*tab));
    tab->view = view;
    tab->id = xstrdup(id);
    tab->next = view->tabs;
    view->tabs = tab;
    view_call(view, "Target.attachToTarget", json_pack("{s:s, s:b}", "targetId", id, "flatten", 1),
              on_tab_attached, tab);
}

void view_learn_tabs(struct view *view, void (*on_learned)(void *data), void *data)
{
    struct learner *learner = xcalloc(1, sizeof(*learner));
    const char *id;
    const json_t *target;
    learner->on_learned = on_learned;
    learner->data = data;
    learner->next = view->learners;
    view->learners = learner;
    view->learns_tabs = true;
    json_object_foreach (view->targets, id, target) {
        ask_tab(view, target);
    }
    tell_learners(view);
}

const char *view_page_of(const struct view *view, const char *tab_id)
{
    return json_member_string(view->pages, tab_id);
}

bool view_is_making(const struct view *view, const json_t *target)
{
    const char *id = json_member_string(target, "browserContextId");
    const char *profile_id = view->profile_context;
    bool is_profile = !id || !profile_id || strcmp(id, profile_id) == 0;
    return targets_is_making_in(browser_life_targets(view->life), is_profile ? NULL : id);
}

void view_settle(struct view *view, const char *target_id)
{
    json_object_set_new(view->settled, target_id, json_true());
}

bool view_is_settled(const struct view *view, const char *target_id)
{
    return json_object_get(view->settled, target_id);
}

void view_add_made(struct view *view, const char *target_id)
{
    view_settle(view, target_id);
    json_object_set_new(view->made, target_id, json_true());
}

bool view_is_made(const struct view *view, const char *target_id)
{
    return json_object_get(view->made, target_id);
}

bool view_is_crashed(const struct view *view, const char *target_id)
{
    return json_object_get(view->crashed, target_id);
}

static void set_target(struct view *view, json_t *target, bool is_new)
{
    const char *id = json_member_string(target, "targetId");
    if (!id) {
        return;
    }
    json_object_set(view->targets, id, target);
    if (is_new && !view_is_making(view, target)) {
        view_settle(view, id);
    }
    if (view->learns_tabs) {
        ask_tab(view, target);
    }
}

static void forget_target(struct view *view, const char *target_id)
{
    json_object_del(view->targets, target_id);
    json_object_del(view->pages, target_id);
    json_object_del(view->settled, target_id);
    json_object_del(view->made, target_id);
    json_object_del(view->crashed, target_id);
}

/* Stores the page that was attached through a tab's session. */
static void take_page(struct view *view, struct cdp_slice session_id, const json_t *target)
{
    const char *page_id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    const struct tab *tab = view->tabs;
    while (tab && !(tab->session_id && cdp_slice_equals(session_id, tab->session_id))) {
        tab = tab->next;
    }
    if (tab && page_id && type && strcmp(type, "page") == 0) {
        json_object_set_new(view->pages, tab->id, json_string(page_id));
    }
}

static bool on_event(void *data, const struct cdp_message *event)
{
    struct view *view = data;
    bool is_new = cdp_slice_equals(event->method, "Target.targetCreated");
    bool is_info = is_new || cdp_slice_equals(event->method, "Target.targetInfoChanged");
    bool is_end = cdp_slice_equals(event->method, "Target.targetDestroyed");
    bool is_attached = cdp_slice_equals(event->method, "Target.attachedToTarget");
    bool is_crash = cdp_slice_equals(event->method, "Target.targetCrashed");
    if (is_info || is_end || is_attached || is_crash) {
        json_auto_t *params = json_loadb(event->params.text, event->params.length, 0, NULL);
        const char *id = json_member_string(params, "targetId");
        if (is_info) {
            set_target(view, json_object_get(params, "targetInfo"), is_new);
        } else if (is_attached) {
            take_page(view, event->session_id, json_object_get(params, "targetInfo"));
        } else if (is_crash && id) {
            json_object_set_new(view->crashed, id, json_true());
        } else if (id) {
            forget_target(view, id);
        }
    }
    return false;
}

static void on_closed(void *data, enum cdp_sink_end end, const char *reason)
{
    struct view *view = data;
    (void)end;
    view->is_lost = true;
    fail_pending(view, reason); /* ends learning, too */
    view->handler.on_lost(view->handler.data, reason);
}

static void on_released(void *data)
{
    struct view *view = data;
    view->handler.on_released(view->handler.data, view);
}

static void on_version(void *data, const json_t *result, const char *why)
{
    struct view *view = data;
    (void)why;
    view->version = result ? json_deep_copy(result) : json_object();
}

static void on_contexts(void *data, const json_t *result, const char *why)
{
    struct view *view = data;
    (void)why;
    view->profile_context = xstrdup(json_member_string(result, "defaultBrowserContextId"));
}

/* Chrome has reported all targets before this reply. */
static void on_discovered(void *data, const json_t *result, const char *why)
{
    struct view *view = data;
    (void)result;
    (void)why;
    if (!view->is_lost) {
        view->handler.on_ready(view->handler.data);
    }
}

void view_watch(struct view *view, const struct view_handler *handler)
{
    const struct cdp_sink_handler sink = {
        .on_text = on_text,
        .on_closed = on_closed,
        .on_reply = on_reply,
        .on_event = on_event,
        .on_released = on_released,
        .data = view,
    };
    view->handler = *handler;
    view->watcher = cdp_sink_create(view->relay, WATCHER_BYTES, &sink);
    view_hold(view);
    view_call(view, "Browser.getVersion", NULL, on_version, view);
    view_call(view, "Target.getBrowserContexts", NULL, on_contexts, view);
    view_call(view, "Target.setDiscoverTargets",
              json_pack("{s:b, s:[{}]}", "discover", 1, "filter"), on_discovered, view);
}

void view_unwatch(struct view *view)
{
    view->is_lost = true;
    fail_pending(view, "the server ends");
    cdp_sink_destroy(TAKE(view->watcher));
}
