/* WebSockets: their opening, and how they failed or were closed. What goes over them is not kept.
 */
#ifndef RUNNER_OBSERVE_NETWORK_SOCKET_H
#define RUNNER_OBSERVE_NETWORK_SOCKET_H

#include "runner/observe/network_log.h"

#include <jansson.h>

/* Those that are not closed. */
struct network_sockets {
    struct network_socket *items;
    size_t count, capacity;
};

/* Forgets all of them. */
void network_sockets_finish(struct network_sockets *sockets);

/*
 * Applies an event about a WebSocket, with its outcome to the log; false for any other. The id is
 * that of the document's request that a new one belongs to; NULL: not known.
 */
bool network_sockets_on_event(struct network_sockets *sockets, struct network_log *log,
                              const char *navigation_id, const char *method, const json_t *params);

#endif
