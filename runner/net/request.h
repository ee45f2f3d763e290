/* A request that libwebsockets has read, and whether it is let in. */
#ifndef RUNNER_NET_REQUEST_H
#define RUNNER_NET_REQUEST_H

#include "runner/loop/websockets.h"
#include "runner/net/gate.h"

/* An answer that refuses; `headers` are further ones, each with its "\r\n", and "" is none. */
struct request_refusal {
    int status;
    const char *why; /* a sentence, with the cure */
    const char *headers;
};

struct request {
    const char *method; /* static; "" for one that is unknown */
    char *path;
    struct strbuf query;    /* without the token */
    char *origin;           /* NULL: there was none */
    bool is_origin_allowed; /* or there was none */
    bool has_token;         /* the right one, or none is asked for */
    bool leaves_token;      /* a WebSocket may do without it */
};

/* Reads it. False, with the refusal: it is broken, or its Host is not ours. */
bool request_read(struct request *request, struct lws *wsi, const struct gate *gate,
                  struct request_refusal *ret_refusal);
void request_finish(struct request *request);

/* Whether a WebSocket may come of it; its Origin and token included. */
bool request_allows_upgrade(const struct request *request, struct lws *wsi, const char *protocol,
                            struct request_refusal *ret_refusal);

/* Whether it may be answered at all, before it is known whether the answer is for all origins. */
bool request_allows_answer(const struct request *request, bool needs_token,
                           struct request_refusal *ret_refusal);

/* The refusal for the Origin. */
struct request_refusal request_refuse_origin(void);

/* Whether it only asks. */
bool request_is_safe(const struct request *request);

#endif
