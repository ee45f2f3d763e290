#include "runner/servers/console_bridge/hub.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/table.h"
#include "runner/base/thread.h"
#include "runner/console/envelope.h"
#include "runner/console/places.h"
#include "runner/console/read.h"
#include "runner/loop/mailbox.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MAX_WAITING = 16 << 20,   /* bytes of messages; with more, sources have to pause */
    MAX_QUEUED = 16 << 20,    /* bytes of events that wait for scripts, in all tabs */
    LOOK_DROPPED_MS = 250,    /* the longest wait for a message while drops are to be reported */
    LOOK_QUEUED_MS = 20,      /* the same while events wait for scripts */
    REPORT_DROPPED_MS = 1000, /* between two reports of dropped events of a tab */
    REPORT_RATE_MS = 1000,    /* between two RATE_LIMIT errors to a source */
    COLLECT_MS = 500,         /* from the first dropped event to its error */
};

enum post_kind {
    POST_OPEN,
    POST_TEXT,  /* a message of the protocol */
    POST_EVENT, /* an event of a page of this program */
    POST_CLOSE,
    POST_SCRIPTS, /* scripts were fetched */
};

struct post {
    struct message message;
    enum post_kind kind;
    uint64_t id;
    struct console_peer peer;
    struct console_event *event; /* owned */
    size_t length;
    char text[]; /* ends with a NUL */
};

struct source {
    struct table_item item;
    uint64_t id;
    uint64_t number; /* its name in lines */
    struct console_peer peer;
    struct console_tab *tabs; /* the most recently used one first */
    size_t tab_count;
    bool is_announced; /* its connection was reported */
    bool is_closed;    /* it is gone, and is freed once no event of it waits */
    bool is_foreign;   /* a message of another version was reported */
    uint64_t events;
    size_t dropped;        /* events since the last RATE_LIMIT error to it */
    int64_t dropped_at_ms; /* the first of them */
    int64_t rate_error_at_ms;
};

struct console_hub {
    struct console_hub_options options;
    struct mailbox *mailbox;
    pthread_t thread;
    atomic_bool is_ending;
    pthread_mutex_t mutex; /* guards the next four */
    void (*on_room)(void *data);
    void *room_data;
    size_t waiting; /* bytes */
    bool wants_room;
    /* Used by the hub's thread only: */
    struct console_output output;
    struct table sources;
    uint64_t last_number;
    size_t tabs_with_drops;
    struct console_scripts *scripts; /* NULL: source maps are not used */
    unsigned places;                 /* which places of an event are ever written */
    size_t queued_bytes;             /* in all tabs */
    int64_t looked_at_ms;            /* when the queues were last looked at */
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

/* Posts in any case. False: too much waits, the source has to pause. */
static bool put(struct console_hub *hub, struct post *post)
{
    mutex_lock(&hub->mutex);
    hub->waiting += post->message.size;
    bool is_full = hub->waiting > MAX_WAITING;
    hub->wants_room |= is_full;
    mutex_unlock(&hub->mutex);
    mailbox_post(hub->mailbox, &post->message);
    return !is_full;
}

/* Calls on_room with the mutex held: after console_hub_watch_room() the old one is not called. */
static void note_taken(struct console_hub *hub, const struct post *post)
{
    mutex_lock(&hub->mutex);
    hub->waiting -= post->message.size;
    bool has_room = hub->wants_room && hub->waiting < MAX_WAITING / 2;
    hub->wants_room &= !has_room;
    if (has_room && hub->on_room) {
        hub->on_room(hub->room_data);
    }
    mutex_unlock(&hub->mutex);
}

static void announce(struct console_hub *hub, struct source *source)
{
    if (!source->is_announced) {
        source->is_announced = true;
        console_output_status(&hub->output, source->number, "connected", NULL, NULL, NULL,
                              source->events);
    }
}

/* Takes ownership of the text. */
static void reply(const struct source *source, char *text, bool is_answer)
{
    if (source->peer.on_reply) {
        source->peer.on_reply(source->peer.data, source->id, text, is_answer);
    }
    free(text);
}

/* Tabs and their limits. */

static void report_dropped(struct console_hub *hub, const struct source *source,
                           struct console_tab *tab)
{
    if (tab->dropped > 0) {
        console_output_dropped(&hub->output, source->number, tab, hub->options.max_rate);
        tab->dropped = tab->dropped_errors = 0;
        hub->tabs_with_drops--;
    }
}

static void tab_destroy(struct console_tab *tab)
{
    console_tab_finish(tab);
    free(tab);
}

static void note_dropped(struct console_hub *hub, struct source *source,
                         const struct console_tab *tab)
{
    hub->tabs_with_drops += tab->dropped == 1;
    source->dropped_at_ms = source->dropped ? source->dropped_at_ms : clock_monotonic_ms();
    source->dropped++;
}

/*
 * Sends the source a RATE_LIMIT error with the number of dropped events, once a second: before
 * report_dropped(), which counts them for the user.
 */
static void answer_dropped(struct console_hub *hub, struct source *source, bool is_end)
{
    int64_t now_ms = clock_monotonic_ms();
    bool is_due = now_ms - source->dropped_at_ms >= COLLECT_MS &&
                  now_ms - source->rate_error_at_ms >= REPORT_RATE_MS;
    if (source->dropped > 0 && (is_due || is_end)) {
        source->rate_error_at_ms = now_ms;
        reply(source, envelope_rate_limit(hub->options.max_rate, source->dropped), false);
        source->dropped = 0;
    }
}

/* Reports what was dropped at least a second ago, also in tabs that are silent now. */
static void report_all_dropped(struct console_hub *hub, bool is_end)
{
    int64_t now_ms = clock_monotonic_ms();
    struct table_item *item = NULL;
    while (hub->tabs_with_drops > 0 && (item = table_next(&hub->sources, item))) {
        struct source *source = (struct source *)item;
        answer_dropped(hub, source, is_end);
        for (struct console_tab *tab = source->tabs; tab; tab = tab->next) {
            if (is_end || now_ms - tab->dropped_at_ms >= REPORT_DROPPED_MS) {
                report_dropped(hub, source, tab);
            }
        }
    }
}

/* Events. */

static void write_event(struct console_hub *hub, struct source *source, struct console_tab *tab,
                        const struct console_event *event)
{
    struct console_effect effect = console_tab_apply(tab, event);
    source->events++;
    if (console_output_wants(&hub->output, event, &effect)) {
        if (console_tab_admits(tab, hub->options.max_rate, effect.level >= LEVEL_WARN)) {
            console_output_event(&hub->output, source->number, event, &effect);
        } else {
            note_dropped(hub, source, tab);
        }
    }
    free(effect.text);
}

/* Which places of the event are written. */
static unsigned places_of(const struct console_hub *hub, const struct console_event *event)
{
    const struct console_output_options *output = &hub->options.output;
    bool has_stack =
        output->is_json || event->method == CONSOLE_TRACE || event->method == CONSOLE_ASSERT;
    bool is_shown = output->print.methods & 1U << event->method;
    return is_shown ? hub->places & ~(has_stack ? 0U : PLACES_STACK) : 0;
}

static bool waits_for_scripts(struct console_hub *hub, const struct console_event *event)
{
    return hub->scripts && console_places_await(hub->scripts, event, places_of(hub, event));
}

/* Writes the event with its places mapped; takes ownership. */
static void write_mapped(struct console_hub *hub, struct source *source, struct console_tab *tab,
                         struct console_event *event)
{
    if (hub->scripts) {
        console_places_apply(hub->scripts, event, places_of(hub, event));
    }
    write_event(hub, source, tab, event);
    console_event_destroy(event);
}

/* Writes the queued events of a tab whose scripts are here, or have taken too long; or all. */
static void release(struct console_hub *hub, struct source *source, struct console_tab *tab,
                    bool is_all)
{
    int64_t now_ms = clock_monotonic_ms();
    int64_t since_ms;
    const struct console_event *first;
    while ((first = console_tab_first(tab, &since_ms)) &&
           (is_all || now_ms - since_ms >= SCRIPTS_WAIT_MS || !waits_for_scripts(hub, first))) {
        size_t bytes = 0;
        struct console_event *event = console_tab_take(tab, &bytes);
        hub->queued_bytes -= bytes;
        write_mapped(hub, source, tab, event);
    }
}

/* Forgets the tab that was silent longest. */
static void forget_last_tab(struct console_hub *hub, struct source *source)
{
    struct console_tab **last = &source->tabs;
    while ((*last)->next) {
        last = &(*last)->next;
    }
    release(hub, source, *last, true);
    report_dropped(hub, source, *last);
    tab_destroy(*last);
    *last = NULL;
    source->tab_count--;
}

/* Finds or makes the tab, and moves it to the front. */
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

/* Writes the event, or queues it for its scripts or behind others; takes ownership. */
static void take_call(struct console_hub *hub, struct source *source, struct console_event *event,
                      size_t bytes)
{
    struct console_tab *tab = find_tab(hub, source, event->source.tab);
    announce(hub, source);
    /* Asked first: the scripts are fetched even if the event has to wait behind others. */
    if (!waits_for_scripts(hub, event) && tab->queued_count == 0) {
        write_mapped(hub, source, tab, event);
        return;
    }
    console_tab_queue(tab, event, bytes, clock_monotonic_ms());
    hub->queued_bytes += bytes;
    if (tab->queued_count > CONSOLE_MAX_QUEUED || tab->queued_bytes > CONSOLE_MAX_QUEUED_BYTES ||
        hub->queued_bytes > MAX_QUEUED) {
        release(hub, source, tab, true);
    }
}

/* Messages. */

static void refuse(struct console_hub *hub, const struct source *source,
                   const struct envelope_fault *fault, const json_t *message, const char *text)
{
    reply(source, envelope_invalid(fault, message, text), false);
    if (hub->options.is_verbose) {
        CLEANUP_FREE char *why = envelope_fault_text(fault);
        console_output_invalid(&hub->output, source->number, fault->field, why);
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
    fault->why = given ? "must be connected, disconnected or reconnecting" : NULL;
    if (!status || !is_status(status)) {
        return false;
    }
    source->is_announced = true;
    console_output_status(
        &hub->output, source->number, status, json_member_string(envelope->payload, "reason"),
        json_object_get(envelope->payload, "clientInfo"), envelope->source, source->events);
    if (strcmp(status, "connected") == 0) {
        reply(source, envelope_connected(), true);
    }
    return true;
}

/* Says once why nothing of an extension is shown. */
static void report_version(struct console_hub *hub, struct source *source, const json_t *message)
{
    const char *version = json_member_string(message, "version");
    if (!source->is_foreign) {
        CLEANUP_FREE char *why =
            xasprintf("the extension speaks version %.40s of console-bridge, and versions 1.x are "
                      "understood: install a release of it for these, or a newer browser-runner",
                      version ? version : "");
        source->is_foreign = true;
        console_output_error(&hub->output, source->number, clock_wall_ms(), "UNSUPPORTED_VERSION",
                             why);
    }
}

/* Handles one message. False: it was refused. */
static bool take_message(struct console_hub *hub, struct source *source, const json_t *message,
                         size_t bytes)
{
    struct envelope envelope;
    struct envelope_fault fault;
    enum envelope_verdict verdict = envelope_read(message, &envelope, &fault);
    bool is_fine = verdict == ENVELOPE_FINE;
    if (verdict == ENVELOPE_UNSUPPORTED) {
        reply(source, envelope_unsupported(message), false);
        report_version(hub, source, message);
        return false;
    }
    if (is_fine && envelope.type == ENVELOPE_CONSOLE_EVENT) {
        is_fine = take_event(hub, source, &envelope, bytes, &fault);
    } else if (is_fine && envelope.type == ENVELOPE_CONNECTION_STATUS) {
        is_fine = take_status(hub, source, &envelope, &fault);
    } else if (is_fine && envelope.type == ENVELOPE_ERROR) {
        /* An error is never answered, even if it is invalid: the peer might answer that again. */
        console_output_error(&hub->output, source->number, envelope.time_ms,
                             json_member_string(envelope.payload, "code"),
                             json_member_string(envelope.payload, "message"));
    } else if (is_fine && envelope.type == ENVELOPE_PING) {
        reply(source, envelope_pong(envelope.payload), true);
    }
    if (!is_fine) {
        refuse(hub, source, &fault, message, NULL);
    }
    return is_fine;
}

static void take_batch(struct console_hub *hub, struct source *source, const json_t *batch,
                       size_t bytes)
{
    size_t index;
    json_t *message;
    size_t invalid = 0;
    json_array_foreach (batch, index, message) {
        invalid += !take_message(hub, source, message, bytes / json_array_size(batch));
        if (invalid == CONSOLE_MAX_INVALID) {
            break; /* answering millions would keep the hub from all other sources */
        }
    }
}

static void take_text(struct console_hub *hub, struct source *source, const struct post *post)
{
    struct br_error err = { 0 };
    bool is_large = post->length > CONSOLE_MAX_JSON_VALUES &&
                    json_scan_count(post->text, post->length) > CONSOLE_MAX_JSON_VALUES;
    json_auto_t *root = is_large ? NULL : json_parse(post->text, post->length, "the message", &err);
    if (!root) {
        const struct envelope_fault fault = { "message",
                                              is_large ? "has too many values" : "is not JSON" };
        refuse(hub, source, &fault, NULL, post->text);
    } else if (json_is_array(root)) {
        take_batch(hub, source, root, post->length);
    } else {
        take_message(hub, source, root, post->length);
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
        report_dropped(hub, source, tab);
    }
    if (source->is_announced) {
        console_output_status(&hub->output, source->number, "gone", NULL, NULL, NULL,
                              source->events);
    }
    while (source->tabs) {
        struct console_tab *tab = source->tabs;
        source->tabs = tab->next;
        tab_destroy(tab);
    }
    table_remove(&hub->sources, &source->item);
    free(source);
}

/* Closes the source, too, if it is gone and nothing of it waits. */
static void release_source(struct console_hub *hub, struct source *source, bool is_all)
{
    bool is_empty = true;
    for (struct console_tab *tab = source->tabs; tab; tab = tab->next) {
        release(hub, source, tab, is_all);
        is_empty &= tab->queued_count == 0;
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

/* Releases the events whose wait is over. */
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
    bool has_lines = false;
    for (;;) {
        int64_t wait_ms = hub->queued_bytes > 0      ? LOOK_QUEUED_MS
                          : hub->tabs_with_drops > 0 ? LOOK_DROPPED_MS
                                                     : INT64_MAX;
        struct deadline end = deadline_in_ms(has_lines ? 0 : wait_ms);
        struct message *message = mailbox_wait(hub->mailbox, end);
        if (message) {
            note_taken(hub, (struct post *)message);
            take(hub, (struct post *)message);
            message_destroy(message);
        } else {
            /* Held while messages come, since handing them over costs more than a short line. */
            console_output_flush(&hub->output);
        }
        if (!message && atomic_load(&hub->is_ending)) {
            break;
        }
        look_at_queues(hub);
        report_all_dropped(hub, false);
        has_lines = hub->output.text.length > 0;
    }
    release_all(hub, true);
    report_all_dropped(hub, true);
    struct table_item *item;
    while ((item = table_next(&hub->sources, NULL))) {
        close_source(hub, (struct source *)item);
    }
    console_output_flush(&hub->output);
    return NULL;
}

/* Called on a thread of the scripts. */
static void on_scripts(void *data)
{
    put(data, post_create(POST_SCRIPTS, 0, "", 0));
}

static void hub_free(struct console_hub *hub)
{
    console_scripts_destroy(hub->scripts);
    mailbox_destroy(hub->mailbox);
    table_finish(&hub->sources);
    console_output_finish(&hub->output);
    pthread_mutex_destroy(&hub->mutex);
    free(hub);
}

struct console_hub *console_hub_create(const struct console_hub_options *options,
                                       struct br_error *err)
{
    struct console_hub *hub = xcalloc(1, sizeof(*hub));
    hub->options = *options;
    console_output_init(&hub->output, &options->output);
    hub->mailbox = mailbox_create(MAX_WAITING);
    pthread_mutex_init(&hub->mutex, NULL);
    bool has_location = options->output.is_json || options->output.print.has_location;
    hub->places = PLACES_STACK | PLACES_VALUES | (has_location ? PLACES_LOCATION : 0U);
    hub->scripts = options->loop
                       ? console_scripts_create(options->loop, options->policy, on_scripts, hub)
                       : NULL;
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
        mailbox_wake(hub->mailbox);
        pthread_join(hub->thread, NULL);
        hub_free(hub);
    }
}

void console_hub_watch_room(struct console_hub *hub, void (*on_room)(void *data), void *data)
{
    mutex_lock(&hub->mutex);
    hub->on_room = on_room;
    hub->room_data = data;
    mutex_unlock(&hub->mutex);
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
    mutex_lock(&hub->mutex);
    bool has_room = hub->waiting <= MAX_WAITING;
    mutex_unlock(&hub->mutex);
    return has_room;
}

void console_hub_close(struct console_hub *hub, uint64_t id)
{
    put(hub, post_create(POST_CLOSE, id, "", 0));
}
