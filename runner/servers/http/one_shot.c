#include "runner/servers/http/one_shot.h"

#include "imaging/base64.h"
#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/batch/plan.h"
#include "runner/batch/reader.h"
#include "runner/formats/event_json.h"

#include <string.h>

enum { MAX_KEY = 255 };

enum one_shot_form {
    FORM_LINES,   /* as they come */
    FORM_JSON,    /* of a batch: {"responses": […], "summary": {…}} */
    FORM_OWN,     /* of an action: the picture or the text itself */
    FORM_MEMBERS, /* of an action: the image block, or the result as JSON */
};

const struct one_shot_route one_shot_routes[] = {
    { "/run", NULL, NULL, NULL },
    { "/shot", &action_screenshot, NULL, NULL },
    { "/pdf", &action_pdf, "data", "application/pdf" },
    { "/snapshot", &action_snapshot, "text", NULL },
    { "/content", &action_content, "content", NULL },
    { 0 },
};

const struct param one_shot_params[] = {
    PARAM("waitFor", NAME, "A selector, or text=WORDS, that the page must show before the action.",
          .example = "text=Ready"),
    PARAM("allowHttpErrors", BOOLEAN, "True: a page with an HTTP status from 400 on is answered.",
          .default_value = "false"),
    { 0 },
};

struct one_shot {
    const struct one_shot_route *route;
    enum one_shot_form form;
    char *key;
    char *query;
    char *body;
    size_t length; /* of the body */
};

const char *const one_shot_headers[] = { "accept:", "idempotency-key:", "sec-fetch-site:", NULL };
enum { HEADER_ACCEPT, HEADER_KEY, HEADER_SITE };

static const struct one_shot_route *find_route(const char *path)
{
    const struct one_shot_route *route = one_shot_routes;
    while (route->path && strcmp(route->path, path) != 0) {
        route++;
    }
    return route->path ? route : NULL;
}

bool one_shot_is_path(const char *path)
{
    return find_route(path);
}

/* Returns the status for an error that nothing else was answered before. */
static int status_of(enum br_code code)
{
    static const short statuses[BR_CODE_ROOM] = {
        [BR_INVALID_ACTION] = 400,     [BR_TARGET_NOT_FOUND] = 422,  [BR_TARGET_AMBIGUOUS] = 422,
        [BR_TARGET_NOT_VISIBLE] = 422, [BR_TARGET_DISABLED] = 422,   [BR_TARGET_OBSCURED] = 422,
        [BR_STALE_NODE] = 422,         [BR_NO_VISUAL_CHANGE] = 422,  [BR_TIMEOUT] = 504,
        [BR_NAVIGATION_FAILED] = 502,  [BR_EVAL_ERROR] = 422,        [BR_POLICY_DENIED] = 403,
        [BR_EVAL_DISABLED] = 403,      [BR_BROWSER_NOT_FOUND] = 503, [BR_BROWSER_CRASHED] = 503,
        [BR_PAGE_CRASHED] = 502,       [BR_PROFILE_IN_USE] = 503,    [BR_DISCONNECTED] = 503,
        [BR_LIMIT_EXCEEDED] = 413,     [BR_RATE_LIMITED] = 429,      [BR_NETWORK_ERROR] = 502,
        [BR_CANCELLED] = 503,
    };
    return (unsigned)code < BR_CODE_ROOM && statuses[code] ? statuses[code] : 500;
}

static void add_json(json_t *root, struct net_answer *answer)
{
    CLEANUP_FREE char *text = json_line(root, NULL);
    answer->content_type = "application/json";
    strbuf_add_string(&answer->body, text);
    strbuf_add_string(&answer->body, "\n");
}

void one_shot_refuse(const struct br_error *why, int status, struct net_answer *answer)
{
    json_auto_t *root = error_json(why);
    answer->status = status ? status : status_of(why->code);
    add_json(root, answer);
}

/* Whether an Accept header names this type, with any quality. */
static bool accepts(const char *accept, const char *type)
{
    size_t length = strlen(type);
    for (const char *at = accept; at && *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " \t");
        if (strncasecmp(at, type, length) == 0 && strchr(" \t;,", at[length])) {
            return true;
        }
    }
    return false;
}

/*
 * A page of another site may not have the browser ask: a GET has no Origin, but says where it comes
 * from.
 */
static bool is_of_other_site(const char *site)
{
    return site && strcmp(site, "none") != 0 && strcmp(site, "same-origin") != 0;
}

static bool check_method(const struct one_shot_route *route, const struct net_request *request,
                         struct net_answer *answer)
{
    struct br_error err;
    bool is_post = strcmp(request->method, "POST") == 0;
    bool is_get = strcmp(request->method, "GET") == 0;
    if (!is_post && !(is_get && route->type)) {
        error_set(&err, BR_INVALID_ACTION, "%s is asked for by POST%s", route->path,
                  route->type ? " or GET" : "");
        one_shot_refuse(&err, 405, answer);
        answer->headers = route->type ? "Allow: GET, POST\r\n" : "Allow: POST\r\n";
        return false;
    }
    if (is_get && is_of_other_site(request->headers[HEADER_SITE])) {
        error_set(&err, BR_POLICY_DENIED, "a page of another site has sent this request");
        error_hint(&err, "send it from a program, or let the page's server send it");
        one_shot_refuse(&err, 403, answer);
        return false;
    }
    return true;
}

static bool check_key(const char *key, struct net_answer *answer)
{
    struct br_error err;
    if (!key || (*key && strlen(key) <= MAX_KEY)) {
        return true;
    }
    error_set(&err, BR_INVALID_ACTION, "the Idempotency-Key has %zu characters", strlen(key));
    error_hint(&err, "send 1 to %d, such as a UUID for each job", MAX_KEY);
    one_shot_refuse(&err, 400, answer);
    return false;
}

struct one_shot *one_shot_create(const struct net_request *request, struct net_answer *answer)
{
    const struct one_shot_route *route = find_route(request->path);
    const char *accept = request->headers[HEADER_ACCEPT];
    const char *key = request->headers[HEADER_KEY];
    if (!check_method(route, request, answer) || !check_key(key, answer)) {
        return NULL;
    }
    bool wants_json = accepts(accept, "application/json");
    struct one_shot *ask = xcalloc(1, sizeof(*ask));
    ask->route = route;
    ask->form = route->type ? (wants_json ? FORM_MEMBERS : FORM_OWN)
                : wants_json && !accepts(accept, "application/x-ndjson") ? FORM_JSON
                                                                         : FORM_LINES;
    ask->key = xstrdup(key);
    ask->query = xstrdup(request->query);
    ask->length = request->body_length;
    ask->body = xmalloc(ask->length + 1);
    memcpy(ask->body, request->body, ask->length);
    ask->body[ask->length] = '\0';
    return ask;
}

void one_shot_destroy(struct one_shot *ask)
{
    if (ask) {
        free(ask->key);
        free(ask->query);
        free(ask->body);
        free(ask);
    }
}

const char *one_shot_key(const struct one_shot *ask)
{
    return ask->key;
}

bool one_shot_equals(const struct one_shot *a, const struct one_shot *b)
{
    return a->route == b->route && a->form == b->form && strcmp(a->query, b->query) == 0 &&
           a->length == b->length && memcmp(a->body, b->body, a->length) == 0;
}

size_t one_shot_size(const struct one_shot *ask)
{
    return sizeof(*ask) + ask->length + strlen(ask->query);
}

bool one_shot_is_stream(const struct one_shot *ask)
{
    return ask->form == FORM_LINES;
}

/* A batch is checked whole before any of it runs, as `run` checks a file. */
static bool check_batch(const struct one_shot *ask, struct br_error *err)
{
    struct batch_plan plan = { 0 };
    struct batch_reader *reader = batch_reader_create(NULL, batch_plan_take, &plan);
    bool is_fine =
        batch_reader_feed(reader, ask->body, ask->length, 0, err) && batch_reader_end(reader, err);
    batch_reader_destroy(reader);
    batch_plan_finish(&plan);
    return is_fine;
}

/* Returns a parameter of the query: JSON, or text where the row wants text or it is no JSON. */
static json_t *value_of(const struct param *row, const char *text)
{
    struct br_error ignored;
    json_t *parsed = row && !param_is_text(row->kind)
                         ? json_parse(text, strlen(text), "the parameter", &ignored)
                         : NULL;
    return parsed ? parsed : json_text(text);
}

static const struct param *find_row(const struct one_shot_route *route, const char *name)
{
    for (const struct param *row = one_shot_params; row->name; row++) {
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    const struct param *row = action_type_param(route->type, name);
    return row ? row : action_type_param(&action_start, name);
}

/* Adds the parameters of the query; what the body says already stays. */
static bool add_query(const struct one_shot *ask, json_t *params, struct br_error *err)
{
    size_t size = strlen(ask->query) + 1;
    CLEANUP_FREE char *value = xmalloc(size);
    for (const char *at = ask->query; *at; at += strcspn(at, "&"), at += *at == '&') {
        CLEANUP_FREE char *name = xstrndup(at, strcspn(at, "=&"));
        if (json_object_get(params, name)) {
            error_set(err, BR_INVALID_ACTION, "the parameter %.64s is given twice", name);
            return error_hint(err, "write a list as JSON, such as hide=[\"#a\",\"#b\"]");
        }
        if (!net_query_param(at, name, value, size)) {
            error_set(err, BR_INVALID_ACTION, "the parameter %.64s has no value", name);
            return error_hint(err, "write %.64s=…", name);
        }
        json_object_set_new(params, name, value_of(find_row(ask->route, name), value));
    }
    return true;
}

/* Returns the parameters of body and query; NULL with the error. Caller decrefs. */
static json_t *read_params(const struct one_shot *ask, struct br_error *err)
{
    json_auto_t *params =
        ask->length ? json_parse(ask->body, ask->length, "the body", err) : json_object();
    if (!params) {
        err->code = BR_INVALID_ACTION;
        return NULL;
    }
    if (!json_is_object(params)) {
        error_set(err, BR_INVALID_ACTION, "the body is not an object of parameters");
        error_hint(err, "send {\"url\": \"https://…\"}");
        return NULL;
    }
    if (!add_query(ask, params, err)) {
        return NULL;
    }
    if (json_object_get(params, "type")) {
        error_set(err, BR_INVALID_ACTION, "the type of the action is in the path: %s",
                  ask->route->path);
        error_hint(err, "leave it out; POST /run takes instructions with a type");
        return NULL;
    }
    return json_incref(params);
}

/* As --wait-for: a selector, or text=WORDS. */
static json_t *wait_step(const json_t *wanted, struct br_error *err)
{
    static const char text[] = "text=";
    const char *value = json_string_value(wanted);
    if (!value) {
        error_set(err, BR_INVALID_ACTION, "waitFor is not a text");
        error_hint(err, "a selector, such as #done, or text=Ready");
        return NULL;
    }
    bool is_text = strncmp(value, text, strlen(text)) == 0;
    return json_pack("{s:s, s:o}", "type", "wait", is_text ? "text" : "selector",
                     json_text(value + (is_text ? strlen(text) : 0)));
}

/* Gives each parameter to the start, the action, or both. */
static void share_out(const struct one_shot_route *route, const json_t *params, json_t *start,
                      json_t *own)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)params, name, value) {
        bool is_of_start = action_type_param(&action_start, name);
        bool is_of_own = action_type_param(route->type, name);
        if (is_of_start) {
            json_object_set(start, name, value);
        }
        if (is_of_own || !is_of_start) { /* the error about an unknown one names the action */
            json_object_set(own, name, value);
        }
    }
}

static bool check_steps(const json_t *steps, struct br_error *err)
{
    size_t index;
    json_t *step;
    json_array_foreach (steps, index, step) {
        CLEANUP_ACTION struct br_action *action = action_from_object(step, err);
        if (!action) {
            return false;
        }
    }
    return true;
}

/* The steps of an action: start, wait, the action. NULL with the error. Caller decrefs. */
static json_t *make_steps(const struct one_shot *ask, struct br_error *err)
{
    json_auto_t *params = read_params(ask, err);
    json_t *wanted = json_object_get(params, "waitFor");
    json_auto_t *wait = wanted ? wait_step(wanted, err) : NULL;
    if (!params || (wanted && !wait)) {
        return NULL;
    }
    if (!ask->route->text && json_is_true(json_object_get(params, "tiles"))) {
        error_set(err, BR_INVALID_ACTION, "tiles are several pictures, and an answer is one");
        error_hint(err, "POST /run with a screenshot answers with all of them");
        return NULL;
    }
    const json_t *allows = json_object_get(params, "allowHttpErrors");
    if (allows && !json_is_boolean(allows)) {
        error_set(err, BR_INVALID_ACTION, "allowHttpErrors is not true or false");
        return NULL;
    }
    for (const struct param *row = one_shot_params; row->name; row++) {
        json_object_del(params, row->name);
    }
    json_t *start = json_pack("{s:s, s:s}", "type", "start", "screenshots", "none");
    json_t *own = json_pack("{s:s}", "type", ask->route->type->name);
    share_out(ask->route, params, start, own);
    json_auto_t *steps =
        wait ? json_pack("[o, O, o]", start, wait, own) : json_pack("[o, o]", start, own);
    return check_steps(steps, err) ? json_incref(steps) : NULL;
}

char *one_shot_batch(const struct one_shot *ask, size_t *ret_length, struct br_error *err)
{
    if (!ask->route->type) {
        *ret_length = ask->length;
        return check_batch(ask, err) ? xstrndup(ask->body, ask->length) : NULL;
    }
    json_auto_t *steps = make_steps(ask, err);
    return steps ? json_line(steps, ret_length) : NULL;
}

/* Returns the lines as an array. Caller decrefs. */
static json_t *parse_lines(const char *lines, size_t length)
{
    struct br_error ignored; /* they are our own */
    json_t *all = json_array();
    for (const char *at = lines; at < lines + length;) {
        const char *end = memchr(at, '\n', (size_t)(lines + length - at));
        size_t size = end ? (size_t)(end - at) : (size_t)(lines + length - at);
        json_t *line = json_parse(at, size, "a line", &ignored);
        if (line) {
            json_array_append_new(all, line);
        }
        at += size + 1;
    }
    return all;
}

static bool is_kind(const json_t *line, const char *kind)
{
    const char *its = json_member_string(line, "kind");
    return its && strcmp(its, kind) == 0;
}

/* Whether an action of the batch succeeded, according to its summary. */
static bool has_succeeded(const char *lines, size_t length)
{
    struct br_error ignored;
    size_t end = length > 0 && lines[length - 1] == '\n' ? length - 1 : length;
    const char *before = memrchr(lines, '\n', end);
    const char *last = before ? before + 1 : lines;
    json_auto_t *summary = json_parse(last, (size_t)(lines + end - last), "a line", &ignored);
    return is_kind(summary, "summary") &&
           json_member_number(summary, "actions", 0) > json_member_number(summary, "failed", 0);
}

/* Answers with a line that is an error, or a response that failed. */
static void answer_failure(const json_t *line, struct net_answer *answer)
{
    struct br_error why;
    const char *text = json_member_string(line, "error");
    const char *code = json_member_string(line, "errorCode");
    const char *hint = json_member_string(line, "hint");
    error_set(&why, code ? error_code_from_name(code) : BR_UNKNOWN_ERROR, "%s", text ? text : "");
    error_hint(&why, "%s", hint ? hint : "");
    one_shot_refuse(&why, 0, answer);
}

static void answer_batch(json_t *lines, struct net_answer *answer)
{
    size_t index;
    json_t *line;
    json_auto_t *root = json_pack("{s:[]}", "responses");
    json_array_foreach (lines, index, line) {
        if (is_kind(line, "response")) {
            json_array_append(json_object_get(root, "responses"), line);
        } else if (is_kind(line, "summary")) {
            json_object_set(root, "summary", line);
        }
    }
    answer->status = 200;
    add_json(root, answer);
}

/* Answers with bytes that are given in base64. */
static bool answer_bytes(const json_t *data, const char *type, struct net_answer *answer,
                         struct br_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    bool is_read = base64_decode(json_is_string(data) ? json_string_value(data) : "",
                                 json_string_length(data), &bytes, &size, err);
    CLEANUP_FREE unsigned char *owned = bytes;
    if (is_read) {
        answer->status = 200;
        answer->content_type = type;
        strbuf_add(&answer->body, owned, size);
    }
    return is_read;
}

static bool answer_picture(const json_t *block, struct net_answer *answer, struct br_error *err)
{
    static const char *const types[] = { "image/png", "image/jpeg", "image/webp" };
    const json_t *source = json_object_get(block, "source");
    const char *type = json_member_string(source, "media_type");
    const char *known = "application/octet-stream";
    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++) {
        known = strcmp(type, types[i]) == 0 ? types[i] : known;
    }
    return answer_bytes(json_object_get(source, "data"), known, answer, err);
}

/* A page's markup must not run as a page of this server. */
static void answer_text(const json_t *result, const char *member, struct net_answer *answer)
{
    const json_t *text = json_object_get(result, member);
    const char *format = json_member_string(result, "format");
    bool is_html = format && strcmp(format, "html") == 0;
    bool is_markdown = format && (strcmp(format, "main") == 0 || strcmp(format, "markdown") == 0);
    answer->status = 200;
    answer->content_type = is_html       ? "text/html; charset=utf-8"
                           : is_markdown ? "text/markdown; charset=utf-8"
                                         : "text/plain; charset=utf-8";
    answer->headers = "Content-Security-Policy: sandbox\r\n";
    strbuf_add(&answer->body, json_string_value(text), json_string_length(text));
}

/* Whether a page with an error status is no success for this request. */
static bool refuses_status(const struct one_shot *ask, int status)
{
    struct br_error ignored;
    json_auto_t *params = status >= 400 ? read_params(ask, &ignored) : NULL;
    return params && !json_member_bool(params, "allowHttpErrors", false);
}

static void answer_action(const struct one_shot *ask, json_t *lines, struct net_answer *answer)
{
    size_t index;
    json_t *line;
    struct br_error err = { .code = BR_OK };
    const json_t *last = NULL;
    json_array_foreach (lines, index, line) {
        int status = (int)json_member_number(line, "httpStatus", 0);
        if (!is_kind(line, "response")) {
            continue;
        }
        if (!json_member_bool(line, "success", false)) {
            answer_failure(line, answer);
            return;
        }
        if (refuses_status(ask, status)) {
            error_set(&err, BR_NAVIGATION_FAILED, "the page answered with HTTP status %d", status);
            error_hint(&err, "allowHttpErrors=true accepts it");
            one_shot_refuse(&err, 0, answer);
            return;
        }
        last = line;
    }
    const char *type = json_member_string(last, "type");
    json_t *result = json_object_get(last, "result");
    json_t *block = json_object_get(json_object_get(last, "screenshots"), "post");
    bool is_over = type && strcmp(type, ask->route->type->name) == 0;
    if (!is_over || (ask->route->text ? !result : !block)) {
        error_set(&err, BR_UNKNOWN_ERROR, "the batch ended before its last action answered");
        one_shot_refuse(&err, 0, answer);
    } else if (ask->form == FORM_MEMBERS ||
               (ask->route->text && !json_object_get(result, ask->route->text))) {
        answer->status = 200;
        add_json(ask->route->text ? result : block, answer);
    } else if (ask->route->text && !ask->route->media_type) {
        answer_text(result, ask->route->text, answer);
    } else if (ask->route->text ? !answer_bytes(json_object_get(result, ask->route->text),
                                                ask->route->media_type, answer, &err)
                                : !answer_picture(block, answer, &err)) {
        one_shot_refuse(&err, 0, answer);
    }
}

void one_shot_answer(const struct one_shot *ask, const char *lines, size_t length,
                     struct net_answer *answer)
{
    json_auto_t *all = parse_lines(lines, length);
    const json_t *first = json_array_get(all, 0);
    if (is_kind(first, "error")) {
        answer_failure(first, answer);
    } else if (ask->form == FORM_JSON) {
        answer_batch(all, answer);
    } else if (ask->form == FORM_LINES) {
        answer->status = 200;
        answer->content_type = "application/x-ndjson";
        strbuf_add(&answer->body, lines, length);
    } else {
        answer_action(ask, all, answer);
    }
}

bool one_shot_is_to_keep(const struct one_shot *ask, const char *lines, size_t length)
{
    if (!ask->route->type || !has_succeeded(lines, length)) {
        return has_succeeded(lines, length);
    }
    struct net_answer answer = { .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    one_shot_answer(ask, lines, length, &answer);
    strbuf_finish(&answer.body);
    return answer.status < 500;
}
