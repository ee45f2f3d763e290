/* Feeds any bytes as a message of an MCP client: reads it, and answers it in its generation. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/mcp/message.h"
#include "runner/servers/mcp/tool.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_answer(const json_t *answer, const json_t *id)
{
    CLEANUP_FREE char *text = json_dumps(answer, JSON_COMPACT);
    assert(text && !strchr(text, '\n'));
    assert(json_object_size(answer) == 3);
    assert(!json_object_get(answer, "error") == (mcp_error_code(answer) == 0));
    assert(!id || json_equal(json_object_get(answer, "id"), id));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err;
    struct mcp_message message;
    json_auto_t *root = json_parse((const char *)bytes, size, "the message", &err);
    if (!root) {
        return 0;
    }
    json_auto_t *error = mcp_message_read(root, &message);
    if (error) {
        check_answer(error, NULL);
        return 0;
    }
    if (message.method && message.id) {
        const char *nearest = NULL;
        const char *name = json_member_string(message.params, "name");
        json_auto_t *initialized = mcp_initialize(&message, mcp_instructions);
        json_auto_t *discovered = mcp_discover(&message, mcp_instructions);
        check_answer(initialized, message.id);
        check_answer(discovered, message.id);
        const char *uri = json_member_string(message.params, "uri");
        CLEANUP_FREE char *session = NULL;
        if (uri) {
            mcp_resource_find(uri, &session);
        }
        assert(!name || !mcp_tool_find(name, &nearest) || !nearest);
    }
    return 0;
}
