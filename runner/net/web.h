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

/* Appends an answer that the handler gave later. origin NULL: the request had none. */
void pages_add(struct strbuf *text, const struct net_answer *answer, const char *origin,
               bool has_body);

/* Appends a further part of an answer that began with has_more. */
void pages_add_part(struct strbuf *text, const struct net_answer *answer);

void pages_refuse(struct strbuf *text, const struct request_refusal *refusal);

#endif
