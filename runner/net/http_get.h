/* A GET request to another program's server. */
#ifndef RUNNER_NET_HTTP_GET_H
#define RUNNER_NET_HTTP_GET_H

#include "runner/loop/loop.h"
#include "runner/net/server_url.h"

/*
 * Returns the whole answer, of at most max_bytes. Any status but 200 is an error, including
 * redirections. Sends no cookies. Tries each of the host's addresses. Any thread but the loop's.
 * Caller frees; NULL with DISCONNECTED or TIMEOUT. `peer` is static.
 */
char *http_get(struct loop *loop, const struct server_url *server, const struct server_kind *peer,
               size_t max_bytes, struct deadline deadline, struct br_error *err);

#endif
