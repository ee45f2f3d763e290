#include "runner/observe/stream.h"

#include "runner/base/log.h"
#include "runner/hints/catalogue.h"
#include "runner/privacy/masking.h"

#include "runner/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_WAITING = 1000, /* events; if there are more, the first does not wait any longer */
    DROPS_TOLD_MS = 250 /* how long drops are counted before they are reported */
};

/* A queued event. */
struct passing {
    struct passing *next;
    struct br_event *event;
    uint64_t ticket;
    struct deadline due;
    bool awaits_details;
    bool is_complete; /* expects no more details: an equal event may be merged into it */
};

struct stream {
    char *session_id;
    const struct secrets *secrets;
    enum br_wording wording;
    uint64_t action_id, generation;
    int tab;
    struct br_sink sinks[STREAM_MAX_SINKS]; /* on_event NULL: unused */
    struct passing *first, *last;           /* in order */
    size_t count;
    uint64_t tickets, sequence;
    const struct br_event *previous; /* the last entry of the browser that was delivered; or NULL */
    struct deadline previous_until;  /* repetitions until then are merged */
    double allowance;                /* number of the page's entries that are still processed */
    int64_t allowed_at_ms;
    uint64_t dropped;
    struct deadline dropped_due; /* when the dropped entries are reported */
    bool is_running;
};

static const struct deadline never = { .at_us = INT64_MAX };

struct stream *stream_create(const char *session_id, const struct secrets *secrets,
                             enum br_wording wording)
{
    struct stream *stream = xcalloc(1, sizeof(*stream));
    stream->session_id = xstrdup(session_id ? session_id : "");
    stream->secrets = secrets;
    stream->wording = wording;
    stream->allowance = STREAM_BURST;
    stream->allowed_at_ms = clock_monotonic_ms();
    stream->dropped_due = never;
    return stream;
}

void stream_destroy(struct stream *stream)
{
    if (stream) {
        stream_flush(stream);
        br_event_release(stream->previous);
        free(stream->session_id);
        free(stream);
    }
}

void stream_set_action(struct stream *stream, uint64_t action_id)
{
    stream->action_id = action_id;
}

void stream_set_generation(struct stream *stream, uint64_t generation)
{
    stream->generation = generation;
}

void stream_set_tab(struct stream *stream, int tab)
{
    if (stream) {
        stream->tab = tab;
    }
}

int stream_subscribe(struct stream *stream, const struct br_sink *sink)
{
    for (int i = 0; i < STREAM_MAX_SINKS; i++) {
        if (!stream->sinks[i].on_event) {
            stream->sinks[i] = *sink;
            return i + 1;
        }
    }
    return 0;
}

void stream_unsubscribe(struct stream *stream, int number)
{
    if (number > 0 && number <= STREAM_MAX_SINKS) {
        stream->sinks[number - 1] = (struct br_sink){ 0 };
    }
}

static bool takes(const struct br_sink *sink, enum br_event_kind kind)
{
    return sink->on_event && (sink->kinds == 0 || sink->kinds & 1u << kind);
}

bool stream_wants(const struct stream *stream, enum br_event_kind kind)
{
    for (size_t i = 0; stream && i < STREAM_MAX_SINKS; i++) {
        if (takes(&stream->sinks[i], kind)) {
            return true;
        }
    }
    return false;
}

bool stream_wants_tabs(const struct stream *stream)
{
    for (size_t i = 0; stream && i < STREAM_MAX_SINKS; i++) {
        if (stream->sinks[i].on_event && stream->sinks[i].wants_tabs) {
            return true;
        }
    }
    return false;
}

bool stream_wants_values(const struct stream *stream)
{
    for (size_t i = 0; stream && i < STREAM_MAX_SINKS; i++) {
        if (stream->sinks[i].wants_values && takes(&stream->sinks[i], BR_EVENT_CONSOLE)) {
            return true;
        }
    }
    return false;
}

/* Only entries of the page are merged, not those of the tool. */
static bool is_repeat(const struct br_event *event, const struct br_event *before)
{
    return before && event->kind == before->kind && event_is_log(event->kind) &&
           event->tab == before->tab && event->as.log.source == BR_SOURCE_BROWSER &&
           event->action_id == before->action_id && log_is_same(&event->as.log, &before->as.log);
}

static void remember(struct stream *stream, const struct br_event *event)
{
    if (event_is_log(event->kind)) {
        br_event_release(stream->previous);
        stream->previous = br_event_hold(event);
        stream->previous_until = deadline_in_ms(STREAM_WAIT_MS);
    }
}

static void hand_out(struct stream *stream, struct br_event *event)
{
    bool is_counted = !event_is_momentary(event->kind) && event->tab == 0;
    event->sequence = is_counted ? ++stream->sequence : 0;
    for (size_t i = 0; i < STREAM_MAX_SINKS; i++) {
        bool is_wanted = event->tab == 0 || stream->sinks[i].wants_tabs;
        if (is_wanted && takes(&stream->sinks[i], event->kind)) {
            stream->sinks[i].on_event(stream->sinks[i].data, event);
        }
    }
    remember(stream, event);
}

static void report_drops(struct stream *stream)
{
    struct br_event *event = event_create(BR_EVENT_DROPPED);
    event->as.dropped = stream->dropped;
    stream->dropped = 0;
    stream->dropped_due = never;
    stream_emit(stream, event, 0);
}

/* Delivers the first event of the queue. */
static void pass_first(struct stream *stream)
{
    struct passing *passing = stream->first;
    stream->first = passing->next;
    stream->last = stream->first ? stream->last : NULL;
    stream->count--;
    hand_out(stream, passing->event);
    br_event_release(passing->event);
    free(passing);
}

enum run {
    RUN_READY, /* deliver events that wait for nothing */
    RUN_DUE,   /* also deliver events whose time for details is over */
    RUN_ALL,
};

static bool is_due(const struct stream *stream, enum run what)
{
    const struct passing *first = stream->first;
    bool may_wait = what == RUN_READY && first->awaits_details;
    return what == RUN_ALL || stream->count > MAX_WAITING ||
           (!may_wait && deadline_passed(first->due));
}

/* An event that a sink emits is delivered after the event that the sink is handling. */
static struct deadline run(struct stream *stream, enum run what)
{
    if (stream->is_running) {
        return never;
    }
    stream->is_running = true;
    if (stream->dropped && (what == RUN_ALL || deadline_passed(stream->dropped_due))) {
        report_drops(stream);
    }
    while (stream->first && is_due(stream, what)) {
        pass_first(stream);
    }
    stream->is_running = false;
    return deadline_earlier(stream->first ? stream->first->due : never, stream->dropped_due);
}

struct deadline stream_run(struct stream *stream, bool has_more)
{
    return run(stream, has_more ? RUN_READY : RUN_DUE);
}

void stream_flush(struct stream *stream)
{
    run(stream, RUN_ALL);
}

static void append(struct stream *stream, struct passing *passing)
{
    struct passing **place = stream->last ? &stream->last->next : &stream->first;
    *place = passing;
    stream->last = passing;
    stream->count++;
}

static void complete(struct stream *stream, struct br_event *event)
{
    free((char *)event->session_id);
    event->session_id = xstrdup(stream->session_id);
    event->generation = stream->generation;
    event->action_id = stream->action_id;
    event->tab = event->kind == BR_EVENT_DROPPED ? 0 : stream->tab;
    masking_event(stream->secrets, event);
    if (event_is_log(event->kind)) {
        event->timestamp_ms = event->as.log.timestamp_ms;
        event->as.log.hint = catalogue_hint_of(&event->as.log);
    }
    wording_event(stream->wording, event);
}

/* Merges the event into the one before it, if that is still queued; returns whether it did. */
static bool fold(struct stream *stream, struct br_event *event)
{
    struct passing *last = stream->last;
    if (!last || !last->is_complete || !is_repeat(event, last->event)) {
        return false;
    }
    struct br_log *log = &last->event->as.log;
    log->count = (log->count ? log->count : 1) + 1;
    br_event_release(event);
    return true;
}

uint64_t stream_emit(struct stream *stream, struct br_event *event, int64_t details_ms)
{
    complete(stream, event);
    if (details_ms == 0 && fold(stream, event)) {
        return stream->last->ticket;
    }
    struct passing *passing = xcalloc(1, sizeof(*passing));
    *passing = (struct passing){
        .event = event,
        .ticket = ++stream->tickets,
        .awaits_details = details_ms > 0,
        .is_complete = details_ms == 0,
    };
    if (event_is_log(event->kind)) {
        event->as.log.id = passing->ticket;
    }
    if (details_ms > 0) {
        passing->due = deadline_in_ms(details_ms);
    } else if (!deadline_passed(stream->previous_until) && is_repeat(event, stream->previous)) {
        passing->due = stream->previous_until;
    }
    append(stream, passing);
    uint64_t ticket = passing->ticket; /* it may be freed by the next line */
    run(stream, RUN_READY);
    return ticket;
}

uint64_t stream_log(struct stream *stream, struct br_log *log, int64_t details_ms)
{
    bool is_thrown =
        log->kind && (strcmp(log->kind, "exception") == 0 || strcmp(log->kind, "rejection") == 0);
    struct br_event *event = event_create(log->method ? BR_EVENT_CONSOLE
                                          : is_thrown ? BR_EVENT_EXCEPTION
                                                      : BR_EVENT_LOG);
    event->as.log = *log;
    if (stream->allowance >= 1 && log->source == BR_SOURCE_BROWSER) {
        stream->allowance--;
    }
    return stream_emit(stream, event, details_ms);
}

static struct passing *find(struct stream *stream, uint64_t ticket)
{
    struct passing *passing = stream ? stream->first : NULL;
    while (passing && passing->ticket != ticket) {
        passing = passing->next;
    }
    return passing;
}

struct br_event *stream_waiting(struct stream *stream, uint64_t ticket)
{
    struct passing *passing = find(stream, ticket);
    return passing ? passing->event : NULL;
}

void stream_let_go(struct stream *stream, uint64_t ticket)
{
    struct passing *passing = find(stream, ticket);
    if (passing) {
        masking_event(stream->secrets, passing->event);
        passing->due = (struct deadline){ 0 };
        passing->awaits_details = false;
        run(stream, RUN_READY);
    }
}

bool stream_is_flooded(struct stream *stream)
{
    if (!stream) {
        return true;
    }
    int64_t now_ms = clock_monotonic_ms();
    double more = (double)(now_ms - stream->allowed_at_ms) * STREAM_RATE / 1000;
    stream->allowance =
        stream->allowance + more > STREAM_BURST ? STREAM_BURST : stream->allowance + more;
    stream->allowed_at_ms = now_ms;
    return stream->allowance < 1;
}

void stream_drop(struct stream *stream, size_t count)
{
    if (stream && stream->dropped == 0) {
        stream->dropped_due = deadline_in_ms(DROPS_TOLD_MS);
    }
    if (stream) {
        stream->dropped += count;
    }
}

uint64_t log_put(struct log_list *list, struct br_log *log, int64_t details_ms)
{
    if (!list) {
        log_finish(log);
        return 0;
    }
    if (list->stream) {
        return stream_log(list->stream, log, details_ms);
    }
    log->id = ++list->last_id;
    uint64_t id = log->id;
    if (log_list_take(list, log) && details_ms == 0) {
        log_list_fold_last(list);
    }
    return id;
}

void log_tool(struct log_list *list, enum br_log_type type, const char *category,
              const char *format, ...)
{
    char message[2048];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    if (length >= (int)sizeof(message)) {
        static const char more[] = "…";
        memcpy(message + utf8_cut(message, sizeof(message) - sizeof(more)), more, sizeof(more));
    }
    struct br_log log = log_entry(type, BR_SOURCE_TOOL, category, message);
    log_put(list, &log, 0);
}
