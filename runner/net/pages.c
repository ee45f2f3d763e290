#include "runner/net/web.h"

#include <inttypes.h>
#include <jansson.h>
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
        { 411, "Length Required" },
        { 413, "Content Too Large" },
        { 422, "Unprocessable Content" },
        { 426, "Upgrade Required" },
        { 429, "Too Many Requests" },
        { 500, "Internal Server Error" },
        { 502, "Bad Gateway" },
        { 503, "Service Unavailable" },
        { 504, "Gateway Timeout" },
    };
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Status";
}

static void add_head(struct strbuf *text, int status, const char *content_type)
{
    strbuf_add_format(text,
                      "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: %s\r\n"
                      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n",
                      status, reason_of(status), content_type);
}

static void add_length(struct strbuf *text, size_t length)
{
    strbuf_add_format(text, "Content-Length: %zu\r\n", length);
}

void pages_refuse(struct strbuf *text, const struct request_refusal *refusal)
{
    add_head(text, refusal->status, "text/plain; charset=utf-8");
    add_length(text, strlen(refusal->why) + 1);
    strbuf_add_format(text, "%s\r\n%s\n", refusal->headers, refusal->why);
}

/* RFC 9112, 7.1. An empty chunk would be the end. */
void pages_add_part(struct strbuf *text, const struct net_answer *answer,
                    const struct pages_asked *asked)
{
    const struct strbuf *body = &answer->body;
    if (!asked->has_body) {
        return;
    }
    if (asked->has_chunks && body->length > 0) {
        strbuf_add_format(text, "%zx\r\n", body->length);
    }
    strbuf_add(text, body->data, body->length);
    if (asked->has_chunks) {
        strbuf_add_string(text, body->length > 0 ? "\r\n" : "");
        strbuf_add_string(text, answer->has_more ? "" : "0\r\n\r\n");
    }
}

void pages_add(struct strbuf *text, const struct net_answer *answer,
               const struct pages_asked *asked)
{
    add_head(text, answer->status, answer->content_type);
    if (!answer->has_more) {
        add_length(text, answer->body.length);
    } else if (asked->has_chunks) {
        strbuf_add_string(text, "Transfer-Encoding: chunked\r\n");
    }
    if (answer->retry_after_s > 0) {
        strbuf_add_format(text, "Retry-After: %d\r\n", answer->retry_after_s);
    }
    strbuf_add_string(text, answer->headers ? answer->headers : "");
    if (answer->is_for_all_origins) {
        strbuf_add_string(text, "Access-Control-Allow-Origin: *\r\n");
    } else if (asked->origin) {
        strbuf_add_format(text, "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n",
                          asked->origin);
    }
    strbuf_add_string(text, "\r\n");
    if (answer->has_more) {
        pages_add_part(text, answer, asked);
    } else if (asked->has_body) {
        strbuf_add(text, answer->body.data, answer->body.length);
    }
}

/* OpenMetrics escapes a backslash, a quote and a line feed in the value of a label. */
static void add_label(struct strbuf *text, const char *value)
{
    strbuf_add_string(text, "{listener=\"");
    for (const char *at = value; *at; at++) {
        if (*at == '\n') {
            strbuf_add_string(text, "\\n");
            continue;
        }
        if (*at == '"' || *at == '\\') {
            strbuf_add(text, "\\", 1);
        }
        strbuf_add(text, at, 1);
    }
    strbuf_add_string(text, "\"}");
}

static void add_metrics(struct strbuf *text, const char *listener, size_t connections,
                        const struct net_counters *counters)
{
    const struct {
        const char *name, *type, *suffix, *help;
        uint64_t value;
    } families[] = {
        { "connections", "gauge", "", "Open connections.", connections },
        { "accepted", "counter", "_total", "Accepted connections.", counters->accepted },
        { "refused", "counter", "_total", "Refused connections and requests.", counters->refused },
        { "messages_received", "counter", "_total", "Messages from clients.",
          counters->messages_in },
        { "received_bytes", "counter", "_total", "Bytes of these messages.", counters->bytes_in },
        { "messages_sent", "counter", "_total", "Messages to clients.", counters->messages_out },
        { "sent_bytes", "counter", "_total", "Bytes of these messages.", counters->bytes_out },
        { "messages_dropped", "counter", "_total", "Telemetry messages dropped for slow clients.",
          counters->dropped },
    };
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        const char *name = families[i].name;
        strbuf_add_format(text, "# TYPE browser_runner_%s %s\n# HELP browser_runner_%s %s\n", name,
                          families[i].type, name, families[i].help);
        strbuf_add_format(text, "browser_runner_%s%s", name, families[i].suffix);
        add_label(text, listener);
        strbuf_add_format(text, " %" PRIu64 "\n", families[i].value);
    }
}

static void answer_health(struct connections *all, struct net_answer *answer)
{
    json_auto_t *health =
        json_pack("{s:s, s:s*, s:s, s:I}", "status", "ok", "server", all->name, "version",
                  BROWSER_RUNNER_VERSION, "connections", (json_int_t)all->table.count);
    CLEANUP_FREE char *text = json_dumps(health, JSON_COMPACT);
    answer->status = 200;
    answer->content_type = "application/json";
    strbuf_add_string(&answer->body, text ? text : "{\"status\":\"ok\"}");
}

static void answer_metrics(struct connections *all, struct net_answer *answer)
{
    answer->status = 200;
    answer->content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    add_metrics(&answer->body, all->name, all->table.count, &all->counters);
    if (all->handler.on_metrics) {
        all->handler.on_metrics(all->handler.data, &answer->body);
    }
    strbuf_add_string(&answer->body, "# EOF\n");
}

static void answer_other(struct connections *all, const struct request *request, uint64_t id,
                         struct net_answer *answer)
{
    const struct net_request asked = {
        .method = request->method,
        .path = request->path,
        .query = request->query.data,
        .host = request->host,
        .token = request->token,
        .id = id,
        .is_allowed = request->is_origin_allowed && request->has_token,
        .body = request->body.data,
        .body_length = request->body.length,
        .headers = (const char *const *)request->headers,
    };
    if (all->handler.on_request) {
        all->handler.on_request(all->handler.data, &asked, answer);
    }
    if (answer->status == 404 && answer->body.length == 0 && !answer->is_later) {
        strbuf_add_string(&answer->body, "There is nothing at this path.\n");
    }
}

static const struct {
    const char *path;
    bool needs_token;
    void (*answer)(struct connections *all, struct net_answer *answer);
} pages[] = {
    { "/health", false, answer_health },
    { "/metrics", true, answer_metrics },
};

enum { PAGES = sizeof(pages) / sizeof(pages[0]) };

/* Returns false with *ret_refusal if the request is refused. */
static bool make_answer(struct connections *all, const struct request *request, uint64_t id,
                        struct net_answer *answer, struct request_refusal *ret_refusal)
{
    size_t page = 0;
    while (page < PAGES && strcmp(pages[page].path, request->path) != 0) {
        page++;
    }
    bool needs_token = page < PAGES ? pages[page].needs_token : !request_is_safe(request);
    if (!request_allows_answer(request, needs_token, ret_refusal)) {
        return false;
    }
    if (page < PAGES && !request_is_safe(request)) {
        *ret_refusal = (struct request_refusal){ 405, "Use GET or HEAD for this page.",
                                                 "Allow: GET, HEAD\r\n" };
        return false;
    }
    if (page < PAGES) {
        pages[page].answer(all, answer);
    } else {
        answer_other(all, request, id, answer);
    }
    /* Only the answer shows whether it is for all origins. */
    needs_token = needs_token || (page == PAGES && !answer->is_for_all_origins);
    if (!request->is_origin_allowed && !answer->is_for_all_origins) {
        *ret_refusal = request_refuse_origin();
        return false;
    }
    return request_allows_answer(request, needs_token, ret_refusal);
}

enum pages_result pages_answer(struct connections *all, const struct request *request, uint64_t id,
                               struct strbuf *text)
{
    struct request_refusal refusal;
    struct net_answer answer = {
        .status = 404,
        .content_type = "text/plain; charset=utf-8",
        .body = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    bool is_answered = make_answer(all, request, id, &answer, &refusal);
    if (!is_answered) {
        pages_refuse(text, &refusal);
    } else if (!answer.is_later) {
        const struct pages_asked asked = { request->origin, strcmp(request->method, "HEAD") != 0,
                                           false };
        pages_add(text, &answer, &asked);
    }
    strbuf_finish(&answer.body);
    return !is_answered ? PAGES_REFUSED : answer.is_later ? PAGES_LATER : PAGES_ANSWERED;
}
