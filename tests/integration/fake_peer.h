/*
 * The browser's end of a connection, byte by byte, including what Chrome would never send. Shares
 * no code with the transports under test.
 */
#ifndef TESTS_INTEGRATION_FAKE_PEER_H
#define TESTS_INTEGRATION_FAKE_PEER_H

#include "runner/base/clock.h"

#include <stdbool.h>
#include <stddef.h>

struct fake_peer;

/* Uses messages that end with a NUL. Takes ownership of both descriptors. */
struct fake_peer *fake_peer_create_pipe(int in_fd, int out_fd);

/* The server side of a WebSocket after its handshake. Takes ownership of the descriptor. */
struct fake_peer *fake_peer_create_websocket(int fd);

/* Closes the connection abruptly. NULL is a no-op. */
void fake_peer_destroy(struct fake_peer *peer);

/*
 * Sets how messages are split: the bytes into pieces of this size, and for a WebSocket each message
 * into fragments of it as well; 0: not split. In lockstep a piece is written only after the
 * previous one was read (on a pipe; a WebSocket's bytes may still be joined on their way).
 */
void fake_peer_set_split(struct fake_peer *peer, size_t size, bool is_lockstep);

/* Adds a message, or raw bytes, to what fake_peer_flush() writes. */
void fake_peer_add(struct fake_peer *peer, const char *text, size_t length);
void fake_peer_add_raw(struct fake_peer *peer, const void *bytes, size_t length);

/* Writes everything. False if the other side is closed or does not read until the deadline. */
bool fake_peer_flush(struct fake_peer *peer, struct deadline deadline);

/* As fake_peer_flush(), but keeps the bytes for writing them again: the fastest possible flood. */
bool fake_peer_write(struct fake_peer *peer, struct deadline deadline);

enum fake_read {
    FAKE_READ_MESSAGE,
    FAKE_READ_GONE,     /* the other side has closed */
    FAKE_READ_LATE,     /* the deadline has passed */
    FAKE_READ_VIOLATED, /* the received data violates the protocol */
};

/* Reads the next message; *ret_text has a NUL after its length, caller frees. */
enum fake_read fake_peer_read(struct fake_peer *peer, struct deadline deadline, char **ret_text,
                              size_t *ret_length);

#endif
