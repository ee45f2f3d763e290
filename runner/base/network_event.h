/* What is told of requests. Its shape is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_NETWORK_EVENT_H
#define RUNNER_BASE_NETWORK_EVENT_H

#include <browser_runner/response.h>

/* An event with every field absent and every number unknown. */
void network_event_init(struct br_network_event *event);
void network_event_finish(struct br_network_event *event);
struct br_header *network_headers_copy(const struct br_header *headers, size_t count);
void network_headers_free(struct br_header *headers, size_t count);
struct br_network_event network_event_copy(const struct br_network_event *event);
size_t network_event_size(const struct br_network_event *event); /* bytes of its texts */

/*
 * Whether the request failed, or was answered with a status from 400. The favicon.ico that Chrome
 * asks each server for by itself is missed by nobody.
 */
bool network_event_has_failed(const struct br_network_event *event);
bool network_event_is_icon(const struct br_network_event *event);

/* The names of enum br_network_filter, in its order; ends with NULL. */
extern const char *const network_filter_names[];

#endif
