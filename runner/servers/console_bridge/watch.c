#include "runner/servers/console_bridge/watch.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/console/envelope.h"
#include "runner/console/page.h"
#include "runner/session/visit.h"

#include <stdatomic.h>
#include <string.h>

enum { SEND_DROPPED_MS = 1000, LOOK_MS = 1000 };

struct console_watch {
    struct console_watch_options options;
    char *url;
    uint64_t id; /* the hub's */
    struct worker *worker;
    atomic_bool is_looking, has_ended;
    /* Used on the worker's thread: */
    struct console_page page;
    bool is_lost;
    bool is_announced;
    bool is_closed;    /* the tab that it follows was closed */
    bool is_title_due; /* the document may have another title than the page has here */
    size_t dropped;
    int64_t dropped_sent_ms;
};

/* On the worker's thread. */

static void send_text(struct console_watch *watch, const char *text)
{
    console_hub_message(watch->options.hub, watch->id, text, strlen(text));
}

/* Takes ownership of the payload. */
static void send_message(struct console_watch *watch, const char *type, json_t *payload)
{
    CLEANUP_FREE char *text = envelope_text(type, clock_wall_ms(), NULL, payload);
    send_text(watch, text);
}

static void send_status(struct console_watch *watch, const char *status, const char *reason)
{
    send_message(watch, "connection_status",
                 json_pack("{s:s, s:o}", "status", status, "reason", json_text(reason)));
}

/* Counts calls that were dropped since the hub was full or the page too fast; sends the count. */
static void send_dropped(struct console_watch *watch, size_t more)
{
    int64_t now_ms = clock_monotonic_ms();
    watch->dropped += more;
    if (watch->dropped == 0 || now_ms - watch->dropped_sent_ms < SEND_DROPPED_MS ||
        !console_hub_has_room(watch->options.hub)) {
        return;
    }
    CLEANUP_FREE char *why =
        xasprintf("%zu console messages of the page were dropped", watch->dropped);
    send_message(watch, "error",
                 json_pack("{s:s, s:o}", "code", "RATE_LIMIT", "message", json_text(why)));
    watch->dropped = 0;
    watch->dropped_sent_ms = now_ms;
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

static void send_call(struct console_watch *watch, const struct br_event *event)
{
    const struct br_log *log = &event->as.log;
    size_t size = length_of(log->message) + 4 * length_of(log->arguments) + length_of(log->stack);
    int times = 1;
    for (int i = 0; i < times; i++) {
        struct console_event *call = console_page_read(&watch->page, event, &times);
        if (call && console_hub_has_room(watch->options.hub)) {
            console_hub_event(watch->options.hub, watch->id, call, size);
        } else if (call) {
            console_event_destroy(call);
            watch->dropped++;
        }
    }
    send_dropped(watch, 0);
}

static void send_loss(struct console_watch *watch, const char *reason)
{
    if (!watch->is_lost) {
        watch->is_lost = true;
        send_status(watch, "reconnecting", reason ? reason : "the page was lost");
    }
}

/* A tab that cannot be followed is not announced. */
static void announce(struct console_watch *watch)
{
    const char *shown = watch->page.tabs[watch->page.active].url;
    watch->is_announced = true;
    send_status(watch, "connected", watch->url ? watch->url : shown ? shown : "a tab that is open");
}

/* Whether the tab that was followed, and not opened here, has been closed. */
static bool is_end_of_tab(const struct console_watch *watch, const struct br_tab_change *change)
{
    const struct console_page *page = &watch->page;
    return change->step == BR_TAB_CLOSED && !watch->url &&
           change->number == page->tabs[page->active].number;
}

static void on_event(void *data, const struct br_event *event)
{
    struct console_watch *watch = data;
    if (event->kind == BR_EVENT_TAB && watch->options.on_tab &&
        event->as.tab.step != BR_TAB_ACTIVATED) {
        watch->options.on_tab(watch->options.data, event->as.tab.id,
                              event->as.tab.step == BR_TAB_OPENED);
    }
    CLEANUP_FREE char *status = console_page_status(&watch->page, event);
    bool is_ending = atomic_load(&watch->has_ended);
    if (event->kind == BR_EVENT_TAB && watch->page.is_open && !watch->is_announced) {
        announce(watch);
    }
    if (event->kind == BR_EVENT_TAB && !is_ending && !status &&
        is_end_of_tab(watch, &event->as.tab)) {
        watch->is_closed = true;
        send_status(watch, "disconnected", "the tab was closed");
    } else if (status && !is_ending) {
        send_text(watch, status);
    } else if (event->kind == BR_EVENT_DROPPED) {
        send_dropped(watch, event->as.dropped);
    } else if (event->kind == BR_EVENT_PAGE && event->as.page.is_back) {
        watch->is_lost = false;
        send_status(watch, "connected", "the page is back");
    } else if (event->kind == BR_EVENT_PAGE) {
        send_loss(watch, event->as.page.reason);
    } else if (event->kind != BR_EVENT_TAB) {
        send_call(watch, event);
        watch->is_title_due |= event->kind == BR_EVENT_NAVIGATION && event->tab == 0 &&
                               (event->as.navigation.step == BR_NAVIGATION_LOADED ||
                                event->as.navigation.step == BR_NAVIGATION_WITHIN);
    }
}

static void end(struct console_watch *watch, const struct br_error *why)
{
    if (!atomic_exchange(&watch->has_ended, true) && watch->options.on_over) {
        watch->options.on_over(watch->options.data, watch, why);
    }
}

/* Takes ownership of the instruction. */
static bool act(struct console_watch *watch, struct br_session *session, json_t *instruction,
                struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response =
        worker_run(watch->worker, session, instruction, err);
    if (response && response->url) {
        console_page_set(&watch->page, response->url, response->title);
    }
    return response && response->success;
}

/* Any action restores a lost page, or adopts the session's tab; its response has URL and title. */
static bool restore(struct console_watch *watch, struct br_session *session, struct br_error *err)
{
    return act(watch, session, json_pack("{s:s, s:i}", "type", "wait", "ms", 1), err);
}

static bool open_page(struct console_watch *watch, struct br_session *session, struct br_error *err)
{
    const struct br_sink sink = {
        .on_event = on_event,
        .data = watch,
        .kinds = CONSOLE_PAGE_KINDS,
        .wants_values = true,
        .wants_tabs = true,
    };
    if (!br_session_subscribe(session, &sink, err)) {
        return false;
    }
    if (!watch->url) {
        return restore(watch, session, err);
    }
    return act(watch, session,
               json_pack("{s:s, s:o, s:s}", "type", "start", "url", json_text(watch->url),
                         "screenshots", "none"),
               err);
}

static void refuse(struct console_watch *watch, const struct br_error *why)
{
    if (why->code != BR_CANCELLED) {
        end(watch, why);
    }
}

static void on_open_call(void *data, const struct worker_call *call)
{
    struct br_error err;
    if (!call->session) {
        refuse(data, &call->why);
    } else if (!open_page(data, call->session, &err)) {
        end(data, &err);
    }
}

static bool is_loss(enum br_code code)
{
    return code == BR_PAGE_CRASHED || code == BR_BROWSER_CRASHED || code == BR_DISCONNECTED;
}

/* Chrome reports no change of a title: an action's response has it. */
static void update_title(struct console_watch *watch, struct br_session *session)
{
    struct br_error ignored;
    if (watch->is_title_due) {
        watch->is_title_due = false;
        restore(watch, session, &ignored);
    }
}

static void look_at_page(struct console_watch *watch, struct br_session *session)
{
    struct br_error err;
    if (session_visit(session, LOOK_MS, NULL, NULL, &err)) {
        update_title(watch, session);
    } else if (watch->is_closed && is_loss(err.code)) {
        error_set(&err, BR_TARGET_NOT_FOUND, "the tab was closed");
        end(watch, &err);
    } else if (is_loss(err.code)) {
        send_loss(watch, err.code == BR_PAGE_CRASHED ? "the page crashed" : "the browser is gone");
        if (!restore(watch, session, &err)) {
            end(watch, &err);
        }
    }
}

/* Ignores a page that does not answer: it may be stopped in a debugger. */
static void on_look_call(void *data, const struct worker_call *call)
{
    struct console_watch *watch = data;
    if (!call->session) {
        refuse(watch, &call->why);
        return;
    }
    if (!atomic_load(&watch->has_ended)) {
        look_at_page(watch, call->session);
    }
    atomic_store(&watch->is_looking, false);
}

/* On other threads. */

static void destroy(struct console_watch *watch)
{
    console_page_finish(&watch->page);
    free(watch->url);
    free(watch);
}

struct console_watch *console_watch_start(const struct console_watch_options *options,
                                          struct br_error *err)
{
    struct console_watch *watch = xcalloc(1, sizeof(*watch));
    CLEANUP_FREE char *name = xasprintf("page-%u", options->number);
    watch->options = *options;
    console_page_init(&watch->page, options->last_tab);
    watch->url = options->url ? xstrdup(options->url) : NULL;
    watch->id = CONSOLE_OWN_ID + options->number;
    console_page_set(&watch->page, options->shown_url, options->shown_title);
    watch->page.tabs[0].last_ms = options->from_ms;
    watch->worker = sessions_open(options->sessions, name, options->settings, NULL, err);
    if (!watch->worker) {
        destroy(watch);
        return NULL;
    }
    console_hub_open(options->hub, watch->id, NULL);
    if (watch->url) {
        announce(watch);
    }
    worker_post(watch->worker, DEADLINE_NEVER, on_open_call, watch);
    return watch;
}

void console_watch_look(struct console_watch *watch)
{
    if (!atomic_load(&watch->has_ended) && !atomic_exchange(&watch->is_looking, true)) {
        worker_post(watch->worker, DEADLINE_NEVER, on_look_call, watch);
    }
}

bool console_watch_is_over(const struct console_watch *watch)
{
    return atomic_load(&watch->has_ended);
}

void console_watch_stop(struct console_watch *watch)
{
    if (!watch) {
        return;
    }
    atomic_store(&watch->has_ended, true);
    worker_stop(watch->worker, NULL, NULL);
    worker_await(watch->worker);
    worker_release(watch->worker);
    console_hub_close(watch->options.hub, watch->id);
    destroy(watch);
}
