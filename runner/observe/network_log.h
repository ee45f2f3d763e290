/* The finished requests, collected for the response and reported to the stream. */
#ifndef RUNNER_OBSERVE_NETWORK_LOG_H
#define RUNNER_OBSERVE_NETWORK_LOG_H

#include <browser_runner/event.h>

struct network_log {
    struct br_network_event *events; /* at most LOG_MAX_ENTRIES */
    size_t event_count, event_capacity;
    size_t dropped;        /* events that were dropped beyond that */
    unsigned taken;        /* how often the events were taken */
    int errors;            /* failures and statuses from 400 since the events were last taken */
    bool keeps_headers;    /* keeps headers and posted data of every request in `events` */
    struct stream *stream; /* receives each step; NULL: none */
};

void network_log_finish(struct network_log *log);

/* Whether headers are needed: for `events`, or for a sink of the stream. */
bool network_log_gathers_headers(const struct network_log *log);

/* Reports a step of this request to the stream. Returns its ticket; 0 if no sink wants it. */
uint64_t network_log_tell(struct network_log *log, enum br_event_kind kind, const char *id,
                          const struct br_network_event *event, int64_t details_ms);

/*
 * Moves a complete event into the list, reports it to the stream, and counts it. In the stream it
 * waits details_ms for its body; *ret_ticket, unless NULL, is its ticket there, 0 without one.
 * Returns false if it was dropped.
 */
bool network_log_add(struct network_log *log, const char *id, struct br_network_event *event,
                     int64_t details_ms, uint64_t *ret_ticket);

/* Returns how many events have a body, or the reason why they have none. */
size_t network_log_count_bodies(const struct network_log *log);

/*
 * Sets the body of an event, by its index, here and in the stream; NULL if the browser has not kept
 * it.
 */
void network_log_set_body(struct network_log *log, size_t index, uint64_t ticket, const char *body,
                          size_t length);

/* Moves the events, sorted by their start, and the count of errors into the response. */
void network_log_take(struct network_log *log, struct br_response *response);

#endif
