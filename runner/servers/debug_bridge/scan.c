#include "runner/servers/debug_bridge/scan.h"

#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/memory.h"

#include <string.h>

static bool is_key(const char *from, size_t length, const char *name)
{
    return length == strlen(name) + 2 && memcmp(from + 1, name, length - 2) == 0;
}

/* Where the value of a member belongs; NULL: it is none that is looked at. */
static struct bridge_value *place_of(struct bridge_message *message, const char *from,
                                     size_t length)
{
    return is_key(from, length, "type")              ? &message->type
           : is_key(from, length, "requestId")       ? &message->request_id
           : is_key(from, length, "appId")           ? &message->app_id
           : is_key(from, length, "origin")          ? &message->origin
           : is_key(from, length, "protocolVersion") ? &message->version
                                                     : NULL;
}

/* A member and the space around it; NULL where it is broken. */
static const char *scan_member(const char *at, const char *end, struct bridge_message *message)
{
    const char *key = at;
    at = json_scan_string(at, end);
    if (!at) {
        return NULL;
    }
    struct bridge_value *value = place_of(message, key, (size_t)(at - key));
    at = json_scan_space(at, end);
    if (at >= end || *at != ':') {
        return NULL;
    }
    const char *from = json_scan_space(at + 1, end);
    at = json_scan_value(from, end);
    if (at && value) {
        *value = (struct bridge_value){ from, (size_t)(at - from) };
    }
    return at ? json_scan_space(at, end) : NULL;
}

/* The place of the brace that closes the object; NULL where it is broken. */
static const char *scan_members(const char *at, const char *end, struct bridge_message *message)
{
    at = json_scan_space(at, end);
    message->is_empty = at < end && *at == '}';
    while (at && at < end && !message->is_empty) {
        at = scan_member(at, end, message);
        if (!at || at >= end || *at != ',') {
            break;
        }
        at = json_scan_space(at + 1, end);
    }
    return at && at < end && *at == '}' ? at : NULL;
}

bool bridge_scan(const char *text, size_t length, struct bridge_message *ret_message)
{
    const char *end = text + length;
    const char *at = json_scan_space(text, end);
    *ret_message = (struct bridge_message){ 0 };
    if (at >= end || *at != '{' || memchr(text, '\0', length)) {
        return false;
    }
    at = scan_members(at + 1, end, ret_message);
    if (!at) {
        return false;
    }
    ret_message->close = (size_t)(at - text);
    return json_scan_space(at + 1, end) == end;
}

bool bridge_value_is(struct bridge_value value, const char *text)
{
    return value.length > 0 && *value.from == '"' && is_key(value.from, value.length, text);
}

char *bridge_value_text(struct bridge_value value)
{
    struct br_error err;
    if (value.length == 0) {
        return NULL;
    }
    if (*value.from != '"') {
        return xstrndup(value.from, value.length);
    }
    if (!memchr(value.from, '\\', value.length)) {
        return xstrndup(value.from + 1, value.length - 2);
    }
    json_auto_t *text = json_parse(value.from, value.length, "a value", &err);
    return xstrdup(json_string_value(text));
}
