/*
 * The browser's end of a connection, byte by byte: what Chrome would write and read, and what no
 * Chrome would. Shares no code with the transports that it tests.
 */
#ifndef TESTS_INTEGRATION_FAKE_PEER_H
#define TESTS_INTEGRATION_FAKE_PEER_H

#include "runner/base/clock.h"

#include <stdbool.h>
#include <stddef.h>

struct fake_peer;

/* Messages that end with a NUL. Takes ownership of both descriptors. */
struct fake_peer *fake_peer_create_pipe(int in_fd, int out_fd);

/* A WebSocket's server side, whose handshake is over. Takes ownership of the descriptor. */
struct fake_peer *fake_peer_create_websocket(int fd);

/* Closes the connection, without a farewell. NULL is fine. */
void fake_peer_destroy(struct fake_peer *peer);

/*
 * How messages are cut: the bytes into pieces of this size, and for a WebSocket each message into
 * fragments of it as well; 0 is whole. In lockstep a piece is written only when the one before it
 * has been read (of a pipe; a WebSocket's bytes may still be joined on their way).
 */
void fake_peer_set_split(struct fake_peer *peer, size_t size, bool is_lockstep);

/* Adds a message, or bytes as they are, to what fake_peer_flush() writes. */
void fake_peer_add(struct fake_peer *peer, const char *text, size_t length);
void fake_peer_add_raw(struct fake_peer *peer, const void *bytes, size_t length);

/* Writes all of it. False when the other side is gone or does not read until the deadline. */
bool fake_peer_flush(struct fake_peer *peer, struct deadline deadline);

/* The same, and keeps it, so that it can be written again: the fastest flood that there is. */
bool fake_peer_write(struct fake_peer *peer, struct deadline deadline);

enum fake_read {
    FAKE_READ_MESSAGE,
    FAKE_READ_GONE,     /* the other side has closed */
    FAKE_READ_LATE,     /* the deadline has passed */
    FAKE_READ_VIOLATED, /* what came breaks the protocol */
};

/* The next message; *ret_text has a NUL behind its length, caller frees. */
enum fake_read fake_peer_read(struct fake_peer *peer, struct deadline deadline, char **ret_text,
                              size_t *ret_length);

#endif
