/* Connections that send and get lines, over a Unix socket. */
#ifndef RUNNER_NET_LINES_H
#define RUNNER_NET_LINES_H

#include "runner/net/connection.h"

/* Takes an accepted socket that does not block. False: the loop has no room for it. */
bool lines_accept(struct connections *all, int fd, const struct net_peer *peer);

#endif
