/* The address of another program's server: parses its URL and resolves its name. */
#ifndef RUNNER_CDP_ENDPOINT_H
#define RUNNER_CDP_ENDPOINT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stdint.h>

/* libwebsockets cuts longer hosts and paths when it writes the request. */
enum { ENDPOINT_MAX_HOST = 100, ENDPOINT_MAX_PATH = 1900, ENDPOINT_MAX_ADDRESSES = 8 };

/* The server's kind, for messages. All strings are static. */
struct endpoint_peer {
    const char *name;   /* "the browser" */
    const char *start;  /* option that makes it listen: "--remote-debugging-port=" */
    bool has_discovery; /* its WebSocket is found by HTTP */
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

/* Parses ws, wss, http and https URLs; INVALID_ACTION for anything else. */
bool endpoint_parse(const char *url, struct endpoint *ret_endpoint, struct br_error *err);

/* Writes "host:port" as in a Host header, for the endpoint's own host or one of its addresses. */
void endpoint_format_host(const char *host, uint16_t port, char *buf, size_t size);

struct endpoint_addresses {
    size_t count;
    char items[ENDPOINT_MAX_ADDRESSES]
              [ENDPOINT_MAX_HOST + 1]; /* numeric, in the resolver's order */
};

/*
 * Resolves the host's name until the deadline; libwebsockets would block the loop meanwhile.
 * localhost and names below it are this machine.
 */
bool endpoint_resolve(const struct endpoint *endpoint, struct deadline deadline,
                      struct endpoint_addresses *ret_addresses, struct br_error *err);

#endif
