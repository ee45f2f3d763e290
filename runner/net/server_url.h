/* The address of another program's server: parses its URL and resolves its name. */
#ifndef RUNNER_NET_SERVER_URL_H
#define RUNNER_NET_SERVER_URL_H

#include "runner/base/error.h"
#include "runner/net/lookup.h"

#include <stdint.h>

/* libwebsockets cuts longer hosts and paths when it writes the request. */
enum { SERVER_URL_MAX_HOST = LOOKUP_ADDRESS_LENGTH, SERVER_URL_MAX_PATH = 1900 };

/* The server's kind, for messages. All strings are static. */
struct server_kind {
    const char *name;   /* "the browser" */
    const char *start;  /* option that makes it listen: "--remote-debugging-port=" */
    bool has_discovery; /* its WebSocket is found by HTTP */
};

struct server_url {
    bool is_http; /* http: or https:, not ws: or wss: */
    bool is_tls;
    bool is_numeric;                    /* the host is an address */
    char host[SERVER_URL_MAX_HOST + 1]; /* without the brackets of an IPv6 address */
    uint16_t port;
    char path[SERVER_URL_MAX_PATH + 1]; /* with the query; at least "/" */
};

/* Parses ws, wss, http and https URLs; INVALID_ACTION for anything else. */
bool server_url_parse(const char *url, struct server_url *ret_server, struct br_error *err);

/* Writes "host:port" as in a Host header, for the server's own host or one of its addresses. */
void server_url_format_host(const char *host, uint16_t port, char *buf, size_t size);

/*
 * Resolves the host's name until the deadline; libwebsockets would block the loop meanwhile.
 * localhost and names below it are this machine.
 */
bool server_url_resolve(const struct server_url *server, struct deadline deadline,
                        struct lookup_addresses *ret_addresses, struct br_error *err);

#endif
