/* Answers to HTTP requests that are no upgrades. Each answer closes its connection. */
#ifndef RUNNER_NET_PAGES_H
#define RUNNER_NET_PAGES_H

#include "runner/net/connection.h"
#include "runner/net/request.h"

enum pages_result {
    PAGES_ANSWERED,
    PAGES_REFUSED,
    PAGES_LATER, /* the handler answers later; nothing was added */
};

/* Adds the whole answer to a request of the connection with this id. */
enum pages_result pages_answer(struct connections *all, const struct request *request, uint64_t id,
                               struct strbuf *text);

/* Adds an answer that comes later. origin NULL: the request had none. */
void pages_add(struct strbuf *text, const struct net_answer *answer, const char *origin,
               bool has_body);

void pages_refuse(struct strbuf *text, const struct request_refusal *refusal);

#endif
