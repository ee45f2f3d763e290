/* An HTTP request as read by libwebsockets, and the checks whether it is allowed. */
#ifndef RUNNER_NET_REQUEST_H
#define RUNNER_NET_REQUEST_H

#include "runner/net/gate.h"
#include "runner/net/handler.h"

#include <libwebsockets.h>

struct request_refusal {
    int status;
    const char *why;     /* a sentence that names the remedy */
    const char *headers; /* additional headers, each with its "\r\n"; "": none */
};

struct request {
    const char *method; /* static; "": unknown */
    char *path;
    char *host;
    struct strbuf query;            /* without the token */
    char *origin;                   /* NULL: not sent */
    bool is_origin_allowed;         /* also true without an Origin */
    bool has_token;                 /* the token is correct, or none is required */
    char *token;                    /* the token that was sent; NULL: wrong, or none is required */
    char *headers[NET_MAX_HEADERS]; /* those that the handler wants; NULL: not sent */
    struct strbuf body;
    bool leaves_token; /* the handler of a WebSocket checks the token itself */
    bool has_chunks;   /* the client reads chunks: not HTTP/1.0, which proxies speak */
};

/*
 * Reads the request. Returns false with the refusal if it is malformed or its Host is not allowed.
 */
bool request_read(struct request *request, struct lws *wsi, const struct gate *gate,
                  struct request_refusal *ret_refusal);
void request_finish(struct request *request);

/* Reads further headers by their names, see struct net_handler. */
bool request_read_headers(struct request *request, struct lws *wsi, const char *const *names);

/* Returns the announced length of the body; 0: none; -1: a length that is no number. */
int64_t request_body_length(struct lws *wsi);

/* Whether the request may become a WebSocket. Also checks Origin and token. */
bool request_allows_upgrade(const struct request *request, struct lws *wsi, const char *protocol,
                            struct request_refusal *ret_refusal);

/*
 * Whether the request may be answered. Allows GET and HEAD with a forbidden Origin, because the
 * answer may be for all origins.
 */
bool request_allows_answer(const struct request *request, bool needs_token,
                           struct request_refusal *ret_refusal);

struct request_refusal request_refuse_origin(void);

/* Returns true for GET and HEAD. */
bool request_is_safe(const struct request *request);

#endif
