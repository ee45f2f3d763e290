/* WebSockets: their opening, and how they failed or were closed. Their messages are not kept. */
#ifndef RUNNER_OBSERVE_NETWORK_SOCKET_H
#define RUNNER_OBSERVE_NETWORK_SOCKET_H

#include "runner/observe/network_log.h"

#include <jansson.h>

/* Open sockets. */
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
