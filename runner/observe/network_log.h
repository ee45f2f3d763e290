/* The requests that have ended, gathered for the response and told to the stream. */
#ifndef RUNNER_OBSERVE_NETWORK_LOG_H
#define RUNNER_OBSERVE_NETWORK_LOG_H

#include <browser_runner/event.h>

struct network_log {
    struct br_network_event *events; /* at most LOG_MAX_ENTRIES */
    size_t event_count, event_capacity;
    size_t dropped;        /* events beyond */
    unsigned taken;        /* how often they were */
    int errors;            /* failures and statuses from 400 since the events were last taken */
    bool keeps_headers;    /* of every request, and what it sent, in `events` */
    struct stream *stream; /* is told of each step; NULL: nobody is */
};

void network_log_finish(struct network_log *log);

/* Whether headers are to be gathered: for `events`, or for whoever listens to the stream. */
bool network_log_gathers_headers(const struct network_log *log);

/* Tells the stream of a step of this request. Its ticket; 0 when nobody wants to know. */
uint64_t network_log_tell(struct network_log *log, enum br_event_kind kind, const char *id,
                          const struct br_network_event *event, int64_t details_ms);

/*
 * Takes over the fields of an event that is complete, tells the stream, and counts it. Its event
 * there waits details_ms for its body; *ret_ticket, unless NULL, is its ticket, 0 without one.
 * False when it was dropped.
 */
bool network_log_add(struct network_log *log, const char *id, struct br_network_event *event,
                     int64_t details_ms, uint64_t *ret_ticket);

/* How many of the events have a body, or say why it is not there. */
size_t network_log_count_bodies(const struct network_log *log);

/* The body of an event, by its place, here and in the stream; NULL: the browser has not kept it. */
void network_log_set_body(struct network_log *log, size_t index, uint64_t ticket, const char *body,
                          size_t length);

/* Moves the events, by their start, and the count of errors into the response. */
void network_log_take(struct network_log *log, struct br_response *response);

#endif
