#include "runner/servers/debug_bridge/messages.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/memory.h"

#include <string.h>

static bool is_key(const char *from, size_t length, const char *name)
{
    return length == strlen(name) + 2 && memcmp(from + 1, name, length - 2) == 0;
}

/* Where the value of a member is stored; NULL: this member is not needed. */
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

/* Skips a member and the space around it; NULL: it is malformed. */
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

/* The brace that closes the object; NULL: it is malformed. */
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

static json_t *message(const struct peer *peer, const char *type)
{
    return json_pack("{s:i, s:o, s:I, s:s, s:s}", "protocolVersion", 1, "sessionId",
                     json_text(peer->session->name), "timestamp", (json_int_t)clock_wall_ms(),
                     "origin", "server", "type", type);
}

static char *write(json_t *root, size_t *ret_length)
{
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    *ret_length = strlen(text);
    return text;
}

char *bridge_event_text(const struct peer *peer, bool is_there, size_t *ret_length)
{
    const char *event = peer->is_app ? (is_there ? "app_connected" : "app_disconnected")
                                     : (is_there ? "agent_connected" : "agent_disconnected");
    json_t *root = message(peer, "connection_event");
    json_object_set_new(root, "event", json_string(event));
    json_object_set_new(root, peer->is_app ? "appId" : "agentId", json_text(peer->name));
    json_object_set_new(root, "connectedApps", session_app_names(peer->session));
    json_object_set_new(root, "connectedAgents", json_integer((json_int_t)peer->session->agents));
    return write(root, ret_length);
}

char *bridge_refusal_text(const struct peer *agent, const struct bridge_message *command,
                          const char *code, const char *why, size_t *ret_length)
{
    json_t *root = message(agent, "command_result");
    CLEANUP_FREE char *id = bridge_value_text(command->request_id);
    CLEANUP_FREE char *type = bridge_value_text(command->type);
    const char *fallback = strcmp(code, "RATE_LIMITED") == 0 ? "rate_limit" : "unknown";
    json_object_set_new(root, "requestId", json_text(id ? id : fallback));
    json_object_set_new(root, "requestType", json_text(type ? type : "unknown"));
    json_object_set_new(root, "success", json_false());
    json_object_set_new(root, "error",
                        json_pack("{s:s, s:o}", "code", code, "message", json_text(why)));
    json_object_set_new(root, "duration", json_integer(0));
    return write(root, ret_length);
}
