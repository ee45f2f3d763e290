#include "runner/net/http.h"

#include <string.h>

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        { 200, "OK" },
        { 201, "Created" },
        { 202, "Accepted" },
        { 204, "No Content" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 426, "Upgrade Required" },
        { 429, "Too Many Requests" },
        { 500, "Internal Server Error" },
        { 503, "Service Unavailable" },
    };
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Status";
}

static void add_head(struct strbuf *text, int status, const char *content_type, size_t length)
{
    strbuf_add_format(text,
                      "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: %s\r\n"
                      "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                      "X-Content-Type-Options: nosniff\r\n",
                      status, reason_of(status), content_type, length);
}

void http_add_refusal(struct strbuf *text, const struct http_refusal *refusal)
{
    add_head(text, refusal->status, "text/plain; charset=utf-8", strlen(refusal->why) + 1);
    strbuf_add_format(text, "%s\r\n%s\n", refusal->headers, refusal->why);
}

void http_add_answer(struct strbuf *text, const struct net_answer *answer, const char *origin,
                     bool has_body)
{
    add_head(text, answer->status, answer->content_type, answer->body.length);
    if (answer->is_for_all_origins) {
        strbuf_add_string(text, "Access-Control-Allow-Origin: *\r\n");
    } else if (origin) {
        strbuf_add_format(text, "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n", origin);
    }
    strbuf_add_string(text, "\r\n");
    if (has_body) {
        strbuf_add(text, answer->body.data, answer->body.length);
    }
}
