#include "runner/base/origin_rules.h"

#include "runner/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RULES = 1000, MAX_RULE = 512 };

static const char rule_form[] =
    "a rule is written as https://example.org, example.org:8080, *.example.org or *";

/* A rule about origins. */
struct origin_rule {
    char *text;                  /* the rule as it was given */
    char scheme[URL_MAX_SCHEME]; /* "": http, https, ws and wss */
    char host[URL_MAX_HOST + 1]; /* "": any */
    bool is_below;               /* also matches subdomains */
    int port;                    /* or URL_ANY_PORT */
    bool is_address;             /* the host is this address */
    struct ip_address address;
    bool is_private; /* the rule is the word "private"; the other fields are unused */
};

static const char *const web_schemes[] = { "http", "https", "ws", "wss" };

bool origin_rules_is_web(const char *scheme)
{
    for (size_t i = 0; i < sizeof(web_schemes) / sizeof(web_schemes[0]); i++) {
        if (strcmp(scheme, web_schemes[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *origin_rules_scheme(const char *scheme)
{
    return strcmp(scheme, "ws") == 0 ? "http" : strcmp(scheme, "wss") == 0 ? "https" : scheme;
}

/* Reading. */

static bool bad_rule(const char *option, const char *text, const char *why, struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION, "⟨%s⟩ %s: %s", option, text, why);
    return error_hint(err, "%s", rule_form);
}

static bool read_port(const char *text, struct origin_rule *rule)
{
    char *end = NULL;
    if (strcmp(text, "*") == 0) {
        rule->port = URL_ANY_PORT;
        return true;
    }
    long port = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    rule->port = (int)port;
    return end && *end == '\0' && port >= 1 && port <= 65535;
}

static const char *read_rule_scheme(const char *text, struct origin_rule *rule)
{
    const char *slashes = strstr(text, "://");
    rule->port = URL_ANY_PORT;
    if (!slashes) {
        return text;
    }
    size_t length = (size_t)(slashes - text);
    for (size_t i = 0; i < length && i + 1 < sizeof(rule->scheme); i++) {
        rule->scheme[i] = (char)tolower((unsigned char)text[i]);
    }
    rule->port = url_usual_port(rule->scheme);
    return origin_rules_is_web(rule->scheme) && strlen(rule->scheme) == length ? slashes + 3 : NULL;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text >= 0x80) {
            return false;
        }
    }
    return true;
}

/* Returns NULL on success, otherwise the reason. */
static const char *read_rule(const char *text, struct origin_rule *rule)
{
    const char *rest = read_rule_scheme(text, rule);
    size_t length = strlen(text);
    if (length > MAX_RULE) {
        return "is longer than any origin";
    }
    if (!is_ascii(text)) {
        return "is not ASCII: write the name as browsers do, such as xn--bcher-kva.example";
    }
    if (!rest) {
        return "its scheme is none of http, https, ws, wss";
    }
    CLEANUP_FREE char *host = xstrdup(rest);
    size_t end = strlen(host);
    if (end && host[end - 1] == '/') {
        host[end - 1] = '\0'; /* a trailing slash, as in an address copied from a browser */
    }
    char *colon = strrchr(host, ':');
    bool has_port = colon && !strchr(colon, ']');
    if (has_port && !read_port(colon + 1, rule)) {
        return "its port is none of 1 to 65535, or *";
    }
    if (has_port) {
        *colon = '\0';
    }
    if (strcmp(host, "*") == 0) {
        return NULL;
    }
    struct url_parts parts;
    rule->is_below = strncmp(host, "*.", 2) == 0;
    if (strpbrk(host + (rule->is_below ? 2 : 0), "*/?#@%\\") ||
        !url_host_read(host + (rule->is_below ? 2 : 0), &parts)) {
        return "is no origin: no path, no user, and `*` only as the first part of a name";
    }
    memcpy(rule->host, parts.host, sizeof(rule->host));
    rule->is_address = parts.is_address;
    rule->address = parts.address;
    return rule->is_below && parts.is_address ? "an address has nothing below it" : NULL;
}

static bool add_rule(struct origin_rules *rules, const char *option, const char *text,
                     struct br_error *err)
{
    if (rules->count == MAX_RULES) {
        return bad_rule(option, text, "there are more than 1000 rules", err);
    }
    struct origin_rule rule = { .text = xstrdup(text) };
    bool is_private = strcmp(text, "private") == 0;
    rule.is_private = is_private;
    rules->has_private |= is_private;
    const char *why = is_private ? NULL : read_rule(text, &rule);
    rules->items =
        array_reserve(rules->items, rules->count, &rules->capacity, sizeof(*rules->items));
    rules->items[rules->count++] = rule;
    return !why || bad_rule(option, text, why, err);
}

char *origin_rules_join(const char *const *texts)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; texts[i]; i++) {
        strbuf_add_format(&text, "%s%s", i ? "," : "", texts[i]);
    }
    return strbuf_take(&text);
}

bool origin_rules_read(struct origin_rules *rules, const char *option, const char *const *texts,
                       struct br_error *err)
{
    for (size_t i = 0; texts && texts[i]; i++) {
        if (!add_rule(rules, option, texts[i], err)) {
            return false;
        }
    }
    rules->text = texts ? origin_rules_join(texts) : NULL;
    return true;
}

void origin_rules_finish(struct origin_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        free(rules->items[i].text);
    }
    free(rules->items);
    free(rules->text);
}

/* Matching. */

static bool is_below(const char *host, const char *domain)
{
    size_t length = strlen(host);
    size_t part = strlen(domain);
    return length > part && host[length - part - 1] == '.' &&
           strcmp(host + length - part, domain) == 0;
}

static bool is_host_of(const struct origin_rule *rule, const struct url_parts *parts)
{
    return !*rule->host || strcmp(rule->host, parts->host) == 0 ||
           (rule->is_below && is_below(parts->host, rule->host));
}

static bool is_scheme_and_port_of(const struct origin_rule *rule, const struct url_parts *parts)
{
    bool is_scheme = !*rule->scheme || strcmp(rule->scheme, parts->scheme) == 0 ||
                     strcmp(rule->scheme, origin_rules_scheme(parts->scheme)) == 0;
    return is_scheme && (rule->port == URL_ANY_PORT || rule->port == parts->port);
}

static bool rule_matches(const struct origin_rule *rule, const struct url_parts *parts)
{
    return !rule->is_private && is_scheme_and_port_of(rule, parts) && is_host_of(rule, parts);
}

/* Returns whether a connection to one address reaches the other: 0.0.0.0 and :: are this machine.
 */
static bool is_same_address(const struct ip_address *a, const struct ip_address *b)
{
    static const struct ip_address unspecified[] = { { { [10] = 0xff, [11] = 0xff } }, { { 0 } } };
    static const struct ip_address loopback[] = {
        { { [10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1 } }, { { [15] = 1 } }
    };
    const struct ip_address *both[] = { a, b };
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            bool is_unspecified = memcmp(both[i], &unspecified[j], sizeof(*a)) == 0;
            both[i] = is_unspecified ? &loopback[j] : both[i];
        }
    }
    return memcmp(both[0], both[1], sizeof(*a)) == 0;
}

/*
 * Returns whether the rule's address is that of the host, in another spelling or by the name
 * localhost, which is this machine whatever the resolver says (RFC 6761).
 */
static bool is_alias(const struct origin_rule *rule, const struct url_parts *parts)
{
    static const char *const loopbacks[] = { "127.0.0.1", "::1" };
    struct ip_address loopback;
    if (!rule->is_address || parts->is_address) {
        return rule->is_address && is_same_address(&rule->address, &parts->address);
    }
    bool is_alias = false;
    for (size_t i = 0; i < 2 && url_host_is_loopback(parts->host); i++) {
        is_alias |=
            ip_address_read(loopbacks[i], &loopback) && is_same_address(&rule->address, &loopback);
    }
    return is_alias;
}

const char *origin_rules_find_any(const struct origin_rules *rules, const struct url_parts *parts,
                                  const struct ip_address *address)
{
    struct url_parts resolved = *parts;
    resolved.is_address |= address != NULL;
    resolved.address = address ? *address : parts->address;
    for (size_t i = 0; i < rules->count; i++) {
        const struct origin_rule *rule = &rules->items[i];
        if (!rule->is_private && is_scheme_and_port_of(rule, parts) &&
            (is_host_of(rule, parts) || is_alias(rule, parts) || is_alias(rule, &resolved))) {
            return rule->text;
        }
    }
    return NULL;
}

bool origin_rules_find(const struct origin_rules *rules, const struct url_parts *parts)
{
    for (size_t i = 0; i < rules->count; i++) {
        if (rule_matches(&rules->items[i], parts)) {
            return true;
        }
    }
    return false;
}

bool origin_rules_name(const struct origin_rules *rules, const struct url_parts *parts)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct origin_rule *rule = &rules->items[i];
        if (*rule->host && !rule->is_below && rule_matches(rule, parts)) {
            return true;
        }
    }
    return false;
}

static void add_source(const struct origin_rule *rule, const char *scheme, struct strbuf *text)
{
    const char *own =
        *rule->scheme ? origin_rules_scheme(rule->scheme) : origin_rules_scheme(scheme);
    if (strcmp(own, origin_rules_scheme(scheme)) != 0) {
        return;
    }
    strbuf_add_format(text, " %s:%s%s", scheme, *rule->host ? "//" : "", rule->host);
    if (*rule->host && rule->port == URL_ANY_PORT) {
        strbuf_add_string(text, ":*");
    } else if (*rule->host) {
        strbuf_add_format(text, ":%d", rule->port);
    }
    if (rule->is_below) {
        struct origin_rule below = *rule;
        below.is_below = false;
        snprintf(below.host, sizeof(below.host), "*.%.*s", URL_MAX_HOST - 2, rule->host);
        add_source(&below, scheme, text);
    }
}

/* Whether the deny rule removes something from what another rule allows by an exact host. */
static bool overlaps(const struct origin_rule *denied, const struct origin_rule *allowed)
{
    struct url_parts parts = { .is_address = allowed->is_address, .address = allowed->address };
    memcpy(parts.host, allowed->host, sizeof(parts.host));
    return !denied->is_private && (is_host_of(denied, &parts) || is_alias(denied, &parts));
}

/*
 * A CSP source cannot exclude anything, so a partly denied rule is omitted. CSP has no IPv6 hosts.
 */
static bool is_source(const struct origin_rule *rule, const struct origin_rules *denied)
{
    bool is_whole = *rule->host && !rule->is_below;
    for (size_t i = 0; i < denied->count; i++) {
        if (!is_whole || overlaps(&denied->items[i], rule)) {
            return false;
        }
    }
    return *rule->host != '[';
}

void origin_rules_add_sources(const struct origin_rules *allowed, const struct origin_rules *denied,
                              struct strbuf *text)
{
    for (size_t i = 0; i < allowed->count; i++) {
        if (is_source(&allowed->items[i], denied)) {
            add_source(&allowed->items[i], "ws", text);
            add_source(&allowed->items[i], "wss", text);
        }
    }
}
