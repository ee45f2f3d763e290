/* The fake browser's WebSocket server on a loopback port: HTTP and the handshake. */
#ifndef TESTS_INTEGRATION_FAKE_SERVER_H
#define TESTS_INTEGRATION_FAKE_SERVER_H

#include "tests/integration/fake_peer.h"

struct fake_server;

/* Listens. NULL on failure. */
struct fake_server *fake_server_create(void);
void fake_server_destroy(struct fake_server *server);

/* "http://127.0.0.1:port". Borrowed. */
const char *fake_server_url(const struct fake_server *server);

/*
 * Returns the next WebSocket; answers other requests meanwhile like Chrome. NULL at the deadline.
 */
struct fake_peer *fake_server_accept(struct fake_server *server, struct deadline deadline);

/* Waits for a connection that only the kernel has accepted. False at the deadline. */
bool fake_server_await_knock(struct fake_server *server, struct deadline deadline);

/*
 * Takes the next request, copied into buf and cut to its size; returns the descriptor for the
 * caller's answer. -1 at the deadline.
 */
int fake_server_take_request(struct fake_server *server, char *buf, size_t size,
                             struct deadline deadline);

#endif
