/* Parses a URL as browsers do (WHATWG), as far as needed to know which host it contacts. */
#ifndef RUNNER_BASE_URL_PARTS_H
#define RUNNER_BASE_URL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { URL_MAX_HOST = 255, URL_MAX_SCHEME = 32, URL_ANY_PORT = -1 };

/* An IP address; IPv4 is mapped into ::ffff:0:0/96. */
struct ip_address {
    uint8_t bytes[16];
};

struct url_parts {
    char scheme[URL_MAX_SCHEME]; /* lower case */
    char host[URL_MAX_HOST + 1]; /* lower case, without the root's dot; addresses in canonical form,
                                    IPv6 in brackets; "" if there is none */
    int port;                    /* 0: not given, and the scheme has no default */
    bool is_address;
    struct ip_address address;
};

/*
 * Returns false for text without a scheme, and for a host that browsers would refuse or that is not
 * ASCII: Chrome reports host names in their ASCII form. Lenient spellings such as "HTTP:\\0x7f.1\"
 * are read as Chrome reads them.
 */
bool url_parts_read(const char *url, struct url_parts *ret_parts);

/* Parses a host alone, as in a rule; IPv6 in brackets. */
bool url_host_read(const char *host, struct url_parts *ret_parts);

/* Returns the scheme's default port; 0 if it has none. */
int url_usual_port(const char *scheme);

/*
 * Returns the length of the "scheme:" that the text begins with, or of "scheme://host:port"; 0 if
 * there is none.
 */
size_t url_scheme_length(const char *url);
size_t url_origin_length(const char *url);

/*
 * Whether it is an http or https URL with a host; the second requires that nothing follows the
 * port.
 */
bool url_is_web(const char *url);
bool url_is_web_origin(const char *url);

/* Whether its scheme is one that a page can be opened from: http, https, file, data or about. */
bool url_is_openable(const char *url);

/* Parses an address as the system writes it, without brackets. */
bool ip_address_read(const char *text, struct ip_address *ret_address);

/*
 * Whether the address belongs to this machine or a network that is not public: loopback, private,
 * shared (100.64/10), link-local, unique local, unspecified, and IPv4 ones embedded in IPv6
 * (mapped, compatible, NAT64, 6to4).
 */
bool ip_address_is_private(const struct ip_address *address);

/*
 * Whether it is certainly this machine, regardless of DNS: localhost and its subdomains (RFC 6761),
 * 127.0.0.0/8 and ::1. IPv6 with or without brackets.
 */
bool url_host_is_loopback(const char *host);

/*
 * Whether a name is local without public DNS: localhost and its subdomains, names without a dot,
 * and names below local, internal, home.arpa, lan and intranet.
 */
bool url_host_is_local(const char *host);

/*
 * Returns an address as people write it with its scheme: https, or http for this computer and
 * numeric addresses. Caller frees.
 */
char *url_complete(const char *text);

/*
 * Resolves a URL relative to base_url according to RFC 3986, section 5.2. A URL with a scheme is
 * unchanged, and so is any other if base_url has no host. Caller frees.
 */
char *url_parts_resolve(const char *base_url, const char *url);

#endif
