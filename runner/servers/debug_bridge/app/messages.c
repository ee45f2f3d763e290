#include "runner/servers/debug_bridge/app/messages.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/console/event.h"
#include "runner/privacy/mask.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 10, MAX_ARGUMENT = 1000, MAX_DEPTH = 20 };

json_t *app_message(const struct app_identity *identity, const char *type)
{
    return json_pack("{s:i, s:o, s:I, s:s, s:s, s:o}", "protocolVersion", 1, "sessionId",
                     json_text(identity->session_id), "timestamp", (json_int_t)clock_wall_ms(),
                     "origin", "app", "type", type, "appId", json_text(identity->app_id));
}

json_t *app_hello(const struct app_identity *identity, const json_t *page)
{
    json_t *message = app_message(identity, "hello");
    const char *title = json_member_string(page, "title");
    const char *host = json_member_string(page, "host");
    const char *name = title && *title ? title : host && *host ? host : "about:blank";
    json_object_set_new(message, "appName", json_string(name));
    json_object_set(message, "url", json_object_get(page, "url"));
    json_object_set(message, "userAgent", json_object_get(page, "userAgent"));
    json_object_set_new(message, "viewport",
                        json_pack("{s:O, s:O}", "width", json_object_get(page, "width"), "height",
                                  json_object_get(page, "height")));
    return message;
}

json_t *app_capabilities(const struct app_identity *identity, bool has_eval)
{
    json_t *message = app_message(identity, "capabilities");
    json_t *all =
        json_pack("[s, s, s, s, s, s, s, s]", "dom_snapshot", "dom_mutations", "ui_tree",
                  "ui_element_updates", "console", "errors", "screenshot", "custom_state");
    if (has_eval) {
        json_array_append_new(all, json_string("eval"));
    }
    json_object_set_new(message, "capabilities", all);
    return message;
}

const char *app_error_code(enum br_code code)
{
    switch (code) {
    case BR_TARGET_NOT_FOUND:
    case BR_TARGET_AMBIGUOUS:
    case BR_STALE_NODE:
        return "TARGET_NOT_FOUND";
    case BR_TARGET_NOT_VISIBLE:
    case BR_TARGET_OBSCURED:
        return "TARGET_NOT_VISIBLE";
    case BR_INVALID_ACTION:
        return "INVALID_COMMAND";
    case BR_TARGET_DISABLED:
    case BR_TIMEOUT:
    case BR_EVAL_DISABLED:
    case BR_EVAL_ERROR:
    case BR_NAVIGATION_FAILED:
    case BR_RATE_LIMITED:
        return br_code_name(code);
    default:
        return "UNKNOWN_ERROR";
    }
}

static json_t *error_of(const struct br_error *why)
{
    json_t *details = json_pack("{s:s}", "code", br_code_name(why->code));
    if (why->hint[0]) {
        json_object_set_new(details, "hint", json_text(why->hint));
    }
    return json_pack("{s:s, s:o, s:o}", "code", app_error_code(why->code), "message",
                     json_text(why->message), "details", details);
}

json_t *app_command_result(const struct app_identity *identity, const json_t *command,
                           const struct br_error *why, json_t *result, int64_t duration_ms)
{
    json_t *message = app_message(identity, "command_result");
    json_t *request_id = json_object_get(command, "requestId");
    const char *type = json_member_string(command, "type");
    bool has_id = json_is_string(request_id) || json_is_number(request_id);
    json_object_set_new(message, "requestId", has_id ? json_incref(request_id) : json_string(""));
    json_object_set_new(message, "requestType", json_string(type ? type : "unknown"));
    json_object_set_new(message, "success", json_boolean(!why));
    if (why) {
        json_object_set_new(message, "error", error_of(why));
    }
    if (result) {
        json_object_set_new(message, "result", result);
    }
    json_object_set_new(message, "duration", json_integer(duration_ms));
    return message;
}

/* The references of the objects around a value, in which a value may be one of them again. */
struct around {
    json_int_t references[MAX_DEPTH + 1];
    int depth;
};

static json_t *plain_of(const json_t *typed, struct around *around);

/* The name of a member, which is a typed value in a map. Caller frees; NULL: none. */
static char *key_text(const json_t *key)
{
    const json_t *value = json_is_string(key) ? key : json_object_get(key, "value");
    value = value ? value : json_object_get(key, "description");
    return json_is_string(value) ? xstrdup(json_string_value(value))
           : value               ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY)
                                 : xstrdup(json_member_string(key, "type"));
}

/* Reads the pairs of an object or a map. */
static json_t *plain_members(const json_t *pairs, struct around *around)
{
    size_t index;
    json_t *pair;
    json_t *plain = json_object();
    json_array_foreach (pairs, index, pair) {
        CLEANUP_FREE char *name = key_text(json_array_get(pair, 0));
        json_t *value = plain_of(json_array_get(pair, 1), around);
        if (name && value) {
            json_object_set_new(plain, name, value);
        } else {
            json_decref(value);
        }
    }
    return plain;
}

static json_t *plain_list(const json_t *items, struct around *around)
{
    size_t index;
    json_t *item;
    json_t *plain = json_array();
    json_array_foreach (items, index, item) {
        json_t *value = plain_of(item, around);
        json_array_append_new(plain, value ? value : json_null());
    }
    return plain;
}

static bool is_one_of(const char *type, const char *const *names)
{
    while (*names && strcmp(*names, type) != 0) {
        names++;
    }
    return *names;
}

/* JSON.stringify() throws for a circle; the specification's replacer marks what comes again. */
static json_t *plain_container(const json_t *typed, bool is_list, struct around *around)
{
    const json_t *value = json_object_get(typed, "value");
    const json_t *reference = json_object_get(typed, "weakLocalObjectReference");
    json_int_t number = reference ? json_integer_value(reference) : -1;
    bool is_again = reference && !json_is_array(value);
    for (int i = 0; i < around->depth; i++) {
        is_again |= reference && around->references[i] == number;
    }
    if (is_again) {
        return json_string("[Circular]");
    }
    if (!json_is_array(value) || around->depth > MAX_DEPTH) {
        return json_string(is_list ? "[…]" : "{…}");
    }
    around->references[around->depth++] = number;
    json_t *plain = is_list ? plain_list(value, around) : plain_members(value, around);
    around->depth--;
    return plain;
}

/* The members that the specification gives an error, from its stack. */
static json_t *plain_error(const json_t *typed)
{
    const char *stack = json_member_string(typed, "description");
    stack = stack ? stack : "Error";
    const char *frames = strstr(stack, "\n    at ");
    CLEANUP_FREE char *head = xstrndup(stack, frames ? (size_t)(frames - stack) : strlen(stack));
    const char *colon = strstr(head, ": ");
    bool has_name = colon && strcspn(head, " \n") > (size_t)(colon - head);
    bool is_name = !colon && !strpbrk(head, " \n");
    return json_pack("{s:o, s:o}", "message",
                     json_text(has_name  ? colon + 2
                               : is_name ? ""
                                         : head),
                     "stack", json_text(stack));
}

static json_t *plain_node(const json_t *typed)
{
    enum { ELEMENT_NODE = 1 };
    const json_t *node = json_object_get(typed, "value");
    const char *name = json_member_string(node, "localName");
    bool is_element = json_member_number(node, "nodeType", 0) == ELEMENT_NODE && name;
    if (!is_element) {
        const char *description = json_member_string(typed, "description");
        return json_sprintf("[%s]", description ? description : "Node");
    }
    CLEANUP_FREE char *tag = xstrdup(name);
    for (char *at = tag; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    return json_sprintf("[HTMLElement: %s]", tag);
}

static json_t *plain_regexp(const json_t *typed)
{
    const json_t *value = json_object_get(typed, "value");
    const char *pattern = json_member_string(value, "pattern");
    const char *flags = json_member_string(value, "flags");
    const char *description = json_member_string(typed, "description");
    return pattern ? json_sprintf("/%s/%s", pattern, flags ? flags : "")
                   : json_text(description ? description : "[RegExp]");
}

/* Previews have numbers as texts. NaN and the like are null in JSON. */
static json_t *plain_number(json_t *value)
{
    const char *text = json_string_value(value);
    json_t *number = text ? json_loads(text, JSON_DECODE_ANY, NULL) : json_incref(value);
    if (!json_is_number(number)) {
        json_decref(number);
        return json_null();
    }
    return number;
}

static json_t *plain_boolean(json_t *value)
{
    const char *text = json_string_value(value);
    return text ? json_boolean(strcmp(text, "true") == 0) : json_incref(value);
}

/* A value without members. */
static json_t *plain_scalar(const json_t *typed, const char *type)
{
    json_t *value = json_object_get(typed, "value");
    const char *description = json_member_string(typed, "description");
    if (strcmp(type, "symbol") == 0 && !description && json_is_string(value)) {
        return json_sprintf("Symbol(%s)", json_string_value(value));
    }
    return json_is_string(value) || json_is_number(value) || json_is_boolean(value)
               ? json_incref(value)
           : description ? json_text(description)
                         : json_sprintf("[%s]", type);
}

/* A DeepSerializedValue in the form of the specification's appendix 13.3. NULL: undefined. */
static json_t *plain_of(const json_t *typed, struct around *around)
{
    static const char *const lists[] = { "array",          "set",        "nodelist",
                                         "htmlcollection", "typedarray", NULL };
    static const char *const objects[] = { "object", "map", NULL };
    const char *type = json_member_string(typed, "type");
    json_t *value = json_object_get(typed, "value");
    if (!type) {
        return json_string("…");
    }
    if (is_one_of(type, lists) || is_one_of(type, objects)) {
        return plain_container(typed, is_one_of(type, lists), around);
    }
    return strcmp(type, "undefined") == 0          ? NULL
           : strcmp(type, "null") == 0             ? json_null()
           : strcmp(type, "number") == 0           ? plain_number(value)
           : strcmp(type, "boolean") == 0 && value ? plain_boolean(value)
           : strcmp(type, "error") == 0            ? plain_error(typed)
           : strcmp(type, "function") == 0         ? json_string("[Function]")
           : strcmp(type, "node") == 0             ? plain_node(typed)
           : strcmp(type, "regexp") == 0           ? plain_regexp(typed)
                                                   : plain_scalar(typed, type);
}

/* An argument as a text: a string unchanged, other values as JSON. Caller frees. */
static char *written_of(const json_t *typed)
{
    const char *type = json_member_string(typed, "type");
    const char *text = json_member_string(typed, "value");
    if (type && text && strcmp(type, "number") == 0) {
        return xstrdup(text); /* NaN, -0, Infinity */
    }
    struct around around = { .depth = 0 };
    json_auto_t *plain = plain_of(typed, &around);
    return !plain ? xstrdup("undefined")
           : json_is_string(plain)
               ? xstrdup(json_string_value(plain))
               : json_dumps(plain, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(16));
}

/* Cut. Caller decrefs. */
static json_t *argument_of(const json_t *typed)
{
    CLEANUP_FREE char *written = written_of(typed);
    if (!written || strlen(written) <= MAX_ARGUMENT) {
        return json_text(written ? written : "");
    }
    return json_sprintf("%.*s...", (int)utf8_cut(written, MAX_ARGUMENT), written);
}

static json_t *arguments_of(const json_t *values, const struct br_log *log)
{
    size_t index;
    json_t *typed;
    json_t *all = json_array();
    json_array_foreach (values, index, typed) {
        if (index < MAX_ARGUMENTS) {
            json_array_append_new(all, argument_of(typed));
        }
    }
    if (!json_is_array(values)) {
        json_auto_t *typed_text =
            json_pack("{s:s, s:o}", "type", "string", "value", json_text(log->message));
        json_array_append_new(all, argument_of(typed_text));
    }
    return all;
}

/* The stack of the first argument that is an error, else the call's. Borrowed. */
static const char *stack_of(const json_t *values, const struct br_log *log)
{
    size_t index;
    json_t *typed;
    json_array_foreach (values, index, typed) {
        const char *type = json_member_string(typed, "type");
        const char *stack = json_member_string(typed, "description");
        if (type && stack && strcmp(type, "error") == 0) {
            return stack;
        }
    }
    return log->type == BR_LOG_ERROR ? log->stack : NULL;
}

static const char *level_of(const struct br_log *log)
{
    static const char *const levels[] = {
        [BR_LOG_VERBOSE] = "debug", [BR_LOG_DEBUG] = "debug", [BR_LOG_INFO] = "info",
        [BR_LOG_WARNING] = "warn",  [BR_LOG_ERROR] = "error",
    };
    bool is_log = log->type == BR_LOG_INFO && !(log->method && strcmp(log->method, "info") == 0);
    return is_log ? "log" : levels[log->type];
}

static void set_text(json_t *message, const char *key, const char *text)
{
    if (text) {
        json_object_set_new(message, key, json_text(text));
    }
}

/* Sets filename, lineno and colno; nothing for a place without line and column. */
static void set_location(json_t *message, const char *location)
{
    struct console_location place = console_location_read(location);
    if (place.line && place.column) {
        set_text(message, "filename", place.url);
        json_object_set_new(message, "lineno", json_integer(place.line));
        json_object_set_new(message, "colno", json_integer(place.column));
    }
    free(place.url);
}

static json_t *error_message(const struct app_identity *identity, const struct br_log *log)
{
    static const char uncaught[] = "Uncaught ";
    static const char promise[] = "(in promise) ";
    json_t *message = app_message(identity, "error");
    const char *text = log->message ? log->message : "";
    bool is_rejection = log->kind && strcmp(log->kind, "rejection") == 0;
    text += strncmp(text, uncaught, strlen(uncaught)) == 0 ? strlen(uncaught) : 0;
    text += strncmp(text, promise, strlen(promise)) == 0 ? strlen(promise) : 0;
    const char *frames = strstr(text, "\n    at ");
    json_object_set_new(message, "errorType",
                        json_string(is_rejection ? "unhandledrejection" : "runtime"));
    CLEANUP_FREE char *first = frames ? xstrndup(text, (size_t)(frames - text)) : xstrdup(text);
    set_text(message, "message", first);
    set_text(message, "stack", frames ? text : log->stack);
    set_location(message, log->location);
    return message;
}

json_t *app_event_message(const struct app_identity *identity, const struct br_event *event)
{
    json_t *message = NULL;
    const struct br_log *log = &event->as.log;
    if (event->kind == BR_EVENT_EXCEPTION) {
        message = error_message(identity, log);
    } else if (event->kind == BR_EVENT_CONSOLE) {
        json_auto_t *values = log->arguments ? json_loads(log->arguments, 0, NULL) : NULL;
        message = app_message(identity, "console");
        json_object_set_new(message, "level", json_string(level_of(log)));
        json_object_set_new(message, "args", arguments_of(values, log));
        set_text(message, "stack", stack_of(values, log));
    }
    if (message) {
        json_object_set_new(message, "timestamp", json_integer((json_int_t)event->timestamp_ms));
    }
    return message;
}

static json_t *masked_text(const struct secrets *secrets, const char *text)
{
    CLEANUP_FREE char *shown = secrets ? secrets_mask(secrets, text) : NULL;
    CLEANUP_STRBUF struct strbuf whole = STRBUF_INIT(STRBUF_UNCAPPED);
    mask_urls(&whole, shown ? shown : text, false);
    return json_text(whole.data);
}

static json_t *masked(const struct secrets *secrets, json_t *value)
{
    size_t index;
    const char *key;
    json_t *member;
    if (json_is_string(value)) {
        return masked_text(secrets, json_string_value(value));
    }
    if (!json_is_array(value) && !json_is_object(value)) {
        return json_incref(value);
    }
    json_t *shown = json_is_array(value) ? json_array() : json_object();
    json_array_foreach (value, index, member) {
        json_array_append_new(shown, masked(secrets, member));
    }
    json_object_foreach (value, key, member) {
        CLEANUP_FREE char *shown_key = secrets ? secrets_mask(secrets, key) : NULL;
        json_object_set_new_nocheck(shown, shown_key ? shown_key : key, masked(secrets, member));
    }
    return shown;
}

json_t *app_masked(const struct secrets *secrets, json_t *message)
{
    /* The relay needs these unchanged, even if one equals a secret. */
    static const char *const kept[] = { "sessionId", "origin", "type", "appId", "requestId", NULL };
    json_t *shown = masked(secrets, message);
    for (size_t i = 0; kept[i]; i++) {
        json_t *value = json_object_get(message, kept[i]);
        if (value) {
            json_object_set(shown, kept[i], value);
        }
    }
    json_decref(message);
    return shown;
}

static json_t *without_secret_names(json_t *value)
{
    size_t index;
    const char *key;
    json_t *member;
    if (!json_is_array(value) && !json_is_object(value)) {
        return json_incref(value);
    }
    json_t *shown = json_is_array(value) ? json_array() : json_object();
    json_array_foreach (value, index, member) {
        json_array_append_new(shown, without_secret_names(member));
    }
    json_object_foreach (value, key, member) {
        bool is_secret =
            mask_is_secret_name(key) && (json_is_string(member) || json_is_number(member));
        json_object_set_new_nocheck(
            shown, key, is_secret ? json_string(mask_text) : without_secret_names(member));
    }
    return shown;
}

json_t *app_without_secret_names(json_t *value)
{
    json_t *shown = without_secret_names(value);
    json_decref(value);
    return shown;
}
