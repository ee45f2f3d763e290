#include "runner/servers/mcp/tool.h"

#include "imaging/base64.h"
#include "runner/actions/actions.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/formats/har.h"

#include <string.h>

enum { READ_TOKENS = 20000, READ_CHARACTERS = 80000, ENTRIES = 1000 };

static const char scheme[] = "browser://";
static const char own[] = "own"; /* the session of the connection */

static void run_text(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments)
{
    call->max_length = READ_CHARACTERS;
    json_object_set_new(arguments, "type", json_string(tool->action->name));
    json_object_set_new(arguments, tool->params,
                        json_integer(tool->action == &action_logs ? ENTRIES : READ_TOKENS));
    mcp_tool_action(call, arguments, true);
}

static bool no_file(struct mcp_call *call, const char *what, const char *tool)
{
    struct br_error err;
    error_set(&err, BR_INVALID_ACTION, "there is no %s yet", what);
    error_hint(&err, "%s makes one", tool);
    return mcp_add_error(call, &err);
}

static void run_picture(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments)
{
    (void)tool;
    (void)arguments;
    struct br_error err;
    size_t size = 0;
    CLEANUP_FREE char *path = mcp_files_last(call->files, call->session);
    if (!path) {
        no_file(call, "picture of this session", "browser_screenshot");
        return;
    }
    CLEANUP_FREE char *bytes = file_read(path, MCP_PICTURES / 4 * 3, &size, &err);
    if (!bytes) {
        mcp_add_error(call, &err);
        return;
    }
    CLEANUP_FREE char *text = xmalloc(base64_encoded_size(size) + 1);
    CLEANUP_FREE char *media = xasprintf("image/%s", strrchr(path, '.') + 1);
    base64_encode((const unsigned char *)bytes, size, text);
    json_array_append_new(call->blocks, json_pack("{s:o, s:o}", "blob",
                                                  json_stringn(text, base64_encoded_size(size)),
                                                  "mimeType", json_text(media)));
}

static void run_archive(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments)
{
    struct br_error err;
    json_object_set_new(arguments, "type", json_string(tool->action->name));
    json_object_set_new(arguments, "limit", json_integer(ENTRIES));
    json_auto_t *response = mcp_ask(call, arguments, &err);
    json_t *requests = json_object_get(json_object_get(response, "result"), "requests");
    if (!requests) {
        if (response) {
            mcp_add_response(call, arguments, response, true);
        } else {
            mcp_add_error(call, &err);
        }
        return;
    }
    json_auto_t *archive = har_of_requests(requests);
    CLEANUP_FREE char *text = json_dumps(archive, JSON_COMPACT);
    size_t length = strlen(text);
    if (length > MCP_PICTURES) {
        CLEANUP_FREE char *path = mcp_files_add(call->files, NULL, "har", text, length, &err);
        error_set(&err, BR_LIMIT_EXCEEDED, "the archive of %zu bytes is too long for an answer",
                  length);
        error_hint(&err, "read the file %s", path ? path : "that --har of run writes");
        mcp_add_error(call, &err);
        return;
    }
    call->max_length = MCP_PICTURES;
    call->media = "application/json";
    strbuf_add(&call->text, text, length);
}

static void run_report(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments)
{
    (void)tool;
    (void)arguments;
    struct br_error err;
    size_t size = 0;
    CLEANUP_FREE char *path = mcp_files_last(call->files, MCP_REPORT);
    CLEANUP_FREE char *text = path ? file_read(path, MCP_PICTURES, &size, &err) : NULL;
    if (text) {
        call->max_length = READ_CHARACTERS;
        strbuf_add(&call->text, text, size);
    } else if (path) {
        mcp_add_error(call, &err);
    } else {
        no_file(call, "report", "browser_check");
    }
}

static const struct mcp_tool resources[] = {
    { .name = "picture",
      .use = MCP_USES,
      .text = "The last picture that was taken",
      .run = run_picture },
    { .name = "snapshot",
      .use = MCP_USES,
      .action = &action_snapshot,
      .params = "maxTokens",
      .text = "The page as text with ids",
      .run = run_text },
    { .name = "log",
      .use = MCP_USES,
      .action = &action_logs,
      .params = "limit",
      .text = "Console messages, exceptions and dialogs",
      .run = run_text },
    { .name = "har",
      .use = MCP_USES,
      .action = &action_network,
      .text = "The newest requests as an HTTP Archive, without headers",
      .run = run_archive },
    { .name = "report",
      .use = MCP_NONE,
      .text = "The report of the last browser_check",
      .run = run_report },
};
enum { RESOURCES = sizeof(resources) / sizeof(resources[0]) };

const struct mcp_tool *mcp_resource_find(const char *uri, char **ret_session)
{
    size_t begin = sizeof(scheme) - 1;
    *ret_session = NULL;
    const char *slash = strncmp(uri, scheme, begin) == 0 ? strchr(uri + begin, '/') : NULL;
    for (size_t i = 0; slash && slash > uri + begin && i < RESOURCES; i++) {
        if (strcmp(resources[i].name, slash + 1) == 0) {
            char *session = xstrndup(uri + begin, (size_t)(slash - uri) - begin);
            bool is_own = strcmp(session, own) == 0;
            *ret_session = is_own ? NULL : session;
            if (is_own) {
                free(session);
            }
            return &resources[i];
        }
    }
    return NULL;
}

static json_t *list(const char *key, const char *session, const char *list_name)
{
    json_t *items = json_array();
    for (size_t i = 0; i < RESOURCES; i++) {
        const struct mcp_tool *resource = &resources[i];
        CLEANUP_FREE char *uri = xasprintf("%s%s/%s", scheme, session, resource->name);
        json_t *item = json_pack("{s:o, s:s, s:s}", key, json_text(uri), "name", resource->name,
                                 "description", resource->text);
        json_array_append_new(items, item);
    }
    return json_pack("{s:o}", list_name, items);
}

json_t *mcp_resource_list(void)
{
    return list("uri", own, "resources");
}

json_t *mcp_resource_templates(void)
{
    return list("uriTemplate", "{session}", "resourceTemplates");
}
