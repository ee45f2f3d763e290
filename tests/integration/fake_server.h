/* The fake browser's WebSocket server on a loopback port: HTTP and the handshake. */
#ifndef TESTS_INTEGRATION_FAKE_SERVER_H
#define TESTS_INTEGRATION_FAKE_SERVER_H

#include "tests/integration/fake_peer.h"

struct fake_server;

/* Listens. NULL when it cannot. */
struct fake_server *fake_server_create(void);
void fake_server_destroy(struct fake_server *server);

/* "http://127.0.0.1:port". Borrowed. */
const char *fake_server_url(const struct fake_server *server);

/* The next WebSocket; what else is asked meanwhile is answered as Chrome does. NULL when late. */
struct fake_peer *fake_server_accept(struct fake_server *server, struct deadline deadline);

/* Waits until somebody connects, whom the kernel has accepted and nobody else does. False when
 * late. */
bool fake_server_await_knock(struct fake_server *server, struct deadline deadline);

/*
 * Takes the next request, and gives its descriptor, on which the caller answers. -1 when late. The
 * request is copied into buf, cut to its size.
 */
int fake_server_take_request(struct fake_server *server, char *buf, size_t size,
                             struct deadline deadline);

#endif
