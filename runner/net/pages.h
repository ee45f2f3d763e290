/* Answers to HTTP requests that are no upgrades. Each answer closes its connection. */
#ifndef RUNNER_NET_PAGES_H
#define RUNNER_NET_PAGES_H

#include "runner/net/connection.h"
#include "runner/net/request.h"

/* Adds the whole answer. False: it is a refusal. */
bool pages_answer(struct connections *all, const struct request *request, struct strbuf *text);

void pages_refuse(struct strbuf *text, const struct request_refusal *refusal);

#endif
