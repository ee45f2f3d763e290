/*
 * Recorder of a page's requests: their outcome, how many are under way, the document's status. The
 * events of all its sessions go to one recorder: those of its frames and workers, whose requests
 * may begin in one session and end in another. Request ids are unique in a browser.
 */
#ifndef RUNNER_OBSERVE_NETWORK_H
#define RUNNER_OBSERVE_NETWORK_H

#include "runner/observe/network_extra.h"
#include "runner/observe/network_socket.h"

#include <jansson.h>

struct network_request;

/* An ended request whose body is asked for. */
struct network_wanted {
    char *request_id;
    size_t event;    /* its place in log.events */
    uint64_t ticket; /* of the stream's event that waits for it */
};

struct network_recorder {
    struct network_log log;           /* of those that have ended */
    struct network_request *requests; /* under way */
    size_t request_count, request_capacity;
    uint64_t begun; /* how many have begun so far */
    struct network_sockets sockets;
    struct network_extras extras;
    struct network_wanted wanted; /* request_id NULL: none; see network_take_wanted() */
    char *document_id;            /* the request of the newest main document that was answered */
    int document_status;          /* its HTTP status */
    bool is_document_posted;      /* it was sent by POST */
    char *document_failure;       /* why its body broke off; NULL when it did not */
    char *icon_id;                /* of the newest that network_event_is_icon(); NULL: none yet */
    char *ended_id;               /* of the newest that has ended; NULL: none yet */
    bool is_ended_resource;       /* it was a picture, style sheet, script or the like */
    char *navigation_id;          /* the request of the newest main document; NULL: none yet */
    json_t *refusals;             /* object: why we refused requests, by their id; NULL: none yet */
    int way_out_port;             /* what is reached by it on 127.0.0.1 has no address to tell */
    double transfer_bytes;        /* over the wire since the newest main document was asked for */
};

void network_finish(struct network_recorder *recorder);

/* Applies an event of the Network domain; false for any other. main_frame_id tells documents. */
bool network_on_event(struct network_recorder *recorder, const char *main_frame_id,
                      const char *method, json_t *params);

/*
 * Forgets what is under way for a frame's documents other than the loader's; for all of them when
 * loader_id is NULL. Their end is not told after the frame went on.
 */
void network_leave_frame(struct network_recorder *recorder, const char *frame_id,
                         const char *loader_id);

/*
 * How many requests are under way. One by fetch() whose answer came and that has been still for so
 * long is not: pages that never read the body leave it open for ever. An EventSource never is.
 */
size_t network_count_busy(const struct network_recorder *recorder, int64_t still_ms);

/* The oldest of these; NULL: none is under way. Borrowed until the next event. */
const struct br_network_event *network_oldest_busy(const struct network_recorder *recorder,
                                                   int64_t still_ms);

/* The same of those that began when `begun` was at least `since` and less than `end`. */
const struct br_network_event *network_oldest_busy_of(const struct network_recorder *recorder,
                                                      int64_t still_ms, uint64_t since,
                                                      uint64_t end);

/*
 * The request that keeps a frame's document from being painted for the first time: the oldest style
 * sheet or script that comes before all painting, else the document, whose rest is missing. NULL:
 * none of them is under way. Borrowed until the next event.
 */
const struct br_network_event *network_blocking_paint(const struct network_recorder *recorder,
                                                      const char *frame_id, const char *loader_id);

/* Forgets what is under way: after a crash no end of it will come. */
void network_forget_requests(struct network_recorder *recorder);

/*
 * Whether a failure of the protocol's is an answer of the server, of which Chrome shows a page of
 * its own: an error status with an empty body, or the demand for a login.
 */
bool network_is_answer(const char *error_text);

/*
 * Whether Chrome leaves a document's URL to another program, as tel: and mailto:. Such a request is
 * none: no event of it is kept.
 */
bool network_is_external(const char *url);

/* Whether an event is Chrome's log entry about the icon that it asked for by itself: noise. */
bool network_is_about_icon(const struct network_recorder *recorder, const char *method,
                           const json_t *params);

/* The member, true, of Chrome's log entry about a picture, style sheet, script or the like. */
#define NETWORK_IS_RESOURCE "isResource"

/* Adds that member to such an entry, and changes no other event. */
void network_name_entry(struct network_recorder *recorder, const char *method, json_t *params);

/*
 * A request is refused by us, for this reason: its failure will say so. Chrome may tell of the
 * request itself only later.
 */
void network_refuse(struct network_recorder *recorder, const char *request_id, const char *reason);

/* The URL of a request that is under way; NULL: it is not. Whether it is the newest main document.
 */
const char *network_url(const struct network_recorder *recorder, const char *request_id,
                        bool *ret_is_document);

/* Whether a main document was asked for that the server has not answered yet. */
bool network_awaits_document(const struct network_recorder *recorder);

/* The HTTP status of the main document that a loader fetched; 0 when it has none. */
int network_document_status(const struct network_recorder *recorder, const char *loader_id);

/* Why the body of that document broke off; NULL when it did not. */
const char *network_document_failure(const struct network_recorder *recorder,
                                     const char *loader_id);

/*
 * Whether the last event ended a request whose body is to be shown; the caller asks the browser for
 * it at once, before it is gone, and frees ret_wanted->request_id.
 */
bool network_take_wanted(struct network_recorder *recorder, struct network_wanted *ret_wanted);

/* What came of it; NULL when the browser has not kept it. */
void network_set_body(struct network_recorder *recorder, const struct network_wanted *wanted,
                      const char *body, size_t length);

/*
 * The next request, from *index on, whose response has an error status and has not ended though
 * some of its body came: a page that looks at the status only may never read the rest. NULL: none.
 */
const char *network_failing(const struct network_recorder *recorder, size_t *index);

/* Whether there is such a request without any of its body. */
bool network_has_bare_failing(const struct network_recorder *recorder);

/* What came of its body so far. */
void network_set_failing_body(struct network_recorder *recorder, const char *id, const char *body,
                              size_t length);

/* Makes events of all responses with an error status that have not ended. */
void network_tell_failing(struct network_recorder *recorder);

/* Moves the events, by their start, and the count of errors into the response. */
void network_take_events(struct network_recorder *recorder, struct br_response *response);

#endif
