/*
 * Who may talk to a server of HTTP: by the Host, which a page elsewhere cannot make an address of
 * ours (DNS rebinding), by the Origin, which a page cannot leave out, and by a token.
 */
#ifndef RUNNER_NET_GATE_H
#define RUNNER_NET_GATE_H

#include "runner/base/strbuf.h"

struct gate {
    char *token;          /* NULL: none is asked for */
    char **allow_origins; /* NULL-terminated */
    char **allow_hosts;
    bool allows_local_origins; /* those of localhost, 127.0.0.0/8 and ::1, at any port */
    bool allows_extensions;    /* those of extensions of Chrome and Firefox, of any id */
    bool leaves_token;         /* of a WebSocket, to whoever opens it */
};

/* Copies; the lists are NULL-terminated or NULL. */
void gate_init(struct gate *gate, const char *token, const char *const *allow_origins,
               const char *const *allow_hosts);
void gate_finish(struct gate *gate);

/* A Host header: an address, localhost, or a name that is allowed; and a port, which is not looked
 * at. */
bool gate_allows_host(const struct gate *gate, const char *host);

/* An Origin header; it has to be in the list, letter by letter, or one of those that are
 * allowed as a kind. */
bool gate_allows_origin(const struct gate *gate, const char *origin);

/*
 * Whether it is the token, or none is asked for; NULL: none was given. Takes as long for each that
 * is as long.
 */
bool gate_allows_token(const struct gate *gate, const char *given);

/* The token of an Authorization header, "Bearer TOKEN"; NULL: it has none. Borrowed. */
const char *gate_bearer(const char *authorization);

/*
 * One parameter of a query, decoded. Adds it to the text, encoded anew and behind a "&" if it is
 * not the first; if it is "token=…", returns the token instead, which points into it.
 */
const char *gate_add_parameter(struct strbuf *query, const char *parameter);

#endif
