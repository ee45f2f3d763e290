/* Answers to HTTP requests that are not upgrades. Each answer closes its connection. */
#ifndef RUNNER_NET_PAGES_H
#define RUNNER_NET_PAGES_H

#include "runner/net/connection.h"
#include "runner/net/request.h"

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
