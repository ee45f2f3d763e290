/* TCP connections that are HTTP requests or WebSockets. */
#ifndef RUNNER_NET_WEB_H
#define RUNNER_NET_WEB_H

#include "runner/net/connection.h"

/* Takes ownership of an accepted socket. Returns false when the loop has no room for it. */
bool web_accept(struct connections *all, int fd);

/* Answers an accepted socket with 503 and closes it. */
void web_refuse(int fd);

#endif
