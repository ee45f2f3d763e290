#include "runner/servers/local/follow.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/console/envelope.h"
#include "runner/console/page.h"
#include "runner/console/write.h"

#include <stdatomic.h>
#include <string.h>

struct follow {
    struct worker *worker;
    const struct service_client *client;
    atomic_uint last_tab;
    void (*on_over)(void *data);
    void *data;
    struct br_error why; /* set before has_no_browser */
    atomic_bool has_no_browser;
    /* Used on the worker's thread: */
    struct console_page page;
    bool is_lost;
};

/* A call that is refused does nothing: the session ends, and with it all that it reports. */

static void on_begin(void *data, const struct worker_call *call)
{
    (void)data;
    if (call->session) {
        worker_listen(call->worker, call->session, true);
    }
}

static void on_end(void *data, const struct worker_call *call)
{
    (void)data;
    if (call->session) {
        worker_listen(call->worker, call->session, false);
    }
}

/* On the worker's thread. Takes ownership of the text. */
static void send_message(const struct follow *follow, char *text)
{
    struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
    /* The message is JSON already, and has no line feed in it. */
    strbuf_add_string(&line, "{\"kind\":\"console\",\"message\":");
    strbuf_add_string(&line, text);
    strbuf_add_string(&line, "}");
    service_send(follow->client, line.data, line.length, NET_TELEMETRY);
    strbuf_finish(&line);
    free(text);
}

static void send_status(const struct follow *follow, const struct br_page_change *change)
{
    const char *reason = change->reason ? change->reason : "the page was lost";
    send_message(
        follow, envelope_text("connection_status", clock_wall_ms(), NULL,
                              json_pack("{s:s, s:o}", "status",
                                        change->is_back ? "connected" : "reconnecting", "reason",
                                        json_text(change->is_back ? "the page is back" : reason))));
}

static void send_dropped(const struct follow *follow, uint64_t count)
{
    json_t *why = json_sprintf("%llu messages of the page were dropped", (unsigned long long)count);
    send_message(follow,
                 envelope_text("error", clock_wall_ms(), NULL,
                               json_pack("{s:s, s:o}", "code", "RATE_LIMIT", "message", why)));
}

/* Notes an action that could not restore a lost page because no browser was available. */
static void note_action(struct follow *follow, const struct br_action_change *action)
{
    bool has_no_browser = action->code == BR_BROWSER_NOT_FOUND ||
                          action->code == BR_PROFILE_IN_USE || action->code == BR_BROWSER_CRASHED;
    if (follow->is_lost && action->is_over && !action->success && has_no_browser &&
        !atomic_load(&follow->has_no_browser)) {
        error_set(&follow->why, action->code, "%s", action->error ? action->error : "");
        atomic_store(&follow->has_no_browser, true);
        follow->on_over(follow->data);
    }
}

static void on_event(void *data, const struct br_event *event)
{
    struct follow *follow = data;
    int times = 0;
    char *status = console_page_status(&follow->page, event);
    if (status) {
        send_message(follow, status);
    }
    struct console_event *call = console_page_read(&follow->page, event, &times);
    for (int i = 0; call && i < times; i++) {
        send_message(follow, envelope_text("console_event", call->time_ms,
                                           console_source_json(call), console_payload_json(call)));
    }
    console_event_destroy(call);
    if (event->kind == BR_EVENT_PAGE) {
        follow->is_lost = !event->as.page.is_back;
        send_status(follow, &event->as.page);
    } else if (event->kind == BR_EVENT_ACTION) {
        note_action(follow, &event->as.action);
    } else if (event->kind == BR_EVENT_DROPPED) {
        send_dropped(follow, event->as.dropped);
    }
}

struct follow *follow_start(struct worker *worker, const struct service_client *client,
                            void (*on_over)(void *data), void *data)
{
    struct follow *follow = xcalloc(1, sizeof(*follow));
    json_auto_t *known = worker_describe(worker);
    follow->worker = worker_hold(worker);
    follow->client = client;
    follow->on_over = on_over;
    follow->data = data;
    console_page_init(&follow->page, &follow->last_tab);
    follow->page.is_open = json_member_string(known, "url");
    console_page_set(&follow->page, json_member_string(known, "url"),
                     json_member_string(known, "title"));
    follow->page.from_ms = clock_wall_ms();
    worker_subscribe(worker, follow, CONSOLE_PAGE_KINDS | 1u << BR_EVENT_ACTION | WORKER_TABS,
                     on_event, follow);
    worker_post(worker, DEADLINE_NEVER, on_begin, NULL);
    return follow;
}

bool follow_is_over(const struct follow *follow)
{
    return worker_is_stopping(follow->worker) || atomic_load(&follow->has_no_browser);
}

void follow_say_end(const struct follow *follow, const char *reason)
{
    const char *name = worker_name(follow->worker);
    bool has_no_browser = !reason && atomic_load(&follow->has_no_browser);
    json_t *why = reason           ? json_text(reason)
                  : has_no_browser ? json_sprintf("the session %s has no browser any more: %s",
                                                  name, follow->why.message)
                                   : json_sprintf("the session %s was stopped", name);
    json_auto_t *line = json_pack("{s:s, s:o}", "kind", "ended", "reason", why);
    if (has_no_browser) {
        json_object_set_new(line, "errorCode", json_string(br_code_name(follow->why.code)));
    }
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT);
    service_send(follow->client, text, strlen(text), NET_REPLY);
}

void follow_stop(struct follow *follow)
{
    if (!follow) {
        return;
    }
    worker_unsubscribe(follow->worker, follow);
    worker_post(follow->worker, DEADLINE_NEVER, on_end, NULL);
    worker_release(follow->worker);
    console_page_finish(&follow->page);
    free(follow);
}
