/*
 * Who may use an HTTP server: checked by the Host header, against DNS rebinding; by the Origin
 * header, which browsers always send for pages; and by a token.
 */
#ifndef RUNNER_NET_GATE_H
#define RUNNER_NET_GATE_H

#include "runner/base/strbuf.h"

/* NULL-terminated lists, or NULL. */
struct net_access {
    const char *const *tokens;  /* each of them is right; none: no token is required */
    const char *const *origins; /* whose pages may connect; none: no page may */
    const char *const *hosts;   /* names for this server, beside addresses and localhost */
};

struct gate {
    char **tokens; /* NULL-terminated, as the others */
    char **origins;
    char **hosts;
    bool allows_local_origins; /* allow pages of localhost, 127.0.0.0/8 and ::1, at any port */
    bool allows_extensions;    /* allow extensions of Chrome and Firefox, with any id */
    bool leaves_token;         /* the handler of a WebSocket checks the token itself */
};

/* Copies the strings. */
void gate_init(struct gate *gate, const struct net_access *access);
void gate_finish(struct gate *gate);

/* Replaces the lists, and keeps the rest. */
void gate_set_access(struct gate *gate, const struct net_access *access);

/* Accepts an address, localhost or an allowed name as the Host, with any port. */
bool gate_allows_host(const struct gate *gate, const char *host);

/* Whether some client can send this as its Origin, or as its Host without a port. */
bool gate_is_origin(const char *text);
bool gate_is_host_name(const char *text);

/* Accepts an Origin that equals one in the list, or belongs to one of the two allowed groups. */
bool gate_allows_origin(const struct gate *gate, const char *origin);

/*
 * Compares with each token, in time that depends on the given length and the number of tokens only.
 * `given` NULL: no token.
 */
bool gate_allows_token(const struct gate *gate, const char *given);

/* The token of an Authorization header, "Bearer TOKEN"; NULL: there is none. Borrowed. */
const char *gate_bearer(const char *authorization);

/*
 * Appends one decoded parameter to the query, percent-encoded again, with a "&" before it unless it
 * is the first. A parameter "token=…" is not appended: returns the token, a pointer into it.
 */
const char *gate_add_parameter(struct strbuf *query, const char *parameter);

#endif
