/*
 * Decides who may use an HTTP server: by the Host header, against DNS rebinding; by the Origin
 * header, which browsers always send for pages; and by a token.
 */
#ifndef RUNNER_NET_GATE_H
#define RUNNER_NET_GATE_H

#include "runner/base/strbuf.h"

/* Each member is a NULL-terminated list, or NULL. */
struct net_access {
    const char *const *tokens;  /* accepted tokens; none: no token is required */
    const char *const *origins; /* origins of pages that may connect; none: no page may */
    const char *const *hosts;   /* names of this server, in addition to addresses and localhost */
};

struct gate {
    char **tokens; /* NULL-terminated, like the others */
    char **origins;
    char **hosts;
    bool allows_local_origins; /* also allow pages of localhost, 127.0.0.0/8 and ::1, at any port */
    bool allows_extensions;    /* also allow extensions of Chrome and Firefox, with any id */
    bool leaves_token;         /* the handler of a WebSocket checks the token itself */
};

/* Copies the strings. */
void gate_init(struct gate *gate, const struct net_access *access);
void gate_finish(struct gate *gate);

/* Replaces the lists and keeps the other members. */
void gate_set_access(struct gate *gate, const struct net_access *access);

/* Accepts an address, localhost or an allowed name as the Host, with any port. */
bool gate_allows_host(const struct gate *gate, const char *host);

/* Whether a client can send this text as its Origin, or as its Host without a port. */
bool gate_is_origin(const char *text);
bool gate_is_host_name(const char *text);

/* Accepts an Origin that equals one in the list, or belongs to one of the two allowed groups. */
bool gate_allows_origin(const struct gate *gate, const char *origin);

/*
 * Compares with each token, in time that depends only on the length of `given` and the number of
 * tokens. NULL: the client has sent no token.
 */
bool gate_allows_token(const struct gate *gate, const char *given);

/* Returns the token of an Authorization header, "Bearer TOKEN"; NULL: it has none. Borrowed. */
const char *gate_bearer(const char *authorization);

/*
 * Appends a decoded parameter to the query: percent-encoded again, and with a "&" before it unless
 * it is the first. Does not append a parameter "token=…" but returns the token, a pointer into it.
 */
const char *gate_add_parameter(struct strbuf *query, const char *parameter);

#endif
