/* Recorder of a page's requests: their outcome, how many are under way, the document's status. */
#ifndef RUNNER_OBSERVE_NETWORK_H
#define RUNNER_OBSERVE_NETWORK_H

#include "runner/base/response.h"

#include <jansson.h>

struct network_request;

struct network_recorder {
    struct br_network_event *events; /* ended requests, at most LOG_MAX_ENTRIES */
    size_t event_count, event_capacity;
    int errors; /* failures and statuses from 400 since the events were last taken */
    struct network_request *requests; /* under way */
    size_t request_count, request_capacity;
    char *document_id;       /* the request of the newest main document that was answered */
    int document_status;     /* its HTTP status */
    bool is_document_posted; /* it was sent by POST */
    char *document_failure;  /* why its body broke off; NULL when it did not */
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

/* Forgets what is under way: after a crash no end of it will come. */
void network_forget_requests(struct network_recorder *recorder);

/* The HTTP status of the main document that a loader fetched; 0 when it has none. */
int network_document_status(const struct network_recorder *recorder, const char *loader_id);

/* Why the body of that document broke off; NULL when it did not. */
const char *network_document_failure(const struct network_recorder *recorder,
                                     const char *loader_id);

/* Moves the events and the count of errors into the response. */
void network_take_events(struct network_recorder *recorder, struct br_response *response);

#endif
