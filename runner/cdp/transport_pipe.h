/* Chrome's --remote-debugging-pipe as a transport. */
#ifndef RUNNER_CDP_TRANSPORT_PIPE_H
#define RUNNER_CDP_TRANSPORT_PIPE_H

#include "runner/net/transport.h"

/*
 * Creates a transport for Chrome's --remote-debugging-pipe. Messages end with a NUL, or are CBOR
 * (cbor.h) with =cbor. write_fd is a stream socket, read_fd a pipe or a socket. Takes ownership of
 * both.
 */
struct transport *transport_pipe_create(struct loop *loop, int read_fd, int write_fd, bool is_cbor);

#endif
