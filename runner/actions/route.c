#include "runner/actions/route.h"

#include "imaging/base64.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/url_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define MAX_BODY   ((size_t)10 * 1024 * 1024)
#define MAX_BODIES ((size_t)32 * 1024 * 1024)

enum { MAX_HEADERS = 100, MAX_HEADER = 16 * 1024 };

/* Characters of a header's name or a method. */
#define TOKEN_CHARACTERS                                                                           \
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *const actions[] = { "block", "fulfill", NULL };
static const char *const resource_types[] = {
    "document", "stylesheet",  "image",    "media", "font",  "script", "xhr",
    "fetch",    "eventsource", "manifest", "ping",  "other", NULL,
};

const struct param route_credentials[] = {
    PARAM("username", TEXT, NULL, .is_required = true),
    PARAM("password", TEXT, NULL, .is_required = true),
    PARAM("origin", NAME, NULL, .example = "https://staging.example.org"),
    { 0 },
};

const struct param route_rules[] = {
    PARAM("url", NAME, "A glob with *, or a part of the URL.", .is_required = true),
    PARAM("method", NAME, "The method of the request.", .example = "POST"),
    PARAM("resourceTypes", CHOICES, "The type of the requested resource.",
          .choices = resource_types),
    PARAM("action", CHOICE,
          "block: the request fails; fulfill: it gets the response described here.",
          .choices = actions, .is_required = true),
    PARAM("status", INTEGER, "The status of the response.", .min = 200, .max = 599,
          .default_value = "200"),
    PARAM("headers", HEADERS, "Headers of the response: names, and values of one line.",
          .example = "{\"X-Test-Run\": \"42\"}"),
    PARAM("contentType", NAME, "The content type of the response."),
    PARAM("body", TEXT, "The body of the response: at most 10 MiB, all bodies together 32 MiB."),
    PARAM("bodyFile", NAME, "A file with the body, instead of body.", .use = USE_FILE),
    { 0 },
};

static bool is_token(const char *text)
{
    return *text && !text[strspn(text, TOKEN_CHARACTERS)];
}

static bool has_control(const char *text)
{
    for (; *text; text++) {
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f) {
            return true;
        }
    }
    return false;
}

/* Header values are secrets: messages must not contain them. */
static bool check_headers(const struct br_action *action, const char *path, const json_t *headers,
                          struct br_error *err)
{
    const char *name;
    json_t *value;
    if (json_object_size(headers) > MAX_HEADERS) {
        return param_error(action, path, err, "has more than %d headers", MAX_HEADERS);
    }
    json_object_foreach ((json_t *)headers, name, value) {
        const char *text = json_string_value(value);
        if (!is_token(name)) {
            param_error(action, path, err, "\"%s\" is no name of a header", name);
            return error_hint(err, "write it as {\"X-Test-Run\": \"42\"}");
        }
        if (!text || has_control(text) || strlen(text) > MAX_HEADER) {
            param_error(action, path, err, "the value of %s is not one line of text", name);
            return error_hint(err, "write it as {\"X-Test-Run\": \"42\"}");
        }
    }
    return true;
}

static bool check_credentials(const struct br_action *action, const json_t *credentials,
                              struct br_error *err)
{
    const char *origin = json_member_string(credentials, "origin");
    return !origin || url_is_web_origin(origin) ||
           param_error(action, "credentials.origin", err,
                       "\"%s\" is no origin such as http://localhost:3000", origin);
}

static bool check_rule(const struct br_action *action, size_t index, const json_t *rule,
                       struct br_error *err)
{
    static const char *const of_fulfill[] = { "status", "headers", "contentType", "body",
                                              "bodyFile" };
    const char *method = json_member_string(rule, "method");
    const char *type = json_member_string(rule, "contentType");
    CLEANUP_FREE char *path = xasprintf("route[%zu]", index);
    CLEANUP_FREE char *headers = xasprintf("%s.headers", path);
    bool is_block = strcmp(json_member_string(rule, "action"), "block") == 0;
    if (method && !is_token(method)) {
        return param_error(action, path, err, "\"%s\" is no method", method);
    }
    if (type && has_control(type)) {
        return param_error(action, path, err, "contentType is not one line of text");
    }
    for (size_t i = 0; i < sizeof(of_fulfill) / sizeof(of_fulfill[0]); i++) {
        if (is_block && json_object_get(rule, of_fulfill[i])) {
            param_error(action, path, err, "%s is for action \"fulfill\"", of_fulfill[i]);
            return error_hint(err, "omit it, or write fulfill instead of block");
        }
    }
    if (json_object_get(rule, "body") && json_object_get(rule, "bodyFile")) {
        return param_error(action, path, err, "takes body or bodyFile, not both");
    }
    if (json_string_length(json_object_get(rule, "body")) > MAX_BODY) {
        return param_error(action, path, err, "body is larger than %zu bytes", MAX_BODY);
    }
    return check_headers(action, headers, json_object_get(rule, "headers"), err);
}

bool route_validate(const struct br_action *action, struct br_error *err)
{
    size_t index;
    json_t *rule;
    json_array_foreach (json_object_get(action->params, "route"), index, rule) {
        if (!check_rule(action, index, rule, err)) {
            return error_hint(err, "write it as [{\"url\": \"*/api*\", \"action\": \"fulfill\", "
                                   "\"status\": 200, \"body\": \"[]\"}]");
        }
    }
    if (!check_headers(action, "headers", json_object_get(action->params, "headers"), err)) {
        return error_hint(err, "write it as {\"X-Test-Run\": \"42\"}");
    }
    return check_credentials(action, json_object_get(action->params, "credentials"), err) ||
           error_hint(err, "write it as {\"username\": \"me\", \"password\": \"…\", "
                           "\"origin\": \"http://localhost:3000\"}");
}

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names;
}

static json_t *encoded(const char *bytes, size_t size)
{
    size_t length = base64_encoded_size(size);
    CLEANUP_FREE char *text = xmalloc(length + 1);
    base64_encode(bytes, size, text);
    return json_stringn(text, length);
}

/* Ways to pass an element or a javascript: URL to a page, also inside JSON text. */
static const char *const markups[] = { "<",   "u003c", "x3c",   "%3c",
                                       "&lt", "&#60",  "&#x3c", "javascript:" };

static bool has_markup(const char *bytes, size_t size)
{
    CLEANUP_FREE char *text = xmalloc(size + 1);
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        /* Drop the zero bytes of UTF-16. */
        text[length] = (char)tolower((unsigned char)bytes[i]);
        length += bytes[i] != '\0';
    }
    text[length] = '\0';
    for (size_t i = 0; i < sizeof(markups) / sizeof(markups[0]); i++) {
        if (strstr(text, markups[i])) {
            return true;
        }
    }
    return false;
}

/* How a page may use the response to a request, by its type. */
enum reading {
    READ_AS_DATA, /* nothing in it is run */
    READ_AS_TEXT, /* by scripts of the page, which may insert it as markup */
    READ_AS_CODE, /* it may be run: as a page, a script, or an XSLT style sheet */
};

static enum reading reading_of(const json_t *rule)
{
    static const char *const as_data[] = { "image", "media", "font", "manifest", "ping", NULL };
    static const char *const as_text[] = { "xhr", "fetch", "eventsource", NULL };
    enum reading most = READ_AS_DATA;
    const json_t *types = json_object_get(rule, "resourceTypes");
    size_t index;
    json_t *type;
    if (!types) {
        return READ_AS_CODE;
    }
    json_array_foreach (types, index, type) {
        const char *name = json_string_value(type);
        enum reading reading = is_one_of(as_data, name)   ? READ_AS_DATA
                               : is_one_of(as_text, name) ? READ_AS_TEXT
                                                          : READ_AS_CODE;
        most = reading > most ? reading : most;
    }
    return most;
}

static bool leads_on(const json_t *rule)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(rule, "headers"), name, value) {
        if (strcasecmp(name, "Location") == 0 || strcasecmp(name, "Refresh") == 0) {
            return true;
        }
    }
    return false;
}

/* `bytes`: the body; NULL: none. */
static bool check_answer(const json_t *rule, const struct policy *policy, const char *bytes,
                         size_t size, struct br_error *err)
{
    enum reading reading = reading_of(rule);
    bool has_answer = bytes || leads_on(rule);
    if (has_answer && reading == READ_AS_CODE &&
        !policy_check_script(policy, "route: a response that may be a script", err)) {
        return error_hint(err, "limit the rule by resourceTypes, such as [\"xhr\", \"image\"]");
    }
    if (policy && bytes && reading == READ_AS_TEXT && has_markup(bytes, size) &&
        !policy_check_script(policy, "route: a body from which a page may create elements", err)) {
        return error_hint(err, "respond with data that has no \"<\" in it");
    }
    return true;
}

/* Loads the body into the rule, in the protocol's encoding. */
static bool load_body(json_t *rule, const struct policy *policy, size_t *total,
                      struct br_error *err)
{
    const char *path = json_member_string(rule, "bodyFile");
    json_auto_t *text = json_incref(json_object_get(rule, "body"));
    size_t size = json_string_length(text);
    CLEANUP_FREE char *read =
        path ? file_read_in(policy_files(policy), path, MAX_BODY, &size, err) : NULL;
    const char *bytes = path ? read : json_string_value(text);
    if (path && !read) {
        return error_context(err, "route");
    }
    if (!check_answer(rule, policy, bytes, size, err)) {
        return false;
    }
    *total += size;
    if (*total > MAX_BODIES) {
        return error_set(err, BR_LIMIT_EXCEEDED, "route: all bodies are larger than %zu bytes",
                         MAX_BODIES);
    }
    json_object_del(rule, "body");
    json_object_del(rule, "bodyFile");
    if (size) {
        json_object_set_new(rule, "base64", encoded(bytes, size));
    }
    return true;
}

json_t *route_load(const json_t *rules, const struct policy *policy, struct br_error *err)
{
    json_auto_t *loaded = json_deep_copy(rules);
    size_t total = 0;
    size_t index;
    json_t *rule;
    json_array_foreach (loaded, index, rule) {
        if (!load_body(rule, policy, &total, err)) {
            return NULL;
        }
    }
    return json_incref(loaded);
}
