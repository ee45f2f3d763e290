/* How the protocol's words about a request become the fields of an event. */
#ifndef RUNNER_OBSERVE_NETWORK_FIELDS_H
#define RUNNER_OBSERVE_NETWORK_FIELDS_H

#include <browser_runner/response.h>

#include <jansson.h>

enum {
    NETWORK_MAX_BODY = 4096,           /* bytes of a failed response's body that are kept */
    NETWORK_MAX_POST_DATA = 64 * 1024, /* of what was sent */
};

/* From the params of Network.requestWillBeSent or Network.webSocketCreated. */
void network_event_begin(struct br_network_event *event, const json_t *params);

/* From a Network.Response. *ret_requested_at_s is when its timings begin, 0 when it has none. */
void network_event_respond(struct br_network_event *event, const json_t *response,
                           double *ret_requested_at_s);

/* The name of a Network.ResourceType in lower case; NULL stays NULL. Caller frees. */
char *network_type_name(const char *type);

/* Takes the `headers` of an object of the protocol in the place of those that are there. */
void network_event_set_headers(struct br_network_event *event, bool is_response,
                               const json_t *from);

/* What only those see who asked for headers. */
void network_event_drop_headers(struct br_network_event *event);

/*
 * The body of a failed response, cut at NETWORK_MAX_BODY; a binary one is only mentioned, and so is
 * one that is NULL.
 */
void network_event_set_body(struct br_network_event *event, const char *body, size_t length);

#endif
