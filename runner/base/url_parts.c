#include "runner/base/url_parts.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_PORT = 65535, IPV4_PARTS = 4 };

/* WHATWG "special" schemes: a backslash is a slash, and a host is required. */
static const struct {
    const char *scheme;
    int port;
} special[] = {
    { "http", 80 }, { "https", 443 }, { "ws", 80 }, { "wss", 443 }, { "ftp", 21 }, { "file", 0 },
};

static bool is_special(const char *scheme)
{
    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
        if (strcmp(scheme, special[i].scheme) == 0) {
            return true;
        }
    }
    return false;
}

int url_usual_port(const char *scheme)
{
    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
        if (strcmp(scheme, special[i].scheme) == 0) {
            return special[i].port;
        }
    }
    return 0;
}

/* Removes what browsers drop: surrounding blanks and controls, and tabs and line ends anywhere. */
static char *without_blanks(const char *url)
{
    size_t length = strlen(url);
    char *text = xmalloc(length + 1);
    size_t kept = 0;
    while (length > 0 && (unsigned char)url[length - 1] <= ' ') {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        bool is_dropped = strchr("\t\r\n", url[i]) || (kept == 0 && (unsigned char)url[i] <= ' ');
        if (!is_dropped) {
            text[kept++] = url[i];
        }
    }
    text[kept] = '\0';
    return text;
}

/* Returns the rest after the scheme's colon; NULL if there is no scheme. */
static const char *read_scheme(const char *url, char *ret_scheme)
{
    size_t length = 0;
    while (isalnum((unsigned char)url[length]) || (url[length] && strchr("+-.", url[length]))) {
        length++;
    }
    if (!isalpha((unsigned char)url[0]) || url[length] != ':' || length >= URL_MAX_SCHEME) {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        ret_scheme[i] = (char)tolower((unsigned char)url[i]);
    }
    ret_scheme[length] = '\0';
    return url + length + 1;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'         ? c - '0'
           : isxdigit((unsigned char)c) ? (tolower(c) - 'a') + 10
                                        : -1;
}

/*
 * Lowercases, percent-decodes, and removes the root's dot. False for characters that a host name
 * cannot have.
 */
static bool read_name(const char *text, size_t length, char *ret_host)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        int c = (unsigned char)text[i];
        if (c == '%' && i + 2 < length + 0 && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            c = (hex_digit(text[i + 1]) * 16) + hex_digit(text[i + 2]);
            i += 2;
        }
        if (c <= ' ' || c >= 0x7f || strchr("#%/:<>?@[\\]^|", c) || count == URL_MAX_HOST) {
            return false;
        }
        ret_host[count++] = (char)tolower(c);
    }
    if (count > 1 && ret_host[count - 1] == '.') {
        count--;
    }
    ret_host[count] = '\0';
    return count > 0;
}

/* Reads a part of an IPv4 address: decimal, 0x… or 0…; false if it is not a number. */
static bool read_number(const char *part, size_t length, uint64_t *ret_number)
{
    int base = 10;
    uint64_t number = 0;
    if (length >= 2 && part[0] == '0' && part[1] == 'x') {
        base = 16;
        part += 2;
        length -= 2;
    } else if (length >= 2 && part[0] == '0') {
        base = 8;
        part++;
        length--;
    } else if (length == 0) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        int digit = hex_digit(part[i]);
        if (digit < 0 || digit >= base) {
            return false;
        }
        number = number > UINT32_MAX ? number : (number * (uint64_t)base) + (uint64_t)digit;
    }
    *ret_number = number;
    return true;
}

/* Whether browsers treat a name as an address: its last part is digits, or a number. */
static bool ends_in_number(const char *host)
{
    const char *dot = strrchr(host, '.');
    const char *last = dot ? dot + 1 : host;
    uint64_t ignored;
    return *last && (strspn(last, "0123456789") == strlen(last) ||
                     read_number(last, strlen(last), &ignored));
}

/* Accepts 127.1, 0x7f000001, 017700000001 and similar forms. */
static bool read_ipv4(const char *host, uint32_t *ret_address)
{
    uint64_t numbers[IPV4_PARTS];
    size_t count = 0;
    for (const char *part = host;; part++) {
        size_t length = strcspn(part, ".");
        if (count == IPV4_PARTS || !read_number(part, length, &numbers[count++])) {
            return false;
        }
        part += length;
        if (*part == '\0') {
            break;
        }
    }
    uint64_t address = numbers[count - 1];
    if (address >= UINT64_C(1) << (8 * (IPV4_PARTS + 1 - count))) {
        return false;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        if (numbers[i] > UINT8_MAX) {
            return false;
        }
        address |= numbers[i] << (8 * (IPV4_PARTS - 1 - i));
    }
    *ret_address = (uint32_t)address;
    return true;
}

static struct ip_address from_ipv4(uint32_t address)
{
    return (struct ip_address){ .bytes = { [10] = 0xff,
                                           [11] = 0xff,
                                           [12] = (uint8_t)(address >> 24),
                                           [13] = (uint8_t)(address >> 16),
                                           [14] = (uint8_t)(address >> 8),
                                           [15] = (uint8_t)address } };
}

static bool read_ipv6(const char *text, size_t length, struct url_parts *parts)
{
    char inside[INET6_ADDRSTRLEN];
    char written[INET6_ADDRSTRLEN];
    if (length >= sizeof(inside)) {
        return false;
    }
    memcpy(inside, text, length);
    inside[length] = '\0';
    if (inet_pton(AF_INET6, inside, parts->address.bytes) != 1 ||
        !inet_ntop(AF_INET6, parts->address.bytes, written, sizeof(written))) {
        return false;
    }
    parts->is_address = true;
    snprintf(parts->host, sizeof(parts->host), "[%s]", written);
    return true;
}

static bool read_host(const char *text, size_t length, struct url_parts *parts)
{
    uint32_t ipv4;
    if (length >= 2 && text[0] == '[') {
        return text[length - 1] == ']' && read_ipv6(text + 1, length - 2, parts);
    }
    if (!read_name(text, length, parts->host)) {
        return false;
    }
    if (!ends_in_number(parts->host)) {
        return true;
    }
    if (!read_ipv4(parts->host, &ipv4)) {
        return false;
    }
    parts->is_address = true;
    parts->address = from_ipv4(ipv4);
    snprintf(parts->host, sizeof(parts->host), "%u.%u.%u.%u", ipv4 >> 24, (ipv4 >> 16) & 0xff,
             (ipv4 >> 8) & 0xff, ipv4 & 0xff);
    return true;
}

bool url_host_read(const char *host, struct url_parts *ret_parts)
{
    *ret_parts = (struct url_parts){ 0 };
    return read_host(host, strlen(host), ret_parts);
}

static bool read_port(const char *text, size_t length, int *ret_port)
{
    int port = 0;
    for (size_t i = 0; i < length; i++) {
        port = port > MAX_PORT ? port : (port * 10) + (text[i] - '0');
        if (!isdigit((unsigned char)text[i])) {
            return false;
        }
    }
    *ret_port = length ? port : *ret_port;
    return port <= MAX_PORT;
}

/* Reads the part between the slashes: user and password end at the last `@`. */
static bool read_authority(const char *text, size_t length, struct url_parts *parts)
{
    const char *end = text + length;
    for (const char *at = text; at < end; at++) {
        text = *at == '@' ? at + 1 : text;
    }
    const char *colon = end;
    const char *bracket = *text == '[' ? memchr(text, ']', (size_t)(end - text)) : NULL;
    for (const char *at = bracket ? bracket : text; at < end && colon == end; at++) {
        colon = *at == ':' ? at : end;
    }
    const char *port = colon < end ? colon + 1 : end;
    return read_host(text, (size_t)(colon - text), parts) &&
           read_port(port, (size_t)(end - port), &parts->port);
}

bool url_parts_read(const char *url, struct url_parts *ret_parts)
{
    CLEANUP_FREE char *text = without_blanks(url);
    *ret_parts = (struct url_parts){ 0 };
    const char *rest = read_scheme(text, ret_parts->scheme);
    if (!rest) {
        return false;
    }
    bool is_lenient = is_special(ret_parts->scheme);
    bool is_file = strcmp(ret_parts->scheme, "file") == 0;
    const char *slashes = is_lenient ? "/\\" : "/";
    size_t count = strspn(rest, slashes);
    ret_parts->port = url_usual_port(ret_parts->scheme);
    if (is_file ? count != 2 : !is_lenient) {
        return true; /* only a path, or a URL without a host */
    }
    const char *authority = rest + count;
    size_t length = strcspn(authority, is_lenient ? "/\\?#" : "/?#");
    return (is_file && length == 0) || read_authority(authority, length, ret_parts);
}

bool ip_address_read(const char *text, struct ip_address *ret_address)
{
    struct in_addr ipv4;
    size_t length = strlen(text);
    struct url_parts parts = { 0 };
    if (inet_pton(AF_INET, text, &ipv4) == 1) {
        *ret_address = from_ipv4(ntohl(ipv4.s_addr));
        return true;
    }
    bool is_bracketed = length >= 2 && text[0] == '[' && text[length - 1] == ']';
    if (!read_ipv6(is_bracketed ? text + 1 : text, is_bracketed ? length - 2 : length, &parts)) {
        return false;
    }
    *ret_address = parts.address;
    return true;
}

struct range {
    uint8_t bytes[16];
    unsigned bits;
};

/* IPv4: IANA's special-purpose registry, as far as the addresses are not globally reachable. */
static const struct {
    uint32_t base;
    unsigned bits;
} ipv4_ranges[] = {
    { 0x00000000, 8 },  /* this network; 0.0.0.0 is the machine itself */
    { 0x0a000000, 8 },  /* private */
    { 0x64400000, 10 }, /* shared, behind a provider's NAT */
    { 0x7f000000, 8 },  /* loopback */
    { 0xa9fe0000, 16 }, /* link-local, and the metadata of clouds */
    { 0xac100000, 12 }, /* private */
    { 0xc0000000, 24 }, /* IETF protocols */
    { 0xc0a80000, 16 }, /* private */
    { 0xc6120000, 15 }, /* benchmarking */
    { 0xe0000000, 4 },  /* multicast */
    { 0xf0000000, 4 },  /* reserved, and broadcast */
};

static const struct range ipv6_ranges[] = {
    { { 0 }, 127 },                        /* unspecified, loopback */
    { { 0xfc }, 7 },                       /* unique local */
    { { 0xfe, 0x80 }, 10 },                /* link-local */
    { { 0xfe, 0xc0 }, 10 },                /* site-local (deprecated) */
    { { 0xff }, 8 },                       /* multicast */
    { { 0x01 }, 64 },                      /* discard-only */
    { { 0, 0x64, 0xff, 0x9b, 0, 1 }, 48 }, /* NAT64 for local use */
};

static bool is_private_ipv4(uint32_t address)
{
    for (size_t i = 0; i < sizeof(ipv4_ranges) / sizeof(ipv4_ranges[0]); i++) {
        if ((address ^ ipv4_ranges[i].base) >> (32 - ipv4_ranges[i].bits) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_in(const uint8_t *bytes, const struct range *range)
{
    for (unsigned bit = 0; bit < range->bits; bit += 8) {
        unsigned left = range->bits - bit;
        unsigned mask = left >= 8 ? 0xff : 0xff & (0xff << (8 - left));
        if ((bytes[bit / 8] ^ range->bytes[bit / 8]) & mask) {
            return false;
        }
    }
    return true;
}

/* Returns the offset of an IPv4 address embedded in an IPv6 one; -1 if there is none. */
static int ipv4_offset(const uint8_t *bytes)
{
    static const struct {
        struct range range;
        int offset;
    } forms[] = {
        { { { [10] = 0xff, [11] = 0xff }, 96 }, 12 }, /* mapped */
        { { { 0, 0x64, 0xff, 0x9b }, 96 }, 12 },      /* NAT64 */
        { { { 0x20, 0x02 }, 16 }, 2 },                /* 6to4 */
        { { { [8] = 0xff, [9] = 0xff }, 96 }, 12 },   /* translated */
        { { { 0 }, 96 }, 12 },                        /* compatible */
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (is_in(bytes, &forms[i].range)) {
            return forms[i].offset;
        }
    }
    return -1;
}

bool ip_address_is_private(const struct ip_address *address)
{
    const uint8_t *bytes = address->bytes;
    for (size_t i = 0; i < sizeof(ipv6_ranges) / sizeof(ipv6_ranges[0]); i++) {
        if (is_in(bytes, &ipv6_ranges[i])) {
            return true;
        }
    }
    int offset = ipv4_offset(bytes);
    if (offset < 0) {
        return false;
    }
    const uint8_t *part = bytes + offset;
    return is_private_ipv4((uint32_t)part[0] << 24 | (uint32_t)part[1] << 16 |
                           (uint32_t)part[2] << 8 | part[3]);
}

static bool is_loopback_name(const char *host)
{
    static const char name[] = "localhost";
    size_t length = strlen(host);
    size_t below = length > strlen(name) ? length - strlen(name) : 0;
    return strcasecmp(host + below, name) == 0 &&
           (below == 0 || (below > 1 && host[below - 1] == '.'));
}

bool url_host_is_loopback(const char *host)
{
    static const struct range mapped = { { [10] = 0xff, [11] = 0xff, [12] = 127 }, 104 };
    static const struct range loopback = { { [15] = 1 }, 128 };
    struct ip_address address;
    size_t length = strlen(host);
    bool has_brackets = *host == '[' && host[length - 1] == ']';
    CLEANUP_FREE char *bare = has_brackets ? xstrndup(host + 1, length - 2) : xstrdup(host);
    return is_loopback_name(host) ||
           (ip_address_read(bare, &address) &&
            (is_in(address.bytes, &mapped) || is_in(address.bytes, &loopback)));
}

bool url_host_is_local(const char *host)
{
    static const char *const domains[] = { ".localhost", ".localdomain", ".local",   ".internal",
                                           ".home.arpa", ".lan",         ".intranet" };
    size_t length = strlen(host);
    for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
        size_t part = strlen(domains[i]);
        if (length > part && strcmp(host + length - part, domains[i]) == 0) {
            return true;
        }
    }
    return !strchr(host, '.') && *host != '[';
}

size_t url_scheme_length(const char *url)
{
    size_t length = 0;
    while (isalnum((unsigned char)url[length]) ||
           (length > 0 && url[length] && strchr("+.-", url[length]))) {
        length++;
    }
    return isalpha((unsigned char)url[0]) && url[length] == ':' ? length + 1 : 0;
}

size_t url_origin_length(const char *url)
{
    size_t scheme = url_scheme_length(url);
    bool has_authority = scheme > 0 && strncmp(url + scheme, "//", 2) == 0;
    return has_authority ? scheme + 2 + strcspn(url + scheme + 2, "/?#") : 0;
}

static bool begins_with(const char *url, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncasecmp(url, prefix, length) == 0 && url[length];
}

bool url_is_web(const char *url)
{
    return (begins_with(url, "http://") || begins_with(url, "https://")) &&
           url_origin_length(url) > url_scheme_length(url) + 2;
}

bool url_is_web_origin(const char *url)
{
    return url_is_web(url) && islower((unsigned char)*url) && !strpbrk(url, "\\?#@* ") &&
           url[url_origin_length(url)] == '\0';
}

bool url_is_openable(const char *url)
{
    static const char *const prefixes[] = { "http://", "https://", "file://", "data:", "about:" };
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (begins_with(url, prefixes[i])) {
            return true;
        }
    }
    return false;
}

char *url_complete(const char *text)
{
    struct url_parts parts;
    size_t length = strcspn(text, "/?#");
    size_t scheme = url_scheme_length(text);
    /* localhost:3000 looks as if it began with a scheme. */
    bool is_port = scheme && isdigit((unsigned char)text[scheme]);
    bool is_path = *text == '/' || *text == '.';
    if (!*text || is_path || url_is_openable(text) || (scheme && !is_port) || strstr(text, "://")) {
        return xstrdup(text);
    }
    CLEANUP_FREE char *probe = xasprintf("http://%.*s", (int)length, text);
    bool is_here = url_parts_read(probe, &parts) &&
                   (parts.is_address || strcmp(parts.host, "localhost") == 0 ||
                    (strlen(parts.host) > 10 &&
                     strcmp(parts.host + strlen(parts.host) - 10, ".localhost") == 0));
    return xasprintf("%s://%s", is_here ? "http" : "https", text);
}

/* Removes the last part of a path, but not beyond `root`. */
static void go_up(struct strbuf *url, size_t root)
{
    while (url->length > root && url->data[--url->length] != '/') {
    }
    while (url->length > root && url->data[url->length - 1] != '/') {
        url->length--;
    }
    url->data[url->length] = '\0';
}

/* Adds a path part by part, with `.` and `..` as in RFC 3986, section 5.2.4. */
static void add_path(struct strbuf *url, size_t root, const char *path, size_t length)
{
    for (const char *end = path + length; path < end;) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        size_t part = (size_t)((slash ? slash : end) - path);
        bool is_up = part == 2 && strncmp(path, "..", 2) == 0;
        bool is_here = part == 1 && *path == '.';
        size_t with_slash = part + (slash ? 1 : 0);
        if (is_up && url->length > root) {
            go_up(url, root);
        } else if (!is_up && !is_here) {
            strbuf_add(url, path, with_slash);
        }
        path += with_slash;
    }
}

char *url_parts_resolve(const char *base_url, const char *url)
{
    size_t origin = url_origin_length(base_url);
    if (url_scheme_length(url) > strlen("C:") || origin == 0) {
        return xstrdup(url);
    }
    struct strbuf result = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t path = origin + strcspn(base_url + origin, "?#");
    size_t length = strcspn(url, "?#");
    bool is_rooted = *url == '/';
    if (length == 0) {
        bool keeps_query = *url != '?';
        strbuf_add(&result, base_url, keeps_query ? strcspn(base_url, "#") : path);
    } else if (is_rooted && url[1] == '/') {
        strbuf_add(&result, base_url, url_scheme_length(base_url));
        strbuf_add(&result, url, length);
    } else {
        while (!is_rooted && path > origin && base_url[path - 1] != '/') {
            path--;
        }
        strbuf_add(&result, base_url, is_rooted || path <= origin ? origin : path);
        if (result.length <= origin) {
            strbuf_add_string(&result, "/");
        }
        add_path(&result, origin + 1, url + is_rooted, length - is_rooted);
    }
    strbuf_add_string(&result, url + length);
    return strbuf_take(&result);
}
