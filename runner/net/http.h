/* Requests to other programs' servers, without cookies and without a proxy. */
#ifndef RUNNER_NET_HTTP_H
#define RUNNER_NET_HTTP_H

#include "runner/loop/loop.h"
#include "runner/net/server_url.h"

/*
 * Returns the whole answer, of at most max_bytes. Any status but 200 is an error, including
 * redirections. Tries each of the host's addresses. Any thread but the loop's.
 * Caller frees; NULL with DISCONNECTED or TIMEOUT. `peer` is static.
 */
char *http_get(struct loop *loop, const struct server_url *server, const struct server_kind *peer,
               size_t max_bytes, struct deadline deadline, struct br_error *err);

/* Probing: whether a server answers one small GET. */

enum http_probe_state {
    HTTP_PROBE_NOBODY,  /* no server listens there */
    HTTP_PROBE_SILENT,  /* connected, but no answer until the deadline, or not an HTTP answer */
    HTTP_PROBE_REFUSED, /* a status from 500 on */
    HTTP_PROBE_READY,   /* a status below 500; with https: it accepts connections */
    HTTP_PROBE_STOPPED, /* one of the stop descriptors became readable */
};

/* Descriptors that end a wait early; -1: none. */
struct http_probe_stop {
    int fds[2];
};

/*
 * Requests each of the addresses until one is ready; *ret_status is the last answer's, 0 without
 * one. Certificates are not checked: with https an accepted connection suffices.
 */
enum http_probe_state http_probe(const struct server_url *server,
                                 const struct lookup_addresses *addresses,
                                 const struct http_probe_stop *stop, struct deadline deadline,
                                 int *ret_status);

/* Waits for `ms`; returns false if it was stopped. */
bool http_probe_pause(const struct http_probe_stop *stop, int64_t ms);

#endif
