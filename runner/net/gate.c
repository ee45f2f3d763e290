#include "runner/net/gate.h"

#include "runner/base/url_parts.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { MAX_HOST = 255, MAX_PORT_DIGITS = 5 };

static char **copy_list(const char *const *list)
{
    size_t count = 0;
    while (list && list[count]) {
        count++;
    }
    char **copy = xcalloc(count + 1, sizeof(*copy));
    for (size_t i = 0; i < count; i++) {
        copy[i] = xstrdup(list[i]);
    }
    return copy;
}

static void free_list(char **list)
{
    for (size_t i = 0; list && list[i]; i++) {
        free(list[i]);
    }
    free(list);
}

static void free_lists(struct gate *gate)
{
    for (size_t i = 0; gate->tokens && gate->tokens[i]; i++) {
        explicit_bzero(gate->tokens[i], strlen(gate->tokens[i]));
    }
    free_list(gate->tokens);
    free_list(gate->origins);
    free_list(gate->hosts);
}

void gate_set_access(struct gate *gate, const struct net_access *access)
{
    free_lists(gate);
    gate->tokens = copy_list(access->tokens);
    gate->origins = copy_list(access->origins);
    gate->hosts = copy_list(access->hosts);
}

void gate_init(struct gate *gate, const struct net_access *access)
{
    *gate = (struct gate){ 0 };
    gate_set_access(gate, access);
}

void gate_finish(struct gate *gate)
{
    free_lists(gate);
    *gate = (struct gate){ 0 };
}

/* Accepts "", ":" and ":8080". */
static bool is_port(const char *text)
{
    size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;
    return *text == '\0' || (*text == ':' && digits <= MAX_PORT_DIGITS && text[1 + digits] == '\0');
}

bool gate_allows_host(const struct gate *gate, const char *host)
{
    char name[MAX_HOST + 1];
    unsigned char address[sizeof(struct in6_addr)];
    bool is_bracketed = *host == '[';
    host += is_bracketed;
    size_t length = strcspn(host, is_bracketed ? "]" : ":");
    if (length == 0 || length > MAX_HOST || (is_bracketed && host[length] != ']')) {
        return false;
    }
    memcpy(name, host, length);
    name[length] = '\0';
    if (!is_port(host + length + is_bracketed)) {
        return false;
    }
    if (is_bracketed) {
        return inet_pton(AF_INET6, name, address) == 1;
    }
    if (inet_pton(AF_INET, name, address) == 1 || strcasecmp(name, "localhost") == 0) {
        return true;
    }
    for (size_t i = 0; gate->hosts[i]; i++) {
        if (strcasecmp(name, gate->hosts[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Excludes names below localhost: some systems ask a DNS server for them. */
static bool is_local_origin(const char *origin)
{
    struct url_parts parts;
    if (!url_is_web_origin(origin) || !url_parts_read(origin, &parts)) {
        return false;
    }
    return strcmp(parts.host, "localhost") == 0 || strcmp(parts.host, "[::1]") == 0 ||
           (parts.is_address && strncmp(parts.host, "127.", 4) == 0);
}

/* An extension's origin is an id without a port. */
static bool is_extension_origin(const char *origin)
{
    static const char *const schemes[] = { "chrome-extension://", "moz-extension://" };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        const char *id = origin + strlen(schemes[i]);
        if (strncmp(origin, schemes[i], strlen(schemes[i])) == 0) {
            return *id && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(id);
        }
    }
    return false;
}

/*
 * Browsers send an origin in lower case and without its scheme's default port. The front end of
 * DevTools has its own origin.
 */
bool gate_is_origin(const char *text)
{
    struct url_parts parts;
    const char *own_port = strncmp(text, "https:", strlen("https:")) == 0 ? ":443" : ":80";
    size_t length = strlen(text);
    size_t port_length = strlen(own_port);
    bool has_own_port = length > port_length && strcmp(text + length - port_length, own_port) == 0;
    bool is_web = url_is_web_origin(text) && url_parts_read(text, &parts) && !has_own_port &&
                  !text[strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
    return is_web || is_extension_origin(text) || strcmp(text, "null") == 0 ||
           strcmp(text, "devtools://devtools") == 0;
}

bool gate_is_host_name(const char *text)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    size_t length = strspn(text, known);
    return length > 0 && length <= MAX_HOST && text[length] == '\0';
}

bool gate_allows_origin(const struct gate *gate, const char *origin)
{
    for (size_t i = 0; gate->origins[i]; i++) {
        if (strcmp(origin, gate->origins[i]) == 0) {
            return true;
        }
    }
    return (gate->allows_local_origins && is_local_origin(origin)) ||
           (gate->allows_extensions && is_extension_origin(origin));
}

static bool is_same_token(const char *token, const char *given)
{
    size_t length = strlen(token);
    size_t given_length = strlen(given);
    /* Includes the NUL, so that an empty token can be compared, too. */
    volatile unsigned char difference = length != given_length;
    for (size_t i = 0; i < given_length; i++) {
        difference |= (unsigned char)(given[i] ^ token[i % (length + 1)]);
    }
    return difference == 0;
}

bool gate_allows_token(const struct gate *gate, const char *given)
{
    bool is_allowed = !gate->tokens[0];
    for (size_t i = 0; given && gate->tokens[i]; i++) {
        is_allowed |= is_same_token(gate->tokens[i], given);
    }
    return is_allowed;
}

const char *gate_bearer(const char *authorization)
{
    static const char scheme[] = "Bearer ";
    if (strncasecmp(authorization, scheme, strlen(scheme)) != 0) {
        return NULL;
    }
    const char *token = authorization + strlen(scheme);
    return token + strspn(token, " ");
}

/* Characters that need no encoding: the unreserved ones of RFC 3986, and "=". */
static bool is_plain(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte && strchr("-._~=", byte));
}

const char *gate_add_parameter(struct strbuf *query, const char *parameter)
{
    static const char name[] = "token=";
    if (strncmp(parameter, name, strlen(name)) == 0) {
        return parameter + strlen(name);
    }
    if (query->length > 0) {
        strbuf_add(query, "&", 1);
    }
    for (const char *at = parameter; *at; at++) {
        if (is_plain((unsigned char)*at)) {
            strbuf_add(query, at, 1);
        } else {
            strbuf_add_format(query, "%%%02X", (unsigned char)*at);
        }
    }
    return NULL;
}
