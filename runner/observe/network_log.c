#include "runner/observe/network_log.h"

#include "runner/base/event.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/network_event.h"
#include "runner/observe/network_fields.h"
#include "runner/observe/stream.h"

#include <string.h>

bool network_log_gathers_headers(const struct network_log *log)
{
    return log->keeps_headers || stream_wants(log->stream, BR_EVENT_NETWORK);
}

uint64_t network_log_tell(struct network_log *log, enum br_event_kind kind, const char *id,
                          const struct br_network_event *event, int64_t details_ms)
{
    if (!stream_wants(log->stream, kind)) {
        return 0;
    }
    struct br_event *told = event_create(kind);
    told->as.network.id = xstrdup(id);
    told->as.network.event = network_event_copy(event);
    return stream_emit(log->stream, told, details_ms);
}

bool network_log_add(struct network_log *log, const char *id, struct br_network_event *event,
                     int64_t details_ms, uint64_t *ret_ticket)
{
    uint64_t ticket = network_log_tell(log, BR_EVENT_NETWORK, id, event, details_ms);
    if (ret_ticket) {
        *ret_ticket = ticket;
    }
    log->errors += network_event_has_failed(event);
    if (log->event_count == LOG_MAX_ENTRIES) {
        log->dropped++;
        network_event_finish(event);
        return false;
    }
    if (!log->keeps_headers) {
        network_event_drop_headers(event);
    }
    log->events =
        array_reserve(log->events, log->event_count, &log->event_capacity, sizeof(*log->events));
    log->events[log->event_count++] = *event;
    return true;
}

size_t network_log_count_bodies(const struct network_log *log)
{
    size_t count = 0;
    for (size_t i = 0; i < log->event_count; i++) {
        count += log->events[i].body || log->events[i].body_omitted ? 1 : 0;
    }
    return count;
}

void network_log_set_body(struct network_log *log, size_t index, uint64_t ticket, const char *body,
                          size_t length)
{
    struct br_event *told = stream_waiting(log->stream, ticket);
    if (index < log->event_count) {
        network_event_set_body(&log->events[index], body, length);
    }
    if (told) {
        network_event_set_body(&told->as.network.event, body, length);
        stream_let_go(log->stream, ticket);
    }
}

static bool is_before(const struct br_network_event *event, const struct br_network_event *other)
{
    return event->timestamp_ms < other->timestamp_ms ||
           (event->timestamp_ms == other->timestamp_ms && event->is_navigation &&
            !other->is_navigation);
}

/*
 * Sorts the events by their start; a document precedes requests that began in the same millisecond.
 */
static void sort_events(struct network_log *log)
{
    for (size_t i = 1; i < log->event_count;
         i++) { /* insertion sort: hardly any event is far from its place */
        struct br_network_event event = log->events[i];
        size_t place = i;
        while (place > 0 && is_before(&event, &log->events[place - 1])) {
            place--;
        }
        memmove(&log->events[place + 1], &log->events[place], (i - place) * sizeof(event));
        log->events[place] = event;
    }
}

void network_log_take(struct network_log *log, struct br_response *response)
{
    sort_events(log);
    response->network_events = TAKE(log->events);
    response->network_event_count = log->event_count;
    response->network_events_dropped = log->dropped;
    response->metrics.network_errors = log->errors;
    log->event_count = 0;
    log->event_capacity = 0;
    log->dropped = 0;
    log->taken++;
    log->errors = 0;
}

void network_log_finish(struct network_log *log)
{
    for (size_t i = 0; i < log->event_count; i++) {
        network_event_finish(&log->events[i]);
    }
    free(log->events);
}
