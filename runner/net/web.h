/* Connections that are HTTP requests or WebSockets, over TCP. */
#ifndef RUNNER_NET_WEB_H
#define RUNNER_NET_WEB_H

#include "runner/net/connection.h"

/* Takes an accepted socket. False: the loop has no room for it. */
bool web_accept(struct connections *all, int fd);

/* Takes an accepted socket that is one too many; tells it so. */
void web_refuse(int fd);

#endif
