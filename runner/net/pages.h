/* What a listener of HTTP answers to requests that are no upgrades. */
#ifndef RUNNER_NET_PAGES_H
#define RUNNER_NET_PAGES_H

#include "runner/net/connection.h"
#include "runner/net/request.h"

/* Adds the whole answer; false where it is a refusal. */
bool pages_answer(struct connections *all, const struct request *request, struct strbuf *text);

/* Adds a refusal, which closes the connection. */
void pages_refuse(struct strbuf *text, const struct request_refusal *refusal);

#endif
