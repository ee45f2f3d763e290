/* Network events. Their struct is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_NETWORK_EVENT_H
#define RUNNER_BASE_NETWORK_EVENT_H

#include <browser_runner/response.h>

/* An event with every field absent and every number unknown. */
void network_event_init(struct br_network_event *event);
void network_event_finish(struct br_network_event *event);
struct br_header *network_headers_copy(const struct br_header *headers, size_t count);
void network_headers_free(struct br_header *headers, size_t count);
struct br_network_event network_event_copy(const struct br_network_event *event);
/* Returns the size of its texts in bytes. */
size_t network_event_size(const struct br_network_event *event);

/*
 * Whether the request failed, or was answered with a status from 400. A missing favicon.ico, which
 * Chrome requests from each server by itself, is not a failure.
 */
bool network_event_has_failed(const struct br_network_event *event);
bool network_event_is_icon(const struct br_network_event *event);

/* The names of enum br_network_filter, in its order; NULL-terminated. */
extern const char *const network_filter_names[];

#endif
