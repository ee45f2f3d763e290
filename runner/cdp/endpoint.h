/* Where a server of others listens: a URL taken apart, and its name resolved. */
#ifndef RUNNER_CDP_ENDPOINT_H
#define RUNNER_CDP_ENDPOINT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stdint.h>

/* libwebsockets cuts longer ones when it writes the request. */
enum { ENDPOINT_MAX_HOST = 100, ENDPOINT_MAX_PATH = 1900, ENDPOINT_MAX_ADDRESSES = 8 };

/* Who is asked for there, for messages. All strings are static. */
struct endpoint_peer {
    const char *name;   /* "the browser" */
    const char *start;  /* what makes it listen, up to the port: "--remote-debugging-port=" */
    bool has_discovery; /* its WebSocket is found over HTTP */
};
extern const struct endpoint_peer endpoint_browser;

struct endpoint {
    bool is_http; /* http: or https:, not ws: or wss: */
    bool is_tls;
    bool is_numeric;                  /* the host is an address */
    char host[ENDPOINT_MAX_HOST + 1]; /* without the brackets of an IPv6 address */
    uint16_t port;
    char path[ENDPOINT_MAX_PATH + 1]; /* with the query; at least "/" */
};

/* Takes ws, wss, http and https; INVALID_ACTION for anything else. */
bool endpoint_parse(const char *url, struct endpoint *ret_endpoint, struct br_error *err);

/* "host:port" as in a Host header, for the endpoint's own host or for one of its addresses. */
void endpoint_format_host(const char *host, uint16_t port, char *buf, size_t size);

struct endpoint_addresses {
    size_t count;
    char items[ENDPOINT_MAX_ADDRESSES]
              [ENDPOINT_MAX_HOST + 1]; /* numeric, as the resolver orders them */
};

/*
 * Resolves the host's name, by the deadline: libwebsockets would block the loop for it. localhost
 * and what is below it are this machine.
 */
bool endpoint_resolve(const struct endpoint *endpoint, struct deadline deadline,
                      struct endpoint_addresses *ret_addresses, struct br_error *err);

#endif
