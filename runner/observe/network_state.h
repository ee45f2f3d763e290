/* What the files of the network recorder share. */
#ifndef RUNNER_OBSERVE_NETWORK_STATE_H
#define RUNNER_OBSERVE_NETWORK_STATE_H

#include "runner/observe/network.h"

/* Whether headers are to be gathered: for `events`, or for whoever listens to the stream. */
bool network_gathers_headers(const struct network_recorder *recorder);

/*
 * Takes over the fields of an event that is complete, tells the stream, and counts it. Its event
 * there waits details_ms for its body; *ret_ticket, unless NULL, is its ticket, 0 without one.
 * False when it was dropped.
 */
bool network_add_event(struct network_recorder *recorder, const char *id,
                       struct br_network_event *event, int64_t details_ms, uint64_t *ret_ticket);

/*
 * network_extra.c: headers as they were on the wire, told apart from the request itself. They go
 * to its event, or where that is NULL, they wait for network_extra_take().
 */
void network_extra_add(struct network_recorder *recorder, struct br_network_event *event,
                       bool is_response, json_t *params);
void network_extra_take(struct network_recorder *recorder, const char *id,
                        struct br_network_event *event);
void network_extra_finish(struct network_recorder *recorder);

/* network_socket.c: applies an event about a WebSocket; false for any other. */
bool network_socket_on_event(struct network_recorder *recorder, const char *method,
                             const json_t *params);

/* Forgets all WebSockets. */
void network_socket_finish(struct network_recorder *recorder);

#endif
