/* One GET of a server of others. */
#ifndef RUNNER_CDP_HTTP_GET_H
#define RUNNER_CDP_HTTP_GET_H

#include "runner/cdp/endpoint.h"
#include "runner/loop/loop.h"

/*
 * The whole answer, of at most so many bytes; anything but status 200 is an error, redirections as
 * well. No cookies are sent. Each of the host's addresses is tried. Any thread but the loop's.
 * Caller frees; NULL with DISCONNECTED, or TIMEOUT. `peer` is static.
 */
char *http_get(struct loop *loop, const struct endpoint *endpoint, const struct endpoint_peer *peer,
               size_t max_bytes, struct deadline deadline, struct br_error *err);

#endif
