/*
 * Rules about origins: "https://example.org", "example.org:8080", "*.example.org", "*", and the
 * word "private", which policy.c knows the meaning of. Without a scheme they hold for http, https,
 * ws and wss.
 */
#ifndef RUNNER_BASE_ORIGIN_RULES_H
#define RUNNER_BASE_ORIGIN_RULES_H

#include "runner/base/error.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <stddef.h>

struct origin_rule;

struct origin_rules {
    struct origin_rule *items;
    size_t count, capacity;
    bool has_private; /* the word "private" is among them */
    char *text;       /* all rules, for messages; NULL: none were given */
};

/*
 * Reads a list that ends with NULL (NULL: none were given) into empty rules; option: the setting's
 * name, for messages. INVALID_ACTION for a text that is no rule, and for more than 1000 of them;
 * the rules have to be finished then, too.
 */
bool origin_rules_read(struct origin_rules *rules, const char *option, const char *const *texts,
                       struct br_error *err);
void origin_rules_finish(struct origin_rules *rules);

/* Whether one of the rules matches. */
bool origin_rules_find(const struct origin_rules *rules, const struct url_parts *parts);

/*
 * Returns the text of the rule that matches by name, by another spelling of the address, or by the
 * address that the name resolves to (NULL: not known). NULL: none.
 */
const char *origin_rules_find_any(const struct origin_rules *rules, const struct url_parts *parts,
                                  const struct ip_address *address);

/* Whether one of the rules names this very host, not only names above it. */
bool origin_rules_name(const struct origin_rules *rules, const struct url_parts *parts);

/* Whether it is http, https, ws or wss. */
bool origin_rules_is_web(const char *scheme);

/* Returns the scheme of the page that a WebSocket scheme belongs to; any other is returned as it
 * is. */
const char *origin_rules_scheme(const char *scheme);

/* Adds the allowed WebSockets as sources of a Content Security Policy. */
void origin_rules_add_sources(const struct origin_rules *allowed, const struct origin_rules *denied,
                              struct strbuf *text);

/* Returns the texts with commas between them. Caller frees. */
char *origin_rules_join(const char *const *texts);

#endif
