#include "runner/page/world/route.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/state.h"
#include "runner/page/core/url_pattern.h"
#include "runner/page/world/judge.h"
#include "runner/page/world/origins.h"
#include "runner/page/world/setting.h"

#include <string.h>
#include <strings.h>

enum { MAX_LOGINS = 64 };

/* The names of resource types for users, and in Chrome. */
static const struct {
    const char *name, *type;
} resource_types[] = {
    { "document", "Document" },
    { "stylesheet", "Stylesheet" },
    { "image", "Image" },
    { "media", "Media" },
    { "font", "Font" },
    { "script", "Script" },
    { "xhr", "XHR" },
    { "fetch", "Fetch" },
    { "xhr", "Fetch" },
    { "fetch", "XHR" }, /* Chrome does not distinguish them */
    { "eventsource", "EventSource" },
    { "manifest", "Other" }, /* Chrome gives paused requests no other type */
    { "ping", "Ping" },
    { "other", "Other" },
};
enum { TYPE_COUNT = sizeof(resource_types) / sizeof(resource_types[0]) };

/* Returns NULL if there are none, or they were reset to an empty value. */
static const json_t *credentials_of(const struct page *page)
{
    const json_t *credentials = setting_get(page, "credentials");
    bool is_empty = json_string_length(json_object_get(credentials, "username")) == 0 &&
                    json_string_length(json_object_get(credentials, "password")) == 0;
    return is_empty ? NULL : credentials;
}

static void add_pattern(json_t *patterns, const char *url, const char *type)
{
    json_array_append_new(
        patterns, json_pack("{s:o, s:s*}", "urlPattern", json_text(url), "resourceType", type));
}

static bool has_text(const json_t *texts, const char *wanted)
{
    size_t index;
    json_t *text;
    json_array_foreach (texts, index, text) {
        if (strcmp(json_string_value(text), wanted) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds patterns that match at least what the rule does; find_rule() decides. */
static void add_rule_patterns(json_t *patterns, const json_t *rule)
{
    const json_t *types = json_object_get(rule, "resourceTypes");
    CLEANUP_FREE char *url = url_pattern_for_chrome(json_member_string(rule, "url"));
    if (!types) {
        add_pattern(patterns, url, NULL);
    }
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (has_text(types, resource_types[i].name)) {
            add_pattern(patterns, url, resource_types[i].type);
        }
    }
}

const char *route_command(struct page *page, json_t **ret_params)
{
    const json_t *credentials = credentials_of(page);
    json_t *patterns = json_array();
    size_t index;
    json_t *rule;
    judge_add_patterns(page, patterns);
    json_array_foreach (setting_get(page, "route"), index, rule) {
        add_rule_patterns(patterns, rule);
    }
    if (credentials) {
        /*
         * Otherwise Chrome waits forever for someone to fill in its login window, for other
         * origins, too.
         */
        add_pattern(patterns, "*", NULL);
    }
    if (json_array_size(patterns) == 0) {
        json_decref(patterns);
        *ret_params = NULL;
        return "Fetch.disable";
    }
    *ret_params =
        json_pack("{s:b, s:o}", "handleAuthRequests", credentials != NULL, "patterns", patterns);
    return "Fetch.enable";
}

static const char *header_of(const json_t *request, const char *wanted)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(request, "headers"), name, value) {
        if (strcasecmp(name, wanted) == 0) {
            return json_string_value(value);
        }
    }
    return NULL;
}

static bool is_type_meant(const json_t *types, const char *type)
{
    for (size_t i = 0; types && type && i < TYPE_COUNT; i++) {
        if (strcmp(resource_types[i].type, type) == 0 && has_text(types, resource_types[i].name)) {
            return true;
        }
    }
    return !types;
}

/* A CORS preflight belongs to the request that follows it. */
static const char *preflight_of(const json_t *request)
{
    const char *method = json_member_string(request, "method");
    bool is_options = method && strcmp(method, "OPTIONS") == 0;
    return is_options ? header_of(request, "Access-Control-Request-Method") : NULL;
}

/* Finds the first rule for the request; NULL: none. */
static const json_t *find_rule(const struct page *page, const json_t *paused, size_t *ret_index)
{
    const json_t *request = json_object_get(paused, "request");
    const char *url = json_member_string(request, "url");
    const char *asked = preflight_of(request);
    const char *method = asked ? asked : json_member_string(request, "method");
    size_t index;
    json_t *rule;
    json_array_foreach (setting_get(page, "route"), index, rule) {
        const char *wanted = json_member_string(rule, "method");
        if (url && method && (!wanted || strcasecmp(wanted, method) == 0) &&
            is_type_meant(json_object_get(rule, "resourceTypes"),
                          json_member_string(paused, "resourceType")) &&
            url_pattern_matches(json_member_string(rule, "url"), url)) {
            *ret_index = index;
            return rule;
        }
    }
    return NULL;
}

static void add_header(json_t *headers, const char *name, const char *value)
{
    json_array_append_new(
        headers, json_pack("{s:o, s:o}", "name", json_text(name), "value", json_text(value)));
}

/* Allows other origins to read the response, unless the rule sets such a header itself. */
static void allow_origin(json_t *headers, const json_t *rule, const json_t *request)
{
    const char *origin = header_of(request, "Origin");
    const char *method = preflight_of(request);
    const char *names = header_of(request, "Access-Control-Request-Headers");
    if (!origin || header_of(rule, "Access-Control-Allow-Origin")) {
        return;
    }
    add_header(headers, "Access-Control-Allow-Origin", origin);
    add_header(headers, "Access-Control-Allow-Credentials", "true");
    add_header(headers, "Vary", "Origin");
    if (method) {
        add_header(headers, "Access-Control-Allow-Methods", method);
    }
    if (method && names) {
        add_header(headers, "Access-Control-Allow-Headers", names);
    }
}

static json_t *answer_of(const json_t *rule, const json_t *paused)
{
    const json_t *request = json_object_get(paused, "request");
    bool is_preflight = preflight_of(request);
    json_t *headers = json_array();
    const char *type = json_member_string(rule, "contentType");
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(rule, "headers"), name, value) {
        if (!type || strcasecmp(name, "Content-Type") != 0) {
            add_header(headers, name, json_string_value(value));
        }
    }
    if (type) {
        add_header(headers, "Content-Type", type);
    }
    allow_origin(headers, rule, request);
    int status = is_preflight ? 204 : (int)json_member_number(rule, "status", 200);
    return json_pack("{s:O, s:i, s:o, s:O*}", "requestId", json_object_get(paused, "requestId"),
                     "responseCode", status, "responseHeaders", headers, "body",
                     is_preflight ? NULL : json_object_get(rule, "base64"));
}

static void on_paused(struct page *page, const char *session_id, json_t *params)
{
    size_t index = 0;
    const json_t *rule = find_rule(page, params, &index);
    const char *action = json_member_string(rule, "action");
    bool is_blocked = action && strcmp(action, "block") == 0;
    if (judge_on_paused(page, session_id, params)) {
        return;
    }
    if (!rule) {
        cdp_post(page->client, session_id, "Fetch.continueRequest",
                 json_pack("{s:O}", "requestId", json_object_get(params, "requestId")));
        return;
    }
    const json_t *request = json_object_get(params, "request");
    page_log(page, BR_LOG_DEBUG, "network", "route[%zu] %s %s %s", index,
             is_blocked ? "blocked" : "answered", json_member_string(request, "method"),
             json_member_string(request, "url"));
    if (is_blocked) {
        cdp_post(page->client, session_id, "Fetch.failRequest",
                 json_pack("{s:O, s:s}", "requestId", json_object_get(params, "requestId"),
                           "errorReason", "BlockedByClient"));
    } else {
        cdp_post(page->client, session_id, "Fetch.fulfillRequest", answer_of(rule, params));
    }
}

/*
 * Returns whether the request already got the credentials: they are wrong, and must not be sent
 * again.
 */
static bool was_asked(struct page *page, json_t *request_id)
{
    if (has_text(page->asked_for_login, json_string_value(request_id))) {
        return true;
    }
    json_array_append(page->asked_for_login, request_id);
    if (json_array_size(page->asked_for_login) > MAX_LOGINS) {
        json_array_remove(page->asked_for_login, 0);
    }
    return false;
}

/* Without valid credentials the server responds with a page that says so. */
static void on_login(struct page *page, const char *session_id, json_t *params)
{
    const json_t *credentials = credentials_of(page);
    const json_t *challenge = json_object_get(params, "authChallenge");
    json_t *request_id = json_object_get(params, "requestId");
    const char *origin = json_member_string(challenge, "origin");
    const char *wanted = json_member_string(credentials, "origin");
    bool is_meant = credentials && (!wanted || (origin && strcmp(origin, wanted) == 0));
    bool is_given = is_meant && json_is_string(request_id) && !was_asked(page, request_id);
    if (is_meant && !is_given) {
        page_log(page, BR_LOG_WARNING, "network", "%s does not accept the credentials",
                 origin ? origin : "the server");
    }
    json_t *answer = json_pack("{s:s}", "response", is_given ? "ProvideCredentials" : "CancelAuth");
    if (is_given) {
        json_object_set(answer, "username", json_object_get(credentials, "username"));
        json_object_set(answer, "password", json_object_get(credentials, "password"));
    }
    cdp_post(page->client, session_id, "Fetch.continueWithAuth",
             json_pack("{s:O, s:o}", "requestId", request_id, "authChallengeResponse", answer));
}

bool route_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    bool is_paused = strcmp(method, "Fetch.requestPaused") == 0;
    if (!is_paused && strcmp(method, "Fetch.authRequired") != 0) {
        return false;
    }
    if (origins_has_session(page, session_id)) {
        origins_answer(page, params);
    } else if (is_paused) {
        on_paused(page, session_id, params);
    } else {
        on_login(page, session_id, params);
    }
    return true;
}

void route_init(struct page *page)
{
    page->asked_for_login = json_array();
}

void route_finish(struct page *page)
{
    json_decref(page->asked_for_login);
}
