/* Answers at /json as Chrome's debugging port does. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/hints/wording.h"
#include "runner/servers/cdp/endpoint.h"
#include "runner/servers/cdp/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { ENTER_MS = 20000 };

enum asked { ASKED_VERSION, ASKED_LIST, ASKED_NEW, ASKED_ACTIVATE, ASKED_CLOSE, ASKED_PROTOCOL };

/* A request without an answer. */
struct request {
    struct waiter waiter; /* first */
    struct cdp_endpoint *endpoint;
    uint64_t id;
    enum asked asked;
    bool is_profile;
    char *host;
    char *token;       /* of the request; NULL: none is required */
    char *argument;    /* the id of a target, or the URL of a new tab; NULL: none */
    struct view *view; /* a reference, for the worker; NULL: none */
    char *context_id;  /* set by the worker */
    struct protocol_wait protocol;
    struct br_error err;
};

static void free_request(struct request *request)
{
    struct cdp_endpoint *endpoint = request->endpoint;
    if (request->view) {
        endpoint_release_view(endpoint, request->view);
    }
    free(request->host);
    free(request->token);
    free(request->argument);
    free(request->context_id);
    free(request->protocol.version);
    free(request);
    endpoint_release(endpoint);
}

/* Answers and frees the request. */
static void finish(struct request *request, int status, const char *text, size_t length)
{
    struct net_answer answer = {
        .status = status,
        .content_type = "application/json; charset=UTF-8",
        .body = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    strbuf_add(&answer.body, text, length);
    if (request->endpoint->is_ending) {
        strbuf_finish(&answer.body);
    } else {
        net_answer(request->endpoint->listener, request->id, &answer);
    }
    free_request(request);
}

static void finish_text(struct request *request, int status, const char *text)
{
    finish(request, status, text, strlen(text));
}

/* Formats as Chrome does. Takes ownership of root. */
static void finish_json(struct request *request, json_t *root)
{
    CLEANUP_FREE char *text = json_dumps(root, JSON_INDENT(3));
    json_decref(root);
    finish_text(request, 200, text);
}

/* The query of a WebSocket's URL, with its "?". Caller frees. */
static char *query_of(const struct request *request)
{
    const char *token = request->token;
    struct strbuf query = STRBUF_INIT(STRBUF_UNCAPPED);
    if (request->is_profile) {
        strbuf_add_string(&query, "?context=profile");
    }
    if (token) {
        strbuf_add_string(&query, request->is_profile ? "&token=" : "?token=");
        for (const unsigned char *at = (const unsigned char *)token; *at; at++) {
            bool is_plain = strchr("-_.~", *at) || (*at >= '0' && *at <= '9') ||
                            ((*at | 32) >= 'a' && (*at | 32) <= 'z');
            strbuf_add_format(&query, is_plain ? "%c" : "%%%02X", *at);
        }
    }
    strbuf_add(&query, "", 1);
    return strbuf_take(&query);
}

/* Only the user agent has the number of WebKit's version. */
static char *webkit_of(const json_t *version)
{
    static const char mark[] = "AppleWebKit/";
    const char *agent = json_member_string(version, "userAgent");
    const char *revision = json_member_string(version, "revision");
    const char *number = agent ? strstr(agent, mark) : NULL;
    number = number ? number + sizeof(mark) - 1 : "537.36 ";
    return xasprintf("%.*s (%s)", (int)strcspn(number, " "), number, revision ? revision : "");
}

static void answer_version(struct request *request, struct view *view)
{
    const json_t *version = view_version(view);
    const char *product = json_member_string(version, "product");
    const char *agent = json_member_string(version, "userAgent");
    const char *protocol = json_member_string(version, "protocolVersion");
    const char *engine = json_member_string(version, "jsVersion");
    CLEANUP_FREE char *query = query_of(request);
    CLEANUP_FREE char *webkit = webkit_of(version);
    CLEANUP_FREE char *url =
        xasprintf("ws://%s/devtools/browser/%llu%s", request->host,
                  (unsigned long long)browser_life_generation(view_life(view)), query);
    finish_json(request, json_pack("{s:s*, s:s, s:s*, s:s*, s:s*, s:o, s:o}", "Browser", product,
                                   "File-Path-Style", "posix", "Protocol-Version", protocol,
                                   "User-Agent", agent, "V8-Version", engine, "WebKit-Version",
                                   json_text(webkit), "webSocketDebuggerUrl", json_text(url)));
}

static json_t *entry_of(const struct request *request, struct view *view, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *title = json_member_string(target, "title");
    const char *url = json_member_string(target, "url");
    const char *type = json_member_string(target, "type");
    const char *revision = json_member_string(view_version(view), "revision");
    CLEANUP_FREE char *query = query_of(request);
    CLEANUP_FREE char *place = xasprintf("%s/devtools/page/%s%s", request->host, id, query);
    CLEANUP_FREE char *socket = xasprintf("ws://%s", place);
    CLEANUP_FREE char *front_end =
        xasprintf("https://chrome-devtools-frontend.appspot.com/serve_rev/%s/inspector.html?ws=%s",
                  revision ? revision : "", place);
    return json_pack("{s:s, s:o, s:s, s:s*, s:s, s:s, s:s, s:o}", "description", "",
                     "devtoolsFrontendUrl", json_text(front_end), "id", id, "parentId",
                     json_member_string(target, "parentId"), "title", title ? title : "", "type",
                     type ? type : "page", "url", url && *url ? url : "about:blank",
                     "webSocketDebuggerUrl", json_text(socket));
}

/* Whether the request lists the target: a client's own context is not listed. */
static bool is_listed(const struct request *request, struct view *view, const json_t *target)
{
    const char *wanted =
        request->is_profile ? view_profile_context(view) : request->endpoint->http_context_id;
    const char *context_id = json_member_string(target, "browserContextId");
    const char *type = json_member_string(target, "type");
    bool is_there = wanted && context_id &&
                    (strcmp(wanted, context_id) == 0 ||
                     (request->is_profile && context_set_has(view_contexts(view), context_id)));
    return is_there && type && strcmp(type, "tab") != 0 && !endpoint_is_ours(view, target);
}

/*
 * The newest first. Tabs that clients have created on their sockets come behind the others: clients
 * look up there what they have created (chrome-remote-interface's CDP({target: ID})), and take the
 * first one if they look for any.
 */
static void answer_list(struct request *request, struct view *view)
{
    json_t *list = json_array();
    size_t count = 0; /* of those that were not created on a socket */
    const char *id;
    json_t *target;
    json_object_foreach (view_targets(view), id, target) {
        if (is_listed(request, view, target)) {
            json_array_insert_new(list, 0, entry_of(request, view, target));
            count++;
        } else if (!request->is_profile && view_is_made(view, id)) {
            json_array_insert_new(list, count, entry_of(request, view, target));
        }
    }
    finish_json(request, list);
}

/* Replaces what is not a URL, as Chrome does. */
static const char *url_of(const struct request *request)
{
    const char *url = request->argument;
    return url && url_scheme_length(url) > 0 ? url : "about:blank";
}

static void on_new(void *data, const json_t *result, const char *why)
{
    struct request *request = data;
    struct cdp_endpoint *endpoint = request->endpoint;
    const char *id = json_member_string(result, "targetId");
    if (!id || !endpoint->is_ready) {
        CLEANUP_FREE char *text = xasprintf("Could not create new page: %s", why);
        finish_text(request, 500, text);
        return;
    }
    view_settle(endpoint->view, id);
    const json_t *target = json_object_get(view_targets(endpoint->view), id);
    json_auto_t *made = json_pack("{s:s, s:o, s:s}", "targetId", id, "url",
                                  json_text(url_of(request)), "type", "page");
    finish_json(request, entry_of(request, endpoint->view, target ? target : made));
}

static void open_new(struct request *request, struct view *view)
{
    json_t *params = json_pack("{s:o}", "url", json_text(url_of(request)));
    if (!request->is_profile) {
        json_object_set_new(params, "browserContextId",
                            json_string(request->endpoint->http_context_id));
    }
    view_call(view, "Target.createTarget", params, on_new, request);
}

static void answer_tabs(struct request *request, struct view *view);

static void on_first_tab(void *data, const json_t *result, const char *why)
{
    struct request *opener = data;
    struct cdp_endpoint *endpoint = opener->endpoint;
    struct waiter *waiter = &opener->waiter;
    waiter->next = TAKE(endpoint->tab_waiters);
    endpoint->is_opening_http_tab = false;
    endpoint->has_http_tab = result && endpoint->is_ready;
    while (waiter) {
        struct request *request = (struct request *)waiter;
        waiter = waiter->next;
        if (result && endpoint->is_ready) {
            answer_tabs(request, endpoint->view);
        } else {
            finish_text(request, 500, why);
        }
    }
}

/* Answers a list or a new tab; the context of tabs opened by HTTP begins with one tab. */
static void answer_tabs(struct request *request, struct view *view)
{
    bool has_tab = request->is_profile || request->endpoint->has_http_tab;
    if (has_tab && request->asked == ASKED_NEW) {
        open_new(request, view);
    } else if (has_tab) {
        answer_list(request, view);
    } else if (request->endpoint->is_opening_http_tab) {
        request->waiter.next = request->endpoint->tab_waiters;
        request->endpoint->tab_waiters = &request->waiter;
    } else {
        request->endpoint->is_opening_http_tab = true;
        view_call(view, "Target.createTarget",
                  json_pack("{s:s, s:s}", "url", "about:blank", "browserContextId",
                            request->endpoint->http_context_id),
                  on_first_tab, request);
    }
}

static void on_entered(void *data)
{
    struct request *request = data;
    struct cdp_endpoint *endpoint = request->endpoint;
    if (!request->context_id) {
        finish_text(request, 503, request->err.message);
    } else if (!endpoint->is_ready || endpoint->view != request->view) {
        finish_text(request, 503, "the browser has ended; try again");
    } else {
        if (!endpoint->http_context_id) {
            endpoint->http_context_id = TAKE(request->context_id);
        }
        answer_tabs(request, endpoint->view);
    }
}

static void enter_on_worker(void *data)
{
    struct request *request = data;
    struct browser_life *life = view_life(request->view);
    if (context_enter(request->endpoint->http_context, life, deadline_in_ms(ENTER_MS),
                      &request->context_id, &request->err)) {
        endpoint_forbid_downloads(request->endpoint, life, request->context_id);
    }
    loop_post(request->endpoint->loop, on_entered, request);
}

static void on_activated(void *data, const json_t *result, const char *why)
{
    finish_text(data, result ? 200 : 500, result ? "Target activated" : why);
}

static void on_target_closed(void *data, const json_t *result, const char *why)
{
    finish_text(data, result ? 200 : 500, result ? "Target is closing" : why);
}

static void act_on_target(struct request *request, struct view *view)
{
    const char *id = request->argument ? request->argument : "";
    bool is_close = request->asked == ASKED_CLOSE;
    const json_t *target = json_object_get(view_targets(view), id);
    if (!target || endpoint_is_ours(view, target)) {
        CLEANUP_FREE char *text = xasprintf("No such target id: %s", id);
        finish_text(request, 404, text);
        return;
    }
    view_call(view, is_close ? "Target.closeTarget" : "Target.activateTarget",
              json_pack("{s:s}", "targetId", id), is_close ? on_target_closed : on_activated,
              request);
}

static void on_protocol(struct protocol_wait *wait, const char *text, const struct br_error *err)
{
    struct request *request =
        (struct request *)(void *)((char *)wait - offsetof(struct request, protocol));
    finish_text(request, text ? 200 : 503, text ? text : err->message);
}

static void describe(struct request *request, struct view *view)
{
    const char *product = json_member_string(view_version(view), "product");
    const char *revision = json_member_string(view_version(view), "revision");
    request->protocol.version =
        xasprintf("%s-%s", product ? product : "", revision ? revision : "");
    request->protocol.on_protocol = on_protocol;
    protocol_await(request->endpoint, &request->protocol);
}

static void on_view(struct waiter *waiter, struct view *view, const struct br_error *err)
{
    struct request *request = (struct request *)waiter;
    bool is_tab = request->asked == ASKED_LIST || request->asked == ASKED_NEW;
    if (!view) {
        finish_text(request, 503, err->message);
    } else if (request->asked == ASKED_VERSION) {
        answer_version(request, view);
    } else if (request->asked == ASKED_PROTOCOL) {
        describe(request, view);
    } else if (!is_tab) {
        act_on_target(request, view);
    } else if (request->is_profile || request->endpoint->http_context_id) {
        answer_tabs(request, view);
    } else {
        request->view = view_hold(view);
        endpoint_work(request->endpoint, enter_on_worker, request);
    }
}

static const struct {
    const char *command;
    enum asked asked;
} pages[] = {
    { "list", ASKED_LIST }, { "version", ASKED_VERSION }, { "protocol", ASKED_PROTOCOL },
    { "new", ASKED_NEW },   { "close", ASKED_CLOSE },     { "activate", ASKED_ACTIVATE },
};

static bool has_argument(enum asked asked)
{
    return asked == ASKED_ACTIVATE || asked == ASKED_CLOSE;
}

/*
 * The page "/COMMAND" or "/COMMAND/ARGUMENT" below /json; -1: none. Most pages ignore the argument.
 */
static int find_page(const char *path, const char **ret_argument)
{
    const char *command = path + (*path == '/');
    size_t length = strcspn(command, "/");
    *ret_argument = command + length + (command[length] == '/');
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strncmp(command, pages[i].command, length) == 0 && pages[i].command[length] == '\0') {
            return (int)pages[i].asked;
        }
    }
    return *path ? -1 : ASKED_LIST;
}

static int hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'                 ? digit - '0'
           : (digit | 32) >= 'a' && (digit | 32) <= 'f' ? (digit | 32) - 'a' + 10
                                                        : -1;
}

/* Decodes the whole query; caller frees. */
static char *decode(const char *query)
{
    char *text = xmalloc(strlen(query) + 1);
    char *to = text;
    for (const char *at = query; *at; at++) {
        bool is_escape = *at == '%' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0;
        int byte = is_escape ? hex_digit(at[1]) * 16 + hex_digit(at[2]) : *at;
        at += is_escape ? 2 : 0;
        *to++ = (char)(byte ? byte : ' ');
    }
    *to = '\0';
    return text;
}

/* Removes "context=profile" from the front of a query, if it is there. */
static bool take_profile(const char **query)
{
    static const char mark[] = "context=profile";
    size_t length = sizeof(mark) - 1;
    if (strncmp(*query, mark, length) != 0 || ((*query)[length] && (*query)[length] != '&')) {
        return false;
    }
    *query += length + ((*query)[length] == '&');
    return true;
}

static void refuse(struct net_answer *answer, int status, char *text)
{
    answer->status = status;
    answer->content_type = "application/json; charset=UTF-8";
    strbuf_add_string(&answer->body, text);
    free(text);
}

/* Audits requests that change something. rule: why it is refused; NULL: it is not. */
static void audit(struct cdp_endpoint *endpoint, enum asked asked, const char *rule)
{
    if (asked == ASKED_NEW || has_argument(asked)) {
        trail_request(endpoint->trail,
                      asked == ASKED_NEW     ? "/json/new"
                      : asked == ASKED_CLOSE ? "/json/close"
                                             : "/json/activate",
                      rule);
    }
}

void discovery_answer(struct cdp_endpoint *endpoint, const struct net_request *asked,
                      struct net_answer *answer)
{
    static const char root[] = "/json";
    bool is_json = strncmp(asked->path, root, sizeof(root) - 1) == 0;
    const char *path = is_json ? asked->path + sizeof(root) - 1 : "";
    const char *argument = "";
    const char *query = asked->query ? asked->query : "";
    if (!asked->is_allowed || endpoint->is_ending) {
        return;
    }
    if (strcmp(asked->path, "/") == 0) { /* clients probe the port by it */
        answer->status = 200;
        answer->content_type = "text/html; charset=UTF-8";
        return;
    }
    if (!is_json) {
        if (endpoint->options.on_request) {
            endpoint->options.on_request(endpoint->options.request_data, asked, answer);
        }
        return;
    }
    if (*path && *path != '/') {
        refuse(answer, 404, xasprintf("Malformed query: %s", asked->path));
        return;
    }
    int page = find_page(path, &argument);
    if (page < 0) {
        refuse(answer, 404,
               xasprintf("Unknown command: %.*s", (int)strcspn(path + 1, "/"), path + 1));
        return;
    }
    if (page == ASKED_NEW && strcmp(asked->method, "PUT") != 0) {
        refuse(answer, 405,
               xasprintf("Using unsafe HTTP verb %s to invoke /json/new. This action supports only "
                         "PUT verb.",
                         asked->method));
        return;
    }
    if (endpoint->options.is_read_only && (page == ASKED_NEW || has_argument((enum asked)page))) {
        audit(endpoint, (enum asked)page, "read-only");
        refuse(answer, 403, xstrdup("This endpoint is for reading alone."));
        return;
    }
    struct request *request = xcalloc(1, sizeof(*request));
    struct br_error err;
    endpoint_hold(endpoint);
    request->endpoint = endpoint;
    request->waiter.on_view = on_view;
    request->id = asked->id;
    request->asked = (enum asked)page;
    request->host = xstrdup(asked->host);
    request->token = xstrdup(asked->token);
    request->is_profile = take_profile(&query);
    request->argument = page == ASKED_NEW ? (*query ? decode(query) : NULL) : xstrdup(argument);
    if (page == ASKED_NEW && !policy_check_steered(endpoint->policy, url_of(request), &err)) {
        char rule[32];
        rules_name(&err, rule);
        audit(endpoint, ASKED_NEW, rule);
        wording_error(BR_WORDING_COMMAND_LINE, &err);
        refuse(answer, 403, xasprintf("%s%s%s", err.message, *err.hint ? "; " : "", err.hint));
        free_request(request);
        return;
    }
    audit(endpoint, request->asked, NULL);
    answer->is_later = true;
    endpoint_await(endpoint, &request->waiter);
}
