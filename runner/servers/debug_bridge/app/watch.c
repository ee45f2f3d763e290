#include "runner/servers/debug_bridge/app/watch.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/page/core/navigation.h"
#include "runner/servers/debug_bridge/app/changes.h"
#include "runner/servers/debug_bridge/app/page.h"
#include "runner/servers/debug_bridge/app/ui.h"

#include <inttypes.h>
#include <string.h>

enum {
    LOOK_MS = 2000,       /* timeout of a look at the page */
    REST_MS = 1000,       /* pause after a look that the page did not answer */
    STATE_MS = 500,       /* between two looks at the page's state */
    TREE_MS = 500,        /* the least time between two UI trees; … */
    TREE_SHARE = 25,      /* … or this many times the duration of the last one; … */
    MAX_TREE_MS = 10000,  /* … at most this */
    SETTLE_MS = 3000,     /* for a document to load before it is reported */
    SNAPSHOT_MS = 2000,   /* between two snapshots that replace lost mutations */
    MAX_UNASKED = 900000, /* bytes of an unrequested message: many clients accept 1 MB */
    MAX_HTML = 16 << 20,  /* characters of HTML that was requested */
    MAX_REPEATS = 1000,   /* messages of one event */
};

static void on_console(void *data, const struct br_event *event)
{
    struct app *app = data;
    json_t *message = app_event_message(&app->identity, event);
    int times = event->as.log.count; /* equal calls come as one event */
    for (int i = 1; message && i < times && i < MAX_REPEATS; i++) {
        app_send(app, json_incref(message));
    }
    if (message) {
        app_send(app, message);
    }
}

static void on_page(void *data, const struct br_event *event)
{
    struct app *app = data;
    app->watch.is_new |= event->as.page.is_back;
}

/* Reading the arguments of console calls costs time: subscribes only while there are agents. */
static void subscribe(struct app *app, struct br_session *session, bool has_agents)
{
    struct br_error ignored; /* too many subscribers: no console messages */
    struct app_watch *watch = &app->watch;
    const struct br_sink console = {
        .on_event = on_console,
        .data = app,
        .kinds = 1u << BR_EVENT_CONSOLE | 1u << BR_EVENT_EXCEPTION,
        .wants_values = true,
    };
    const struct br_sink page = { .on_event = on_page, .data = app, .kinds = 1u << BR_EVENT_PAGE };
    if (!watch->page_sink) {
        watch->page_sink = br_session_subscribe(session, &page, &ignored);
    }
    if (has_agents && !watch->console_sink) {
        watch->console_sink = br_session_subscribe(session, &console, &ignored);
    } else if (!has_agents && watch->console_sink) {
        br_session_unsubscribe(session, watch->console_sink);
        watch->console_sink = 0;
    }
}

static size_t size_of(json_t *message)
{
    return json_dumpb(message, NULL, 0, JSON_COMPACT);
}

static bool send_hello(struct app *app, const struct session_visit *visit, struct br_error *err)
{
    json_auto_t *page = NULL;
    if (!app_page_ask(visit->page, json_pack("{s:s}", "op", "hello"), &page, err)) {
        return false;
    }
    app_send_masked(app, visit->secrets, app_hello(&app->identity, page));
    return true;
}

static void forget_sent(struct app_watch *watch)
{
    json_decref(watch->items);
    json_decref(watch->states);
    watch->items = NULL;
    watch->states = json_object();
    free(TAKE(watch->custom));
}

/* Makes everything due, for a new agent or a new document. */
static void begin_sending(struct app_watch *watch)
{
    forget_sent(watch);
    watch->is_snapshot_due = watch->is_tree_due = true;
    watch->state_at_ms = 0;
}

/* Sends hello for a new document, even without agents: the relay keeps it. */
static bool begin_document(struct app *app, const struct session_visit *visit, struct br_error *err)
{
    struct app_watch *watch = &app->watch;
    bool is_first = !watch->page;
    if (!send_hello(app, visit, err)) {
        return false;
    }
    if (is_first) {
        app_send(app, app_capabilities(&app->identity, app->has_eval));
    }
    watch->page = visit->page;
    watch->documents = page_mark(visit->page).documents;
    watch->is_new = false;
    watch->number = 0;
    watch->settled_by_ms = clock_monotonic_ms() + SETTLE_MS;
    app_ids_forget(app->ids);
    begin_sending(watch);
    return true;
}

static bool check_document(struct app *app, const struct session_visit *visit, struct br_error *err)
{
    const struct app_watch *watch = &app->watch;
    bool is_same = !watch->is_new && watch->page == visit->page &&
                   watch->documents == page_mark(visit->page).documents;
    return is_same || begin_document(app, visit, err);
}

bool app_watch_html(struct app *app, const struct session_visit *visit, const json_t *options,
                    int64_t max, json_t **ret_message, struct br_error *err)
{
    json_auto_t *answer = NULL;
    json_t *question =
        json_pack("{s:s, s:O*, s:O*, s:I}", "op", "html", "selector",
                  json_object_get(options, "selector"), "sanitize",
                  json_object_get(options, "sanitize"), "max", (json_int_t)(max ? max : MAX_HTML));
    if (!app_page_ask(visit->page, question, &answer, err)) {
        return false;
    }
    json_t *html = json_object_get(answer, "html");
    if (!html && !max) {
        error_set(err, BR_LIMIT_EXCEEDED, "the page's HTML has %.0f characters, over %d",
                  json_member_number(answer, "length", 0), MAX_HTML);
        return error_hint(err, "ask for a part of it, by options.selector");
    }
    *ret_message = NULL;
    if (html) {
        *ret_message = app_message(&app->identity, "dom_snapshot");
        json_object_set(*ret_message, "html", html);
    }
    return true;
}

/* Sends the number of lost mutations when the snapshot is too large to be sent unrequested. */
static void send_lost(struct app *app)
{
    if (app->watch.lost > 0) {
        json_t *message = app_message(&app->identity, "dom_mutations");
        json_object_set_new(message, "batchId",
                            json_sprintf("batch-%" PRIu64, ++app->watch.batches));
        json_object_set_new(message, "batchSize", json_integer((json_int_t)app->watch.lost));
        json_object_set_new(message, "mutations", json_array());
        json_object_set_new(message, "lost", json_integer((json_int_t)app->watch.lost));
        app_send(app, message);
    }
}

static bool send_snapshot(struct app *app, const struct session_visit *visit, struct br_error *err)
{
    json_t *message = NULL;
    if (!app_watch_html(app, visit, NULL, MAX_UNASKED, &message, err)) {
        return false;
    }
    message = message ? app_masked(visit->secrets, message) : NULL;
    if (message && size_of(message) <= MAX_UNASKED) {
        app_send(app, message);
    } else {
        json_decref(message);
        send_lost(app);
    }
    app->watch.lost = 0;
    app->watch.snapshot_at_ms = clock_monotonic_ms();
    app->watch.is_snapshot_due = false;
    return true;
}

/* Omits items until the message fits into MAX_UNASKED; then totalItems says how many there are. */
static void send_tree(struct app *app, const struct session_visit *visit, json_t *items)
{
    size_t total = json_array_size(items);
    json_t *message = app_message(&app->identity, "ui_tree");
    json_t *shown = json_copy(items);
    json_object_set_new(message, "items", shown);
    while (json_array_size(shown) > 1 && size_of(message) > MAX_UNASKED) {
        for (size_t left = json_array_size(shown) / 2; json_array_size(shown) > left;) {
            json_array_remove(shown, json_array_size(shown) - 1);
        }
        json_object_set_new(message, "totalItems", json_integer((json_int_t)total));
    }
    app_send_masked(app, visit->secrets, message);
}

static void send_changes(struct app *app, const struct session_visit *visit, json_t *changes)
{
    size_t index;
    json_t *change;
    json_array_foreach (changes, index, change) {
        json_t *message = app_message(&app->identity, "ui_element_update");
        json_object_update(message, change);
        app_send_masked(app, visit->secrets, message);
    }
}

static bool look_at_tree(struct app *app, const struct session_visit *visit, struct br_error *err)
{
    struct app_watch *watch = &app->watch;
    json_auto_t *items = NULL;
    const struct app_wanted wanted = { .has_bounds = true };
    int64_t began_ms = clock_monotonic_ms();
    if (!app_ui_look(app->ids, visit, false, &items, err)) {
        return false;
    }
    watch->tree_at_ms = clock_monotonic_ms();
    watch->tree_took_ms = watch->tree_at_ms - began_ms;
    json_t *shown = app_wanted_items(items, &wanted);
    json_auto_t *changes =
        watch->items && !watch->is_tree_due ? app_changes(watch->items, shown) : NULL;
    if (changes) {
        send_changes(app, visit, changes);
    } else {
        send_tree(app, visit, shown);
    }
    json_decref(watch->items);
    watch->items = shown;
    watch->is_tree_due = watch->is_touched = false;
    return true;
}

/* Looks less often at large pages, to take only a small part of their time. */
static bool is_tree_ripe(const struct app_watch *watch)
{
    int64_t pause_ms = watch->tree_took_ms * TREE_SHARE;
    pause_ms = pause_ms < TREE_MS ? TREE_MS : pause_ms > MAX_TREE_MS ? MAX_TREE_MS : pause_ms;
    return watch->is_tree_due ||
           (watch->is_touched && clock_monotonic_ms() - watch->tree_at_ms >= pause_ms);
}

static void send_states(struct app *app, const struct session_visit *visit, json_t *states)
{
    const char *scope;
    json_t *state;
    struct app_watch *watch = &app->watch;
    json_object_foreach (states, scope, state) {
        json_t *before = json_object_get(watch->states, scope);
        if (!before || !json_equal(before, state)) {
            app_send_masked(app, visit->secrets,
                            app_state_message(&app->identity, scope, before, state));
            json_object_set(watch->states, scope, state);
        }
    }
}

/* The page's own state cannot replace the scopes of this program. */
static void drop_known_scopes(json_t *scopes)
{
    json_object_del(scopes, "location");
    json_object_del(scopes, "viewport");
    json_object_del(scopes, "storage");
}

static bool look_at_custom_state(struct app *app, const struct session_visit *visit,
                                 struct br_error *err)
{
    char *text = NULL;
    json_auto_t *scopes = NULL;
    if (!app_page_state(visit->page, app->watch.custom, &text, &scopes, err)) {
        return false;
    }
    if (scopes) {
        drop_known_scopes(scopes);
        send_states(app, visit, scopes);
        free(app->watch.custom);
        app->watch.custom = text;
    }
    return true;
}

bool app_watch_states(const struct session_visit *visit, json_t **ret_states, struct br_error *err)
{
    CLEANUP_FREE char *text = NULL;
    json_auto_t *scopes = NULL;
    json_t *own = NULL;
    if (!app_page_state(visit->page, NULL, &text, &scopes, err) ||
        !app_page_ask(visit->page, json_pack("{s:s}", "op", "state"), &own, err)) {
        return false;
    }
    json_object_update_missing(own, scopes);
    *ret_states = app_masked(visit->secrets, own);
    return true;
}

static void send_mutations(struct app *app, const struct session_visit *visit,
                           const json_t *mutations)
{
    size_t index;
    json_t *message;
    char batch_id[32];
    snprintf(batch_id, sizeof(batch_id), "batch-%" PRIu64, ++app->watch.batches);
    json_auto_t *messages = app_mutation_messages(&app->identity, batch_id, mutations);
    json_array_foreach (messages, index, message) {
        app_send_masked(app, visit->secrets, json_incref(message));
    }
}

/* Takes the changes since the last call from watch.js, sends them, and sets what is due. */
static bool take(struct app *app, const struct session_visit *visit, bool *ret_is_ready,
                 struct br_error *err)
{
    struct app_watch *watch = &app->watch;
    json_auto_t *answer = NULL;
    int64_t now_ms = clock_monotonic_ms();
    bool wants_state = !watch->is_tree_due && now_ms - watch->state_at_ms >= STATE_MS;
    if (!app_page_ask(visit->page,
                      json_pack("{s:s, s:b, s:b, s:b}", "op", "take", "wantsState", wants_state,
                                "wantsAll", json_object_size(watch->states) == 0, "wantsMutations",
                                !watch->is_snapshot_due),
                      &answer, err)) {
        return false;
    }
    double number = json_member_number(answer, "number", 0);
    if (watch->number != 0 && number != watch->number) {
        return begin_document(app, visit, err) && take(app, visit, ret_is_ready, err);
    }
    watch->number = number;
    watch->is_touched |= json_member_bool(answer, "isTouched", false);
    *ret_is_ready = json_member_bool(answer, "isReady", false) || now_ms > watch->settled_by_ms;
    if (json_array_size(json_object_get(answer, "mutations")) > 0) {
        send_mutations(app, visit, json_object_get(answer, "mutations"));
    }
    watch->lost += (uint64_t)json_member_number(answer, "lost", 0);
    watch->is_snapshot_due |= watch->lost > 0;
    if (json_object_get(answer, "state")) {
        send_states(app, visit, json_object_get(answer, "state"));
    }
    if (wants_state) {
        watch->state_at_ms = now_ms;
        return look_at_custom_state(app, visit, err);
    }
    return true;
}

static bool look_for_agents(struct app *app, const struct session_visit *visit,
                            struct br_error *err)
{
    bool is_ready = false;
    struct app_watch *watch = &app->watch;
    if (!take(app, visit, &is_ready, err)) {
        return false;
    }
    bool is_first = watch->is_tree_due;
    bool is_snapshot_ripe =
        watch->is_snapshot_due &&
        (is_first ? is_ready : clock_monotonic_ms() - watch->snapshot_at_ms >= SNAPSHOT_MS);
    if (is_snapshot_ripe && !send_snapshot(app, visit, err)) {
        return false;
    }
    return (is_first && !is_ready) || !is_tree_ripe(watch) || look_at_tree(app, visit, err);
}

static bool look(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct app *app = data;
    struct app_watch *watch = &app->watch;
    size_t agents = atomic_load(&app->agents);
    if (!check_document(app, visit, err)) {
        return false;
    }
    if (atomic_exchange(&app->has_newcomer, false)) {
        begin_sending(watch);
    }
    watch->agents = agents;
    if (agents > 0) {
        return look_for_agents(app, visit, err);
    }
    if (watch->number != 0) {
        json_auto_t *ignored = NULL;
        watch->number = 0;
        return app_page_ask(visit->page, json_pack("{s:s}", "op", "end"), &ignored, err);
    }
    return true;
}

static bool is_lost(enum br_code code)
{
    return code == BR_PAGE_CRASHED || code == BR_BROWSER_CRASHED || code == BR_DISCONNECTED;
}

void app_watch_look(struct app *app, struct br_session *session)
{
    struct br_error err;
    struct app_watch *watch = &app->watch;
    int64_t now_ms = clock_monotonic_ms();
    bool has_agents = atomic_load(&app->agents) > 0;
    if (now_ms < watch->rest_until_ms) {
        return;
    }
    atomic_store(&app->is_stirred, false);
    subscribe(app, session, has_agents);
    if (session_visit(session, LOOK_MS, look, app, &err)) {
        return;
    }
    bool is_back = is_lost(err.code) && app_restore(app, session, &err);
    if (!is_back && (is_lost(err.code) || err.code == BR_TIMEOUT)) {
        watch->rest_until_ms = clock_monotonic_ms() + REST_MS;
        atomic_store(&app->is_stirred, true);
    }
}

void app_watch_finish(struct app *app)
{
    json_decref(app->watch.items);
    json_decref(app->watch.states);
    free(app->watch.custom);
}
