/* A URL taken apart as browsers do it (WHATWG), as far as it takes to know whom it asks. */
#ifndef RUNNER_BASE_URL_PARTS_H
#define RUNNER_BASE_URL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { URL_MAX_HOST = 255, URL_MAX_SCHEME = 32, URL_ANY_PORT = -1 };

/* An IP address, IPv4 as in ::ffff:0:0/96. */
struct ip_address {
    uint8_t bytes[16];
};

struct url_parts {
    char scheme[URL_MAX_SCHEME]; /* lower case */
    char host[URL_MAX_HOST + 1]; /* lower case, without the dot of the root; an address as it is
                                    usually written, IPv6 in brackets; "": there is none */
    int port;                    /* 0: neither given nor usual */
    bool is_address;
    struct ip_address address;
};

/*
 * False for what has no scheme, and for a host that browsers would refuse or that is not ASCII:
 * Chrome tells of names in their ASCII form. What only a lenient reader takes, such as
 * "HTTP:\\0x7f.1\", is read as Chrome reads it.
 */
bool url_parts_read(const char *url, struct url_parts *ret_parts);

/* A host alone, as in a rule; IPv6 in brackets. */
bool url_host_read(const char *host, struct url_parts *ret_parts);

/* The port that a scheme has when a URL names none; 0: none. */
int url_usual_port(const char *scheme);

/* How long "scheme:" is that the text begins with, and "scheme://host:port"; 0: it does not. */
size_t url_scheme_length(const char *url);
size_t url_origin_length(const char *url);

/* Whether it is one of http or https with a host; and of these with no more than a port behind. */
bool url_is_web(const char *url);
bool url_is_web_origin(const char *url);

/* Whether it begins as what a page can be opened from: http, https, file, data and about. */
bool url_is_openable(const char *url);

/* An address as the system writes it, without brackets. */
bool ip_address_read(const char *text, struct ip_address *ret_address);

/*
 * Whether the address is of this machine or of a network that is not public: loopback, private,
 * shared (100.64/10), link-local, unique local, unspecified, and IPv4 ones inside of IPv6
 * (mapped, compatible, NAT64, 6to4).
 */
bool ip_address_is_private(const struct ip_address *address);

/*
 * Whether it is this machine for certain, whatever DNS says: localhost, what is below it (RFC
 * 6761), 127.0.0.0/8 and ::1. IPv6 with or without brackets.
 */
bool url_host_is_loopback(const char *host);

/*
 * Whether a name leads there without anybody's DNS: localhost and what is below it, names without
 * a dot, and those below local, internal, home.arpa, lan and intranet.
 */
bool url_host_is_local(const char *host);

#endif
