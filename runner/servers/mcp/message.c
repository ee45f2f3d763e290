#include "runner/servers/mcp/message.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

enum { LIST_LASTS_MS = 3600000 };

static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
static const char server_key[] = "io.modelcontextprotocol/serverInfo";

/* The newest first: it answers a request for an unknown one. */
static const char *const legacy_versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", NULL };

bool mcp_is_legacy_version(const char *version)
{
    size_t i = 0;
    while (legacy_versions[i] && strcmp(legacy_versions[i], version) != 0) {
        i++;
    }
    return legacy_versions[i];
}

json_t *mcp_error(json_t *id, enum mcp_code code, const char *text, json_t *data)
{
    return json_pack("{s:s, s:O, s:{s:i, s:o, s:o*}}", "jsonrpc", "2.0", "id",
                     id ? id : json_null(), "error", "code", (int)code, "message", json_text(text),
                     "data", data);
}

int mcp_error_code(const json_t *answer)
{
    return (int)json_member_number(json_object_get(answer, "error"), "code", 0);
}

json_t *mcp_no_resource(const struct mcp_message *message, const char *uri, const char *text)
{
    return mcp_error(message->id, message->is_modern ? MCP_INVALID_PARAMS : MCP_NO_RESOURCE_LEGACY,
                     text, json_pack("{s:o}", "uri", json_text(uri)));
}

/* Returns NULL, or the answer to a request whose `_meta` is incomplete. */
static json_t *read_era(struct mcp_message *message)
{
    const json_t *meta = json_object_get(message->params, "_meta");
    json_t *version = json_object_get(meta, version_key);
    bool is_initialize = strcmp(message->method, "initialize") == 0;
    bool is_discover = strcmp(message->method, "server/discover") == 0;
    message->is_modern = !is_initialize && (version || is_discover);
    if (!message->is_modern || !message->id) {
        return NULL;
    }
    if (!json_is_string(version)) {
        return mcp_error(message->id, MCP_INVALID_PARAMS,
                         "_meta has no text io.modelcontextprotocol/protocolVersion", NULL);
    }
    if (strcmp(json_string_value(version), MCP_MODERN_VERSION) != 0) {
        return mcp_error(
            message->id, MCP_UNSUPPORTED_VERSION, "unsupported protocol version",
            json_pack("{s:[s], s:O}", "supported", MCP_MODERN_VERSION, "requested", version));
    }
    if (!json_is_object(json_object_get(meta, capabilities_key))) {
        return mcp_error(message->id, MCP_INVALID_PARAMS,
                         "_meta has no object io.modelcontextprotocol/clientCapabilities", NULL);
    }
    return NULL;
}

json_t *mcp_message_read(json_t *root, struct mcp_message *ret_message)
{
    json_t *id = json_object_get(root, "id");
    json_t *method = json_object_get(root, "method");
    json_t *params = json_object_get(root, "params");
    const char *version = json_member_string(root, "jsonrpc");
    bool is_id = json_is_string(id) || json_is_number(id);
    bool is_response =
        !method && (json_object_get(root, "result") || json_object_get(root, "error"));
    *ret_message = (struct mcp_message){ .id = id, .params = params };
    if (!version || strcmp(version, "2.0") != 0 || (id && !is_id && !is_response) ||
        (!json_is_string(method) && !is_response)) {
        return mcp_error(is_id ? id : NULL, MCP_INVALID_REQUEST,
                         "not a message of JSON-RPC 2.0 with a method", NULL);
    }
    if (is_response) {
        return NULL;
    }
    ret_message->method = json_string_value(method);
    if (params && !json_is_object(params)) {
        return mcp_error(id, MCP_INVALID_PARAMS, "params is not an object", NULL);
    }
    return read_era(ret_message);
}

static json_t *server_info(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "browser-runner", "title", "browser-runner",
                     "version", BROWSER_RUNNER_VERSION);
}

json_t *mcp_result(const struct mcp_message *message, json_t *result, int lasts_ms)
{
    if (message->is_modern) {
        json_object_set_new(result, "resultType", json_string("complete"));
        json_object_set_new(result, "_meta", json_pack("{s:o}", server_key, server_info()));
    }
    if (message->is_modern && lasts_ms >= 0) {
        json_object_set_new(result, "ttlMs", json_integer(lasts_ms));
        json_object_set_new(result, "cacheScope", json_string(lasts_ms ? "public" : "private"));
    }
    return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", message->id, "result", result);
}

json_t *mcp_initialize(const struct mcp_message *message, const char *instructions)
{
    const char *asked = json_member_string(message->params, "protocolVersion");
    if (!asked) {
        return mcp_error(message->id, MCP_INVALID_PARAMS, "protocolVersion is missing", NULL);
    }
    return mcp_result(message,
                      json_pack("{s:s, s:{s:{}, s:{}}, s:o, s:s}", "protocolVersion",
                                mcp_is_legacy_version(asked) ? asked : legacy_versions[0],
                                "capabilities", "tools", "resources", "serverInfo", server_info(),
                                "instructions", instructions),
                      -1);
}

json_t *mcp_discover(const struct mcp_message *message, const char *instructions)
{
    return mcp_result(message,
                      json_pack("{s:[s], s:{s:{}, s:{}}, s:s}", "supportedVersions",
                                MCP_MODERN_VERSION, "capabilities", "tools", "resources",
                                "instructions", instructions),
                      LIST_LASTS_MS);
}

const char *const mcp_header_names[] = { [MCP_HEADER_VERSION] = "mcp-protocol-version:",
                                         [MCP_HEADER_METHOD] = "mcp-method:",
                                         [MCP_HEADER_NAME] = "mcp-name:",
                                         NULL };

/* A value that is not ASCII is sent as =?base64?…?=. */
static bool header_is(const char *header, const char *wanted)
{
    static const char begin[] = "=?base64?";
    size_t length = strlen(header);
    if (strncmp(header, begin, sizeof(begin) - 1) != 0 || length < sizeof(begin) + 1 ||
        strcmp(header + length - 2, "?=") != 0) {
        return strcmp(header, wanted) == 0;
    }
    struct br_error ignored;
    unsigned char *bytes = NULL;
    size_t size = 0;
    bool is_equal = base64_decode(header + sizeof(begin) - 1, length - sizeof(begin) - 1, &bytes,
                                  &size, &ignored) &&
                    size == strlen(wanted) && memcmp(bytes, wanted, size) == 0;
    free(bytes);
    return is_equal;
}

static json_t *refuse_header(const struct mcp_message *message, const char *name)
{
    CLEANUP_FREE char *text =
        xasprintf("the header %s is missing or is not that of the body", name);
    return mcp_error(message->id, MCP_HEADER_MISMATCH, text, NULL);
}

json_t *mcp_check_headers(const struct mcp_message *message, const char *const *headers)
{
    const char *version = headers[MCP_HEADER_VERSION];
    if (!message->is_modern) {
        bool is_modern = version && strcmp(version, MCP_MODERN_VERSION) == 0;
        if (!version || mcp_is_legacy_version(version) ||
            strcmp(message->method ? message->method : "", "initialize") == 0) {
            return NULL;
        }
        return is_modern && message->id
                   ? mcp_error(message->id, MCP_INVALID_PARAMS,
                               "_meta has no text io.modelcontextprotocol/protocolVersion", NULL)
               : is_modern
                   ? NULL
                   : mcp_error(message->id, MCP_UNSUPPORTED_VERSION, "unsupported protocol version",
                               json_pack("{s:[s], s:o}", "supported", MCP_MODERN_VERSION,
                                         "requested", json_text(version)));
    }
    const char *named = strcmp(message->method, "tools/call") == 0       ? "name"
                        : strcmp(message->method, "resources/read") == 0 ? "uri"
                                                                         : NULL;
    const char *name = named ? json_member_string(message->params, named) : NULL;
    const char *own = json_member_string(json_object_get(message->params, "_meta"), version_key);
    return !version || !own || strcmp(version, own) != 0
               ? refuse_header(message, "MCP-Protocol-Version")
           : !headers[MCP_HEADER_METHOD] || !header_is(headers[MCP_HEADER_METHOD], message->method)
               ? refuse_header(message, "Mcp-Method")
           : name && (!headers[MCP_HEADER_NAME] || !header_is(headers[MCP_HEADER_NAME], name))
               ? refuse_header(message, "Mcp-Name")
               : NULL;
}
