/* Answers of HTTP/1.1, as text. Each closes the connection. */
#ifndef RUNNER_NET_HTTP_H
#define RUNNER_NET_HTTP_H

#include "runner/net/handler.h"

/* An answer that refuses; `headers` are further ones, each with its "\r\n", and "" is none. */
struct http_refusal {
    int status;
    const char *why; /* a sentence, with the cure */
    const char *headers;
};

void http_add_refusal(struct strbuf *text, const struct http_refusal *refusal);

/* `origin`: whom a browser may give the answer to, beside the server's own pages; NULL: nobody. */
void http_add_answer(struct strbuf *text, const struct net_answer *answer, const char *origin,
                     bool has_body);

#endif
