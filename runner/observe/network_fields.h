/* Converts the protocol's description of a request to the fields of an event. */
#ifndef RUNNER_OBSERVE_NETWORK_FIELDS_H
#define RUNNER_OBSERVE_NETWORK_FIELDS_H

#include "runner/observe/network_log.h"

#include <browser_runner/response.h>
#include <jansson.h>

enum {
    NETWORK_MAX_BODY = 4096,           /* bytes of a failed response's body that are kept */
    NETWORK_MAX_POST_DATA = 64 * 1024, /* bytes of posted data that are kept */
};

/* Sets fields from the params of Network.requestWillBeSent or Network.webSocketCreated. */
void network_event_begin(struct br_network_event *event, const json_t *params);

/*
 * Sets fields from a Network.Response. *ret_requested_at_s is when its timings begin, 0 if it has
 * none.
 */
void network_event_respond(struct br_network_event *event, const json_t *response,
                           double *ret_requested_at_s);

/* Returns a Network.ResourceType's name in lower case; NULL for NULL. Caller frees. */
char *network_type_name(const char *type);

/* Replaces the headers by those in the `headers` member of a protocol object. */
void network_event_set_headers(struct br_network_event *event, bool is_response,
                               const json_t *from);

/* Removes the fields that only a caller with keeps_headers receives. */
void network_event_drop_headers(struct br_network_event *event);

/*
 * Sets the body of a failed response, cut at NETWORK_MAX_BODY; a binary body, or NULL, is only
 * mentioned.
 */
void network_event_set_body(struct br_network_event *event, const char *body, size_t length);

/*
 * Headers as they were on the wire, of requests that have not been announced yet: Chrome reports
 * them in separate events, in any order.
 */
struct network_extras {
    struct network_extra *items;
    size_t count, capacity;
};

void network_extras_finish(struct network_extras *extras);

/* Adds the params of such an event to the request's event, or stores them if it is NULL. */
void network_extras_add(struct network_extras *extras, struct br_network_event *event,
                        bool is_response, json_t *params);

/* Moves the stored headers of a request into its event. */
void network_extras_take(struct network_extras *extras, const char *id,
                         struct br_network_event *event);

/* Open WebSockets: how they opened, failed or were closed. Their messages are not stored. */
struct network_sockets {
    struct network_socket *items;
    size_t count, capacity;
};

/* Forgets all of them. */
void network_sockets_finish(struct network_sockets *sockets);

/*
 * Handles an event about a WebSocket, and adds its outcome to the log; returns false for any other
 * event. The id is that of the document's request that a new socket belongs to; NULL: unknown.
 */
bool network_sockets_on_event(struct network_sockets *sockets, struct network_log *log,
                              const char *navigation_id, const char *method, const json_t *params);

#endif
