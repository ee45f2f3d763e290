/*
 * Records a page's requests: their outcome, how many are in progress, the document's status. The
 * events of all the page's sessions, including frames and workers, go to one recorder, because a
 * request may begin in one session and end in another. Request ids are unique in a browser.
 */
#ifndef RUNNER_OBSERVE_NETWORK_H
#define RUNNER_OBSERVE_NETWORK_H

#include "runner/observe/network_fields.h"

#include <jansson.h>

struct network_request;

/* A finished request whose body is to be requested. */
struct network_wanted {
    char *request_id;
    size_t event;    /* index in log.events */
    uint64_t ticket; /* ticket of the stream's event that waits for it */
};

struct network_recorder {
    struct network_log log;           /* finished requests */
    struct network_request *requests; /* requests in progress */
    size_t request_count, request_capacity;
    uint64_t begun; /* number of requests begun so far */
    struct network_sockets sockets;
    struct network_extras extras;
    struct network_wanted wanted; /* request_id NULL: none; see network_take_wanted() */
    char *document_id;            /* request id of the newest main document that was answered */
    int document_status;          /* its HTTP status */
    bool is_document_posted;      /* it was requested by POST */
    char *document_failure;       /* why its body was incomplete; NULL if it was complete */
    char *icon_id;  /* of the newest request for which network_event_is_icon(); NULL: none yet */
    char *ended_id; /* of the newest finished request; NULL: none yet */
    bool is_ended_resource; /* that request was for a picture, style sheet, script or the like */
    char *navigation_id;    /* request id of the newest main document; NULL: none yet */
    json_t *refusals; /* object: request ids to the reasons why we refused them; NULL: none yet */
    int way_out_port; /* port of the way out: an address of 127.0.0.1 with this port is not the
                         server's */
    double transfer_bytes; /* bytes transferred since the newest main document was requested */
};

void network_finish(struct network_recorder *recorder);

/*
 * Handles an event of the Network domain; returns false for any other. main_frame_id identifies
 * main documents.
 */
bool network_on_event(struct network_recorder *recorder, const char *main_frame_id,
                      const char *method, json_t *params);

/*
 * Forgets requests in progress of a frame's documents other than the loader's; of all its documents
 * if loader_id is NULL. Their end is not reported after the frame has navigated.
 */
void network_leave_frame(struct network_recorder *recorder, const char *frame_id,
                         const char *loader_id);

/*
 * Returns how many requests are in progress. Does not count requests by fetch() that were answered
 * and then silent for still_ms, because a page that never reads the body leaves them open forever,
 * nor EventSources.
 */
size_t network_count_busy(const struct network_recorder *recorder, int64_t still_ms);

/*
 * Returns the oldest of these among the requests that began when `begun` was at least `since` and
 * less than `end`; NULL if there is none. Borrowed until the next event.
 */
const struct br_network_event *network_oldest_busy(const struct network_recorder *recorder,
                                                   int64_t still_ms, uint64_t since, uint64_t end);

/*
 * Returns the request that blocks the first paint of a frame's document: the oldest style sheet or
 * script that blocks painting, else the document, the rest of which is missing. NULL if none of
 * them is in progress. Borrowed until the next event.
 */
const struct br_network_event *network_blocking_paint(const struct network_recorder *recorder,
                                                      const char *frame_id, const char *loader_id);

/* Forgets requests in progress: after a crash their end is not reported. */
void network_forget_requests(struct network_recorder *recorder);

/*
 * Whether a failure in the protocol is in fact a response, for which Chrome shows a page of its
 * own: an error status with an empty body, or a login request.
 */
bool network_is_answer(const char *error_text);

/*
 * Whether Chrome passes a document's URL to another program, such as tel: and mailto:. No event is
 * kept of such a request.
 */
bool network_is_external(const char *url);

/* Whether an event is Chrome's log entry about the icon that it requested by itself: noise. */
bool network_is_about_icon(const struct network_recorder *recorder, const char *method,
                           const json_t *params);

/*
 * A member with the value true in Chrome's log entries about a picture, style sheet, script or the
 * like.
 */
#define NETWORK_IS_RESOURCE "isResource"

/* Adds that member to such an entry; does not change other events. */
void network_name_entry(struct network_recorder *recorder, const char *method, json_t *params);

/*
 * Records that we refuse a request, and why: its failure will have this reason. Chrome may report
 * the request itself only later.
 */
void network_refuse(struct network_recorder *recorder, const char *request_id, const char *reason);

/*
 * Returns the URL of a request in progress; NULL if it is not. Also whether it is the newest main
 * document.
 */
const char *network_url(const struct network_recorder *recorder, const char *request_id,
                        bool *ret_is_document);

/* Whether a main document was requested that the server has not answered yet. */
bool network_awaits_document(const struct network_recorder *recorder);

/* Returns the HTTP status of the main document that a loader fetched; 0 if it has none. */
int network_document_status(const struct network_recorder *recorder, const char *loader_id);

/* Returns why the body of that document was incomplete; NULL if it was complete. */
const char *network_document_failure(const struct network_recorder *recorder,
                                     const char *loader_id);

/*
 * Whether the last event ended a request whose body is to be shown. The caller requests it from the
 * browser at once, before it is discarded, and frees ret_wanted->request_id.
 */
bool network_take_wanted(struct network_recorder *recorder, struct network_wanted *ret_wanted);

/* Sets the result; NULL if the browser has not kept the body. */
void network_set_body(struct network_recorder *recorder, const struct network_wanted *wanted,
                      const char *body, size_t length);

/*
 * Returns the next request, from *index on, whose response has an error status and is unfinished
 * although a part of its body has arrived: a page that only checks the status may never read the
 * rest. NULL if there is none.
 */
const char *network_failing(const struct network_recorder *recorder, size_t *index);

/* Whether there is such a request without any part of its body. */
bool network_has_bare_failing(const struct network_recorder *recorder);

/* Sets the part of its body that has arrived. */
void network_set_failing_body(struct network_recorder *recorder, const char *id, const char *body,
                              size_t length);

/* Adds events for all unfinished responses with an error status. */
void network_tell_failing(struct network_recorder *recorder);

/* Moves the events, sorted by their start, and the count of errors into the response. */
void network_take_events(struct network_recorder *recorder, struct br_response *response);

#endif
