#include "runner/net/server_url.h"

#include "runner/base/memory.h"
#include "runner/base/url_parts.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

static const struct scheme {
    const char *prefix;
    bool is_http;
    bool is_tls;
    uint16_t port;
} schemes[] = {
    { "ws://", false, false, 80 },
    { "wss://", false, true, 443 },
    { "http://", true, false, 80 },
    { "https://", true, true, 443 },
};

static const struct scheme *find_scheme(const char *url)
{
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncasecmp(url, schemes[i].prefix, strlen(schemes[i].prefix)) == 0) {
            return &schemes[i];
        }
    }
    return NULL;
}

/* Returns false for an invalid port, and for other text between host and path. */
static bool parse_port(const char *from, const char *to, uint16_t *port)
{
    unsigned number = 0;
    if (from == to) {
        return true;
    }
    if (*from != ':' || to - from > 6) {
        return false;
    }
    for (const char *at = from + 1; at < to; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        number = number * 10 + (unsigned)(*at - '0');
    }
    *port = (uint16_t)number;
    return number > 0 && number <= UINT16_MAX;
}

static bool copy_range(const char *from, const char *to, char *buf, size_t size)
{
    size_t length = (size_t)(to - from);
    if (length >= size) {
        return false;
    }
    memcpy(buf, from, length);
    buf[length] = '\0';
    return true;
}

static bool is_address(const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
}

/* Parses the authority, which ends at `end`: host, or [address], and a port. */
static bool parse_authority(const char *at, const char *end, struct server_url *server)
{
    const char *bracket = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    const char *host_end = bracket ? bracket : memchr(at, ':', (size_t)(end - at));
    if (*at == '[' && !bracket) {
        return false;
    }
    host_end = host_end ? host_end : end;
    at += bracket != NULL;
    if (host_end == at || !copy_range(at, host_end, server->host, sizeof(server->host)) ||
        strchr(server->host, '@')) {
        return false;
    }
    server->is_numeric = is_address(server->host);
    return parse_port(bracket ? host_end + 1 : host_end, end, &server->port);
}

bool server_url_parse(const char *url, struct server_url *ret_server, struct br_error *err)
{
    const struct scheme *scheme = find_scheme(url);
    if (!scheme) {
        return error_set(err, BR_INVALID_ACTION,
                         "%.200s is no address of a server: it begins with none of ws://, wss://, "
                         "http://, https://",
                         url);
    }
    *ret_server = (struct server_url){
        .is_http = scheme->is_http,
        .is_tls = scheme->is_tls,
        .port = scheme->port,
    };
    const char *host = url + strlen(scheme->prefix);
    const char *host_end = host + strcspn(host, "/?#");
    const char *path_end = host_end + strcspn(host_end, "#");
    for (const char *at = host; *at; at++) {
        /* These would end the request line into which the URL is written. */
        if ((unsigned char)*at <= ' ' || *at == 0x7F) {
            return error_set(err, BR_INVALID_ACTION,
                             "the address has a space or a control character in it");
        }
    }
    char *path = ret_server->path;
    size_t path_size = sizeof(ret_server->path);
    if (*host_end != '/') {
        *path++ = '/';
        path_size--;
    }
    /* The message does not repeat the URL, because it may contain a token or a password. */
    if (!parse_authority(host, host_end, ret_server) ||
        !copy_range(host_end, path_end, path, path_size)) {
        return error_set(err, BR_INVALID_ACTION,
                         "the address is no URL of the form %s://host:port/path",
                         scheme->is_http ? "http" : "ws");
    }
    return true;
}

void server_url_format_host(const char *host, uint16_t port, char *buf, size_t size)
{
    snprintf(buf, size, strchr(host, ':') ? "[%s]:%u" : "%s:%u", host, (unsigned)port);
}

bool server_url_resolve(const struct server_url *server, struct deadline deadline,
                        struct lookup_addresses *ret_addresses, struct br_error *err)
{
    if (server->is_numeric) {
        *ret_addresses = (struct lookup_addresses){ .count = 1 };
        snprintf(ret_addresses->items[0], sizeof(ret_addresses->items[0]), "%s", server->host);
        return true;
    }
    /* In the browsers' order, and without the resolver. */
    if (url_host_is_loopback(server->host)) {
        *ret_addresses = (struct lookup_addresses){ .count = 2, .items = { "::1", "127.0.0.1" } };
        return true;
    }
    struct lookup *lookup = lookup_start(server->host, 0, NULL, NULL);
    if (!lookup) {
        return error_set(err, BR_LIMIT_EXCEEDED, "cannot start a thread to look up %s",
                         server->host);
    }
    bool is_done = lookup_wait(lookup, deadline);
    int failure = is_done ? lookup_answer(lookup, ret_addresses) : 0;
    lookup_release(lookup);
    if (!is_done) {
        return error_set(err, BR_TIMEOUT, "timed out looking up the name %s", server->host);
    }
    if (ret_addresses->count == 0) {
        return error_set(err, BR_DISCONNECTED, "cannot look up the name %s: %s", server->host,
                         failure ? gai_strerror(failure) : "it has no address");
    }
    return true;
}
