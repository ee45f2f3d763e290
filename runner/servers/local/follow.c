#include "runner/servers/local/follow.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/console_bridge/envelope.h"
#include "runner/servers/console_bridge/page.h"
#include "runner/servers/console_bridge/write.h"

#include <stdatomic.h>
#include <string.h>

/*
 * That arguments are wanted as values: a subscription of the session's own, made and ended on its
 * thread by jobs, which hold this.
 */
struct wish {
    atomic_int references;
    int number;
};

struct follow {
    struct worker *worker;
    struct net_listener *listener;
    uint64_t connection;
    struct wish *wish;
    struct console_page page; /* of the worker's thread */
};

struct wish_job {
    struct job job;
    struct wish *wish;
};

static void wish_release(struct wish *wish)
{
    if (atomic_fetch_sub(&wish->references, 1) == 1) {
        free(wish);
    }
}

static void destroy_job(struct job *job)
{
    wish_release(((struct wish_job *)job)->wish);
    free(job);
}

static void refuse_job(struct job *job, const struct br_error *why)
{
    (void)job;
    (void)why; /* the session ends, and with it all that it tells */
}

static void post(const struct follow *follow,
                 void (*run)(struct job *, struct worker *, struct br_session *))
{
    struct wish_job *own = xcalloc(1, sizeof(*own));
    own->wish = follow->wish;
    atomic_fetch_add(&follow->wish->references, 1);
    own->job = (struct job){ .owner = follow,
                             .begin_by = { .at_us = INT64_MAX },
                             .run = run,
                             .refuse = refuse_job,
                             .destroy = destroy_job };
    worker_post(follow->worker, &own->job);
}

static void ignore(void *data, const struct br_event *event)
{
    (void)data;
    (void)event;
}

static void run_wish(struct job *job, struct worker *worker, struct br_session *session)
{
    (void)worker;
    struct br_error ignored; /* where there is no room, texts are told */
    const struct br_sink sink = { .on_event = ignore,
                                  .kinds = 1u << BR_EVENT_CONSOLE,
                                  .wants_values = true };
    ((struct wish_job *)job)->wish->number = br_session_subscribe(session, &sink, &ignored);
}

static void run_end(struct job *job, struct worker *worker, struct br_session *session)
{
    (void)worker;
    br_session_unsubscribe(session, ((struct wish_job *)job)->wish->number);
}

/* On the worker's thread. Takes what it is given. */
static void send_message(const struct follow *follow, char *text)
{
    struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
    /* The message is JSON already, and has no line feed in it. */
    strbuf_add_string(&line, "{\"kind\":\"console\",\"message\":");
    strbuf_add_string(&line, text);
    strbuf_add_string(&line, "}");
    net_send(follow->listener, follow->connection, line.data, line.length, NET_TELEMETRY);
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
    json_t *why =
        json_sprintf("%llu messages of the page were left out", (unsigned long long)count);
    send_message(follow,
                 envelope_text("error", clock_wall_ms(), NULL,
                               json_pack("{s:s, s:o}", "code", "RATE_LIMIT", "message", why)));
}

static void on_event(void *data, const struct br_event *event)
{
    struct follow *follow = data;
    int times = 0;
    struct console_event *call = console_page_read(&follow->page, event, &times);
    for (int i = 0; call && i < times; i++) {
        send_message(follow, envelope_text("console_event", call->time_ms,
                                           console_source_json(call), console_payload_json(call)));
    }
    console_event_destroy(call);
    if (event->kind == BR_EVENT_PAGE) {
        send_status(follow, &event->as.page);
    } else if (event->kind == BR_EVENT_DROPPED) {
        send_dropped(follow, event->as.dropped);
    }
}

struct follow *follow_start(struct worker *worker, struct net_listener *listener,
                            uint64_t connection)
{
    struct follow *follow = xcalloc(1, sizeof(*follow));
    json_auto_t *known = worker_describe(worker);
    follow->worker = worker_hold(worker);
    follow->listener = listener;
    follow->connection = connection;
    follow->page.tab = "1";
    console_page_set(&follow->page, json_member_string(known, "url"),
                     json_member_string(known, "title"));
    follow->wish = xcalloc(1, sizeof(*follow->wish));
    atomic_init(&follow->wish->references, 1);
    post(follow, run_wish);
    worker_subscribe(worker, follow, CONSOLE_PAGE_KINDS, on_event, follow);
    return follow;
}

bool follow_is_over(const struct follow *follow)
{
    return worker_is_stopping(follow->worker);
}

void follow_stop(struct follow *follow)
{
    if (!follow) {
        return;
    }
    worker_unsubscribe(follow->worker, follow);
    post(follow, run_end);
    wish_release(follow->wish);
    worker_release(follow->worker);
    console_page_finish(&follow->page);
    free(follow);
}
