/* TCP connections that are HTTP requests or WebSockets. */
#ifndef RUNNER_NET_WEB_H
#define RUNNER_NET_WEB_H

#include "runner/net/connection.h"
#include "runner/net/request.h"

/* Takes ownership of an accepted socket. Returns false when the loop has no room for it. */
bool web_accept(struct connections *all, int fd);

/* Answers an accepted socket with 503 and closes it. */
void web_refuse(int fd);

/* Answers to HTTP requests that are not upgrades (pages.c). Each closes its connection. */
enum pages_result {
    PAGES_ANSWERED,
    PAGES_REFUSED,
    PAGES_LATER, /* the handler will answer later; nothing was appended */
};

/* Appends the whole answer to a request of the connection with this id. */
enum pages_result pages_answer(struct connections *all, const struct request *request, uint64_t id,
                               struct strbuf *text);

/* The request properties that a later answer depends on. */
struct pages_asked {
    char *origin;    /* NULL: the request had none */
    bool has_body;   /* it was no HEAD */
    bool has_chunks; /* see struct request; without them the end of the connection is the end */
};

/* Appends such an answer, or its first part; the second appends a further part. */
void pages_add(struct strbuf *text, const struct net_answer *answer,
               const struct pages_asked *asked);
void pages_add_part(struct strbuf *text, const struct net_answer *answer,
                    const struct pages_asked *asked);

void pages_refuse(struct strbuf *text, const struct request_refusal *refusal);

#endif
