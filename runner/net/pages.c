#include "runner/net/pages.h"

#include <jansson.h>
#include <string.h>

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
    net_metrics_add(&answer->body, all->name, all->table.count, &all->counters);
    if (all->handler.on_metrics) {
        all->handler.on_metrics(all->handler.data, &answer->body);
    }
    strbuf_add_string(&answer->body, "# EOF\n");
}

static void answer_other(struct connections *all, const struct request *request,
                         struct net_answer *answer)
{
    const struct net_request asked = { request->method, request->path, request->query.data };
    if (all->handler.on_request) {
        all->handler.on_request(all->handler.data, &asked, answer);
    }
    if (answer->status == 404 && answer->body.length == 0) {
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

/* False with the refusal. */
static bool make_answer(struct connections *all, const struct request *request,
                        struct net_answer *answer, struct http_refusal *ret_refusal)
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
        *ret_refusal =
            (struct http_refusal){ 405, "This page can only be read.", "Allow: GET, HEAD\r\n" };
        return false;
    }
    if (page < PAGES) {
        pages[page].answer(all, answer);
    } else {
        answer_other(all, request, answer);
    }
    /* What is for everybody is known when it is there. */
    needs_token = needs_token || (page == PAGES && !answer->is_for_all_origins);
    if (!request->is_origin_allowed && !answer->is_for_all_origins) {
        *ret_refusal = request_refuse_origin();
        return false;
    }
    return request_allows_answer(request, needs_token, ret_refusal);
}

bool pages_answer(struct connections *all, const struct request *request, struct strbuf *text)
{
    struct http_refusal refusal;
    struct net_answer answer = {
        .status = 404,
        .content_type = "text/plain; charset=utf-8",
        .body = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    bool is_answered = make_answer(all, request, &answer, &refusal);
    if (is_answered) {
        http_add_answer(text, &answer, request->origin, strcmp(request->method, "HEAD") != 0);
    } else {
        http_add_refusal(text, &refusal);
    }
    strbuf_finish(&answer.body);
    return is_answered;
}
