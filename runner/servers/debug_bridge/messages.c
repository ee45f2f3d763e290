#include "runner/servers/debug_bridge/messages.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

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
    if (id) {
        json_object_set_new(root, "requestId", json_text(id));
    }
    json_object_set_new(root, "requestType", json_text(type ? type : "unknown"));
    json_object_set_new(root, "success", json_false());
    json_object_set_new(root, "error",
                        json_pack("{s:s, s:o}", "code", code, "message", json_text(why)));
    json_object_set_new(root, "duration", json_integer(0));
    return write(root, ret_length);
}
