#include "runner/servers/console_bridge/hub.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/rfc3339.h"
#include "runner/base/table.h"
#include "runner/base/thread.h"
#include "runner/base/unicode.h"
#include "runner/loop/mailbox.h"
#include "runner/servers/console_bridge/places.h"
#include "runner/servers/console_bridge/read.h"
#include "runner/servers/console_bridge/write.h"
#include "runner/servers/console_bridge/envelope.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MAX_WAITING = 16 << 20, /* bytes of messages, over which sources are to pause */
    MAX_QUEUED = 16 << 20,  /* bytes of events that wait for scripts, of all tabs */
    LOOK_MS = 250,
    LOOK_QUEUED_MS = 20, /* while events wait for scripts */
    TELL_DROPPED_MS = 1000,
    TELL_RATE_MS = 1000,
    INFO_BYTES = 100, /* of a name that an extension gives */
};

enum post_kind { POST_OPEN, POST_TEXT, POST_EVENT, POST_CLOSE, POST_SCRIPTS };

struct post {
    struct message message;
    enum post_kind kind;
    uint64_t id;
    struct console_peer peer;
    struct console_event *event; /* owned */
    size_t length;
    char text[]; /* a NUL behind it */
};

struct source {
    struct table_item item;
    uint64_t id;
    uint64_t number; /* as it is called in lines */
    struct console_peer peer;
    struct console_tab *tabs; /* the last that spoke first */
    size_t tab_count;
    bool is_told;   /* that it is there */
    bool is_closed; /* gone, but for events that wait */
    uint64_t events, invalid;
    size_t dropped; /* since it was told of the limit */
    int64_t told_rate_at_ms;
};

struct console_hub {
    struct console_hub_options options;
    struct mailbox *mailbox;
    pthread_t thread;
    atomic_bool is_ending;
    void (*on_room)(void *data);
    void *room_data;
    pthread_mutex_t mutex; /* guards the next two, and whom to tell of room */
    size_t waiting;        /* bytes */
    bool wants_room;
    /* The thread's own: */
    struct table sources;
    uint64_t last_number;
    size_t tabs_with_drops;
    struct console_scripts *scripts; /* NULL: places stay as they are */
    unsigned places;                 /* what of an event may be shown */
    size_t queued_bytes;             /* of all tabs */
    int64_t looked_at_ms;            /* at events that wait */
    struct strbuf text;
};

static void destroy_post(struct message *message)
{
    struct post *post = (struct post *)message;
    console_event_destroy(post->event);
    free(post);
}

static struct post *post_create(enum post_kind kind, uint64_t id, const char *text, size_t length)
{
    struct post *post = xmalloc(sizeof(*post) + length + 1);
    *post = (struct post){ .message = { .destroy = destroy_post, .size = sizeof(*post) + length },
                           .kind = kind,
                           .id = id,
                           .length = length };
    memcpy(post->text, text, length);
    post->text[length] = '\0';
    return post;
}

/* False: it is too much already. */
static bool put(struct console_hub *hub, struct post *post)
{
    pthread_mutex_lock(&hub->mutex);
    hub->waiting += post->message.size;
    bool is_full = hub->waiting > MAX_WAITING;
    hub->wants_room |= is_full;
    pthread_mutex_unlock(&hub->mutex);
    mailbox_post(hub->mailbox, &post->message);
    return !is_full;
}

static void note_taken(struct console_hub *hub, const struct post *post)
{
    pthread_mutex_lock(&hub->mutex);
    hub->waiting -= post->message.size;
    bool has_room = hub->wants_room && hub->waiting < MAX_WAITING / 2;
    hub->wants_room &= !has_room;
    pthread_mutex_unlock(&hub->mutex);
    if (has_room && hub->on_room) {
        hub->on_room(hub->room_data);
    }
}

/* What is told. */

static void tell(struct console_hub *hub, bool is_urgent)
{
    hub->options.on_text(hub->options.data, hub->text.data, is_urgent);
    strbuf_clear(&hub->text);
}

/* Takes the line, to which kind and time are added. */
static void tell_json(struct console_hub *hub, const char *kind, const struct source *source,
                      int64_t time_ms, json_t *rest, bool is_urgent)
{
    char time[RFC3339_SIZE];
    rfc3339_format(time_ms, true, time);
    json_auto_t *line = json_pack("{s:s, s:I, s:s}", "kind", kind, "connection",
                                  (json_int_t)source->number, "timestamp", time);
    json_object_update(line, rest);
    json_decref(rest);
    console_add_json_line(&hub->text, line);
    tell(hub, is_urgent);
}

static void tell_notice(struct console_hub *hub, const char *notice)
{
    console_add_notice(&hub->text, &hub->options.print, clock_wall_ms(), notice);
    tell(hub, true);
}

/* `info` may be NULL. */
static void tell_status(struct console_hub *hub, struct source *source, const char *status,
                        const char *reason, json_t *info)
{
    if (hub->options.is_json) {
        json_t *line =
            json_pack("{s:s, s:I}", "status", status, "events", (json_int_t)source->events);
        if (reason) {
            json_object_set_new(line, "reason", json_text(reason));
        }
        if (info) {
            json_object_set(line, "clientInfo", info);
        }
        tell_json(hub, "console_connection", source, clock_wall_ms(), line, true);
        return;
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *browser = json_member_string(info, "browser");
    const char *version = json_member_string(info, "browserVersion");
    const char *extension = json_member_string(info, "extensionVersion");
    strbuf_add_format(&text, "connection %" PRIu64 " %s", source->number, status);
    if (browser) {
        strbuf_add_format(&text, ": %.*s %.*s", INFO_BYTES, browser, INFO_BYTES,
                          version ? version : "");
    }
    if (extension) {
        strbuf_add_format(&text, "%s extension %.*s", browser ? "," : ":", INFO_BYTES, extension);
    }
    if (reason) {
        strbuf_add_format(&text, " (%.*s)", INFO_BYTES, reason);
    }
    tell_notice(hub, text.data);
}

static void tell_it_is_there(struct console_hub *hub, struct source *source)
{
    if (!source->is_told) {
        source->is_told = true;
        tell_status(hub, source, "connected", NULL, NULL);
    }
}

/* Takes the text. */
static void reply(const struct source *source, char *text, bool is_answer)
{
    if (source->peer.on_reply) {
        source->peer.on_reply(source->peer.data, source->id, text, is_answer);
    }
    free(text);
}

/* Tabs and their limits. */

static void tell_dropped(struct console_hub *hub, const struct source *source,
                         struct console_tab *tab)
{
    size_t dropped = tab->dropped;
    size_t errors = tab->dropped_errors;
    hub->tabs_with_drops -= dropped > 0;
    tab->dropped = tab->dropped_errors = 0;
    if (dropped == 0) {
        return;
    }
    if (hub->options.is_json) {
        tell_json(hub, "console_dropped", source, clock_wall_ms(),
                  json_pack("{s:s, s:I, s:I}", "tabId", tab->id, "count", (json_int_t)dropped,
                            "errors", (json_int_t)errors),
                  true);
        return;
    }
    CLEANUP_FREE char *notice = xasprintf(
        "%zu messages of tab %s of connection %" PRIu64 " left out, %zu of them warnings or "
        "errors: more than %d a second",
        dropped, *tab->id ? tab->id : "-", source->number, errors, hub->options.max_rate);
    tell_notice(hub, notice);
}

static void tab_destroy(struct console_tab *tab)
{
    console_tab_finish(tab);
    free(tab);
}

/* Warnings and errors have room of their own beside what may be shown of the rest. */
static bool is_too_fast(const struct console_hub *hub, struct console_tab *tab, bool is_severe)
{
    int rate = hub->options.max_rate;
    struct bucket *bucket = is_severe ? &tab->severe : &tab->plain;
    int max = is_severe ? 2 * rate : rate;
    return rate > 0 && !bucket_admits(bucket, max, max, clock_monotonic_ms());
}

static void note_dropped(struct console_hub *hub, struct source *source, struct console_tab *tab,
                         bool is_severe)
{
    int64_t now_ms = clock_monotonic_ms();
    if (tab->dropped++ == 0) {
        hub->tabs_with_drops++;
        tab->dropped_at_ms = now_ms;
    }
    tab->dropped_errors += is_severe;
    source->dropped++;
    if (!source->told_rate_at_ms || now_ms - source->told_rate_at_ms >= TELL_RATE_MS) {
        source->told_rate_at_ms = now_ms;
        reply(source, envelope_rate_limit(hub->options.max_rate, source->dropped), false);
        source->dropped = 0;
    }
}

/* Tells of what was left out a second ago, in the tabs that are quiet now as well. */
static void tell_all_dropped(struct console_hub *hub, bool is_end)
{
    int64_t now_ms = clock_monotonic_ms();
    struct table_item *item = NULL;
    while (hub->tabs_with_drops > 0 && (item = table_next(&hub->sources, item))) {
        struct source *source = (struct source *)item;
        for (struct console_tab *tab = source->tabs; tab; tab = tab->next) {
            if (is_end || now_ms - tab->dropped_at_ms >= TELL_DROPPED_MS) {
                tell_dropped(hub, source, tab);
            }
        }
    }
}

/* Events. */

static void tell_event_json(struct console_hub *hub, const struct source *source,
                            const struct console_event *event, const struct console_effect *effect)
{
    static const struct console_style plain = { 0 };
    struct strbuf body = STRBUF_INIT(CONSOLE_EVENT_MAX);
    console_add_body(&body, &plain, event, effect);
    const char *filter = hub->options.print.filter;
    if (!filter || unicode_contains(body.data, filter)) {
        json_t *line =
            json_pack("{s:s, s:i, s:o, s:o}", "level", console_level_name(effect->level), "groups",
                      (int)effect->groups, "text", json_text(effect->is_shown ? body.data : ""),
                      "source", console_source_json(event));
        json_t *payload = console_payload_json(event);
        json_object_update(line, payload);
        json_decref(payload);
        if (hub->options.print.has_latency) {
            json_object_set_new(line, "latencyMs", json_integer(clock_wall_ms() - event->time_ms));
        }
        tell_json(hub, "console", source, event->time_ms, line, effect->level >= LEVEL_WARN);
    }
    strbuf_finish(&body);
}

static void tell_effect(struct console_hub *hub, struct source *source, struct console_tab *tab,
                        const struct console_event *event, const struct console_effect *effect)
{
    struct console_print *print = &hub->options.print;
    bool is_severe = effect->level >= LEVEL_WARN;
    bool is_wanted = hub->options.is_json ? (print->methods & 1U << event->method) != 0
                                          : console_print_wants(print, event, effect);
    source->events++;
    if (!is_wanted) {
        return;
    }
    if (is_too_fast(hub, tab, is_severe)) {
        note_dropped(hub, source, tab, is_severe);
        return;
    }
    if (event->method == CONSOLE_TABLE && hub->options.columns) {
        print->style.columns = hub->options.columns(hub->options.data);
    }
    if (hub->options.is_json) {
        tell_event_json(hub, source, event, effect);
    } else if (console_add_event(&hub->text, print, event, effect, clock_wall_ms())) {
        tell(hub, is_severe);
    }
}

static void tell_event(struct console_hub *hub, struct source *source, struct console_tab *tab,
                       const struct console_event *event)
{
    struct console_effect effect = console_tab_apply(tab, event);
    tell_effect(hub, source, tab, event, &effect);
    free(effect.text);
}

/* Events that wait for their scripts, and those of the same tab behind them. */

/* What will be shown of its places. */
static unsigned places_of(const struct console_hub *hub, const struct console_event *event)
{
    bool has_stack =
        hub->options.is_json || event->method == CONSOLE_TRACE || event->method == CONSOLE_ASSERT;
    bool is_shown = hub->options.print.methods & 1U << event->method;
    return is_shown ? hub->places & ~(has_stack ? 0U : PLACES_STACK) : 0;
}

static bool waits(struct console_hub *hub, const struct console_event *event)
{
    return hub->scripts && console_places_await(hub->scripts, event, places_of(hub, event));
}

/* Takes the event. */
static void tell_mapped(struct console_hub *hub, struct source *source, struct console_tab *tab,
                        struct console_event *event)
{
    if (hub->scripts) {
        console_places_apply(hub->scripts, event, places_of(hub, event));
    }
    tell_event(hub, source, tab, event);
    console_event_destroy(event);
}

/* Those of a tab that wait no longer, or all. */
static void release(struct console_hub *hub, struct source *source, struct console_tab *tab,
                    bool is_all)
{
    int64_t now_ms = clock_monotonic_ms();
    int64_t since_ms;
    const struct console_event *first;
    while ((first = console_queue_first(&tab->queue, &since_ms)) &&
           (is_all || now_ms - since_ms >= SCRIPTS_WAIT_MS || !waits(hub, first))) {
        size_t bytes = 0;
        struct console_event *event = console_queue_take(&tab->queue, &bytes);
        hub->queued_bytes -= bytes;
        tell_mapped(hub, source, tab, event);
    }
}

/* The one that was silent longest. */
static void forget_last_tab(struct console_hub *hub, struct source *source)
{
    struct console_tab **last = &source->tabs;
    while ((*last)->next) {
        last = &(*last)->next;
    }
    release(hub, source, *last, true);
    tell_dropped(hub, source, *last);
    tab_destroy(*last);
    *last = NULL;
    source->tab_count--;
}

static struct console_tab *find_tab(struct console_hub *hub, struct source *source, const char *id)
{
    struct console_tab **at = &source->tabs;
    while (*at && strcmp((*at)->id, id) != 0) {
        at = &(*at)->next;
    }
    struct console_tab *tab = *at;
    if (tab) {
        *at = tab->next;
    } else {
        if (source->tab_count == CONSOLE_MAX_TABS) {
            forget_last_tab(hub, source);
        }
        tab = xcalloc(1, sizeof(*tab));
        tab->id = xstrdup(id);
        source->tab_count++;
    }
    tab->next = source->tabs;
    source->tabs = tab;
    return tab;
}

/* Takes the event, of about so many bytes. */
static void take_call(struct console_hub *hub, struct source *source, struct console_event *event,
                      size_t bytes)
{
    struct console_tab *tab = find_tab(hub, source, event->source.tab);
    tell_it_is_there(hub, source);
    /* Also of one that has to wait anyway the scripts are asked for. */
    bool is_early = waits(hub, event) || tab->queue.count > 0;
    if (!is_early) {
        tell_mapped(hub, source, tab, event);
        return;
    }
    console_queue_add(&tab->queue, event, bytes, clock_monotonic_ms());
    hub->queued_bytes += bytes;
    if (tab->queue.count > CONSOLE_MAX_QUEUED || tab->queue.bytes > CONSOLE_MAX_QUEUED_BYTES ||
        hub->queued_bytes > MAX_QUEUED) {
        release(hub, source, tab, true);
    }
}

/* Messages. */

static void refuse(struct console_hub *hub, struct source *source,
                   const struct envelope_fault *fault, const json_t *message, const char *text)
{
    source->invalid++;
    reply(source, envelope_invalid(fault, message, text), false);
    if (hub->options.is_verbose) {
        CLEANUP_FREE char *why = envelope_fault_text(fault);
        CLEANUP_FREE char *notice = xasprintf("connection %" PRIu64 ": %s", source->number, why);
        if (hub->options.is_json) {
            tell_json(hub, "console_invalid", source, clock_wall_ms(),
                      json_pack("{s:s, s:s}", "field", fault->field, "message", why), true);
        } else {
            tell_notice(hub, notice);
        }
    }
}

static bool take_event(struct console_hub *hub, struct source *source,
                       const struct envelope *envelope, size_t bytes, struct envelope_fault *fault)
{
    struct console_event *event = console_read(envelope->payload, envelope->source,
                                               envelope->time_ms, &fault->field, &fault->why);
    if (!event) {
        return false;
    }
    take_call(hub, source, event, bytes);
    return true;
}

static bool is_status(const char *status)
{
    return strcmp(status, "connected") == 0 || strcmp(status, "disconnected") == 0 ||
           strcmp(status, "reconnecting") == 0;
}

static bool take_status(struct console_hub *hub, struct source *source,
                        const struct envelope *envelope, struct envelope_fault *fault)
{
    const json_t *given = json_object_get(envelope->payload, "status");
    const char *status = json_string_value(given);
    fault->field = "payload.status";
    fault->why = given ? "has to be connected, disconnected or reconnecting" : NULL;
    if (!status || !is_status(status)) {
        return false;
    }
    source->is_told = true;
    tell_status(hub, source, status, json_member_string(envelope->payload, "reason"),
                json_object_get(envelope->payload, "clientInfo"));
    if (strcmp(status, "connected") == 0) {
        reply(source, envelope_connected(), true);
    }
    return true;
}

/* An error is never answered, not even one that is invalid: that might be answered again. */
static void take_error(struct console_hub *hub, struct source *source,
                       const struct envelope *envelope)
{
    const char *code = json_member_string(envelope->payload, "code");
    const char *why = json_member_string(envelope->payload, "message");
    if (hub->options.is_json) {
        json_t *line = json_object();
        json_object_set_new(line, "code", json_text(code ? code : "UNKNOWN"));
        json_object_set_new(line, "message", json_text(why ? why : ""));
        tell_json(hub, "console_error", source, envelope->time_ms, line, true);
        return;
    }
    CLEANUP_FREE char *notice =
        xasprintf("connection %" PRIu64 ": error %.*s: %s", source->number, INFO_BYTES,
                  code ? code : "without a code", why ? why : "");
    tell_notice(hub, notice);
}

static void take_message(struct console_hub *hub, struct source *source, const json_t *message,
                         size_t bytes)
{
    struct envelope envelope;
    struct envelope_fault fault;
    enum envelope_verdict verdict = envelope_read(message, &envelope, &fault);
    bool is_fine = verdict == ENVELOPE_FINE;
    if (verdict == ENVELOPE_UNSUPPORTED) {
        reply(source, envelope_unsupported(message), false);
        return;
    }
    if (is_fine && envelope.type == ENVELOPE_CONSOLE_EVENT) {
        is_fine = take_event(hub, source, &envelope, bytes, &fault);
    } else if (is_fine && envelope.type == ENVELOPE_CONNECTION_STATUS) {
        is_fine = take_status(hub, source, &envelope, &fault);
    } else if (is_fine && envelope.type == ENVELOPE_ERROR) {
        take_error(hub, source, &envelope);
    } else if (is_fine && envelope.type == ENVELOPE_PING) {
        reply(source, envelope_pong(envelope.payload), true);
    }
    if (!is_fine) {
        refuse(hub, source, &fault, message, NULL);
    }
}

static void take_text(struct console_hub *hub, struct source *source, const struct post *post)
{
    struct br_error err = { 0 };
    json_auto_t *root = json_parse(post->text, post->length, "the message", &err);
    size_t index;
    json_t *message;
    if (!root) {
        const struct envelope_fault fault = { "message", "is no JSON" };
        refuse(hub, source, &fault, NULL, post->text);
    } else if (!json_is_array(root)) {
        take_message(hub, source, root, post->length);
    }
    json_array_foreach (root, index, message) {
        take_message(hub, source, message, post->length / json_array_size(root));
    }
}

/* Sources. */

static bool is_source(const struct table_item *item, const void *key)
{
    return ((const struct source *)item)->id == *(const uint64_t *)key;
}

static struct source *find_source(const struct console_hub *hub, uint64_t id)
{
    return (struct source *)table_find(&hub->sources, table_hash_number(id), is_source, &id);
}

static void open_source(struct console_hub *hub, const struct post *post)
{
    struct source *source = xcalloc(1, sizeof(*source));
    source->id = post->id;
    source->peer = post->peer;
    source->number = ++hub->last_number;
    table_add(&hub->sources, &source->item, table_hash_number(post->id));
}

static void close_source(struct console_hub *hub, struct source *source)
{
    for (struct console_tab *tab = source->tabs; tab; tab = tab->next) {
        tell_dropped(hub, source, tab);
    }
    if (source->is_told) {
        tell_status(hub, source, "gone", NULL, NULL);
    }
    while (source->tabs) {
        struct console_tab *tab = source->tabs;
        source->tabs = tab->next;
        tab_destroy(tab);
    }
    table_remove(&hub->sources, &source->item);
    free(source);
}

/* Closes it, too, where it has gone and nothing waits any more. */
static void release_source(struct console_hub *hub, struct source *source, bool is_all)
{
    bool is_empty = true;
    for (struct console_tab *tab = source->tabs; tab; tab = tab->next) {
        release(hub, source, tab, is_all);
        is_empty &= tab->queue.count == 0;
    }
    if (is_empty && source->is_closed) {
        close_source(hub, source);
    }
}

static void release_all(struct console_hub *hub, bool is_all)
{
    hub->looked_at_ms = clock_monotonic_ms();
    struct table_item *item = table_next(&hub->sources, NULL);
    while (item) {
        struct source *source = (struct source *)item;
        item = table_next(&hub->sources, item);
        release_source(hub, source, is_all);
    }
}

/* Whether somebody waits: for scripts, or longer than is worth it. */
static void look_at_queues(struct console_hub *hub)
{
    if (hub->queued_bytes > 0 && clock_monotonic_ms() - hub->looked_at_ms >= LOOK_QUEUED_MS) {
        release_all(hub, false);
    }
}

static void take(struct console_hub *hub, struct post *post)
{
    struct source *source = find_source(hub, post->id);
    if (post->kind == POST_SCRIPTS) {
        console_scripts_collect(hub->scripts);
        release_all(hub, false);
    } else if (post->kind == POST_OPEN) {
        open_source(hub, post);
    } else if (source && post->kind == POST_TEXT) {
        take_text(hub, source, post);
    } else if (source && post->kind == POST_EVENT) {
        take_call(hub, source, TAKE(post->event), post->message.size);
    } else if (source) {
        source->is_closed = true;
        release_source(hub, source, false);
    }
}

static void *run(void *data)
{
    struct console_hub *hub = data;
    for (;;) {
        struct message *message = mailbox_wait(
            hub->mailbox, deadline_in_ms(hub->queued_bytes > 0 ? LOOK_QUEUED_MS : LOOK_MS));
        if (message) {
            note_taken(hub, (struct post *)message);
            take(hub, (struct post *)message);
            message_destroy(message);
        } else if (atomic_load(&hub->is_ending)) {
            break;
        }
        look_at_queues(hub);
        tell_all_dropped(hub, false);
    }
    release_all(hub, true);
    tell_all_dropped(hub, true);
    struct table_item *item;
    while ((item = table_next(&hub->sources, NULL))) {
        close_source(hub, (struct source *)item);
    }
    return NULL;
}

/* On a thread of the scripts'. */
static void on_scripts(void *data)
{
    put(data, post_create(POST_SCRIPTS, 0, "", 0));
}

static void hub_free(struct console_hub *hub)
{
    console_scripts_destroy(hub->scripts);
    mailbox_destroy(hub->mailbox);
    table_finish(&hub->sources);
    strbuf_finish(&hub->text);
    pthread_mutex_destroy(&hub->mutex);
    free(hub);
}

struct console_hub *console_hub_create(const struct console_hub_options *options,
                                       struct br_error *err)
{
    struct console_hub *hub = xcalloc(1, sizeof(*hub));
    hub->options = *options;
    hub->text = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    hub->mailbox = mailbox_create(MAX_WAITING);
    pthread_mutex_init(&hub->mutex, NULL);
    bool has_location = options->is_json || options->print.has_location;
    hub->places = PLACES_STACK | PLACES_VALUES | (has_location ? PLACES_LOCATION : 0U);
    hub->scripts = options->loop ? console_scripts_create(options->loop, on_scripts, hub) : NULL;
    int failure = thread_start(&hub->thread, run, hub);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start a thread");
        hub_free(hub);
        return NULL;
    }
    return hub;
}

void console_hub_destroy(struct console_hub *hub)
{
    if (hub) {
        atomic_store(&hub->is_ending, true);
        pthread_join(hub->thread, NULL);
        hub_free(hub);
    }
}

void console_hub_watch_room(struct console_hub *hub, void (*on_room)(void *data), void *data)
{
    pthread_mutex_lock(&hub->mutex);
    hub->on_room = on_room;
    hub->room_data = data;
    pthread_mutex_unlock(&hub->mutex);
}

void console_hub_open(struct console_hub *hub, uint64_t id, const struct console_peer *peer)
{
    struct post *post = post_create(POST_OPEN, id, "", 0);
    if (peer) {
        post->peer = *peer;
    }
    put(hub, post);
}

bool console_hub_message(struct console_hub *hub, uint64_t id, const char *text, size_t length)
{
    return put(hub, post_create(POST_TEXT, id, text, length));
}

bool console_hub_event(struct console_hub *hub, uint64_t id, struct console_event *event,
                       size_t size)
{
    struct post *post = post_create(POST_EVENT, id, "", 0);
    post->event = event;
    post->message.size += size;
    return put(hub, post);
}

bool console_hub_has_room(struct console_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    bool has_room = hub->waiting <= MAX_WAITING;
    pthread_mutex_unlock(&hub->mutex);
    return has_room;
}

void console_hub_close(struct console_hub *hub, uint64_t id)
{
    put(hub, post_create(POST_CLOSE, id, "", 0));
}
