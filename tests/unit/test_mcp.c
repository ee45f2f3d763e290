/* Messages of the Model Context Protocol in both generations, and the list of tools. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/mcp/message.h"
#include "runner/servers/mcp/tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define META(version, more)                                                                        \
    "\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" version "\"" more "}}"
#define CAPABILITIES ",\"io.modelcontextprotocol/clientCapabilities\":{}"
#define REQUEST      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\""

static void test_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int code; /* of the error; 0: none */
        bool is_modern, has_id, has_method;
    } cases[] = {
        { REQUEST "}", 0, false, true, true },
        { REQUEST ",\"params\":{}}", 0, false, true, true },
        { REQUEST "," META("2026-07-28", CAPABILITIES) "}", 0, true, true, true },
        { REQUEST "," META("2026-07-28", "") "}", MCP_INVALID_PARAMS, true, true, true },
        { REQUEST "," META("2027-01-01", CAPABILITIES) "}", MCP_UNSUPPORTED_VERSION, true, true,
          true },
        { REQUEST ",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":1}}}",
          MCP_INVALID_PARAMS, true, true, true },
        { REQUEST ",\"params\":[1]}", MCP_INVALID_PARAMS, false, true, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"server/discover\"}", MCP_INVALID_PARAMS,
          true, true, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"," META("2026-07-28", "") "}", 0,
          false, true, true },
        { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 0, false, false, true },
        { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"," META("2026-07-28", "") "}", 0,
          true, false, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 0, false, true, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", 0, false, true, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", MCP_INVALID_REQUEST, false, true,
          false },
        { "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", MCP_INVALID_REQUEST, false, true,
          false },
        { "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", MCP_INVALID_REQUEST, false, true,
          false },
        { "{\"id\":1,\"method\":\"ping\"}", MCP_INVALID_REQUEST, false, true, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":1}", MCP_INVALID_REQUEST, false, true, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", MCP_INVALID_REQUEST, false, true, false },
        { "[]", MCP_INVALID_REQUEST, false, false, false },
        { "5", MCP_INVALID_REQUEST, false, false, false },
        { "null", MCP_INVALID_REQUEST, false, false, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct mcp_message message;
        json_auto_t *root = json_loads(cases[i].text, JSON_DECODE_ANY, NULL);
        json_auto_t *error = mcp_message_read(root, &message);
        if (mcp_error_code(error) != cases[i].code || message.is_modern != cases[i].is_modern ||
            (message.id != NULL) != cases[i].has_id ||
            (message.method != NULL) != cases[i].has_method) {
            fail_msg("%s: %d", cases[i].text, mcp_error_code(error));
        }
    }
}

static void test_unsupported_version_says_which(void **state)
{
    (void)state;
    struct mcp_message message;
    json_auto_t *root =
        json_loads(REQUEST "," META("2027-01-01", CAPABILITIES) "}", JSON_DECODE_ANY, NULL);
    json_auto_t *error = mcp_message_read(root, &message);
    json_auto_t *wanted =
        json_loads("{\"supported\":[\"2026-07-28\"],\"requested\":\"2027-01-01\"}", 0, NULL);
    assert_true(json_equal(json_object_get(json_object_get(error, "error"), "data"), wanted));
    assert_int_equal(json_integer_value(json_object_get(error, "id")), 7);
}

static void test_initialize(void **state)
{
    (void)state;
    static const char *const versions[][2] = {
        { "2025-11-25", "2025-11-25" }, { "2025-06-18", "2025-06-18" },
        { "2025-03-26", "2025-03-26" }, { "2024-11-05", "2025-11-25" },
        { "2026-07-28", "2025-11-25" }, { "", "2025-11-25" },
    };
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        json_auto_t *params = json_pack("{s:s}", "protocolVersion", versions[i][0]);
        json_auto_t *id = json_integer(1);
        const struct mcp_message message = { .id = id, .params = params };
        json_auto_t *answer = mcp_initialize(&message, "text");
        const json_t *result = json_object_get(answer, "result");
        assert_string_equal(json_member_string(result, "protocolVersion"), versions[i][1]);
        assert_string_equal(json_member_string(result, "instructions"), "text");
        assert_null(json_object_get(result, "resultType"));
    }
}

static void test_results_of_generations(void **state)
{
    (void)state;
    json_auto_t *id = json_string("x");
    const struct mcp_message legacy = { .id = id };
    const struct mcp_message modern = { .id = id, .is_modern = true };
    json_auto_t *old = mcp_result(&legacy, json_object(), 5);
    json_auto_t *plain = mcp_result(&modern, json_object(), -1);
    json_auto_t *lasting = mcp_result(&modern, json_object(), 5);
    assert_int_equal(json_object_size(json_object_get(old, "result")), 0);
    const json_t *result = json_object_get(plain, "result");
    assert_string_equal(json_member_string(result, "resultType"), "complete");
    assert_non_null(
        json_object_get(json_object_get(result, "_meta"), "io.modelcontextprotocol/serverInfo"));
    assert_null(json_object_get(result, "ttlMs"));
    result = json_object_get(lasting, "result");
    assert_int_equal(json_integer_value(json_object_get(result, "ttlMs")), 5);
    assert_string_equal(json_member_string(result, "cacheScope"), "public");
}

static void test_headers(void **state)
{
    (void)state;
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
        "call\",\"params\":{\"name\":\"caf\u00e9\","
        "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    static const char legacy[] = REQUEST "}";
    static const char first[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}";
    static const struct {
        const char *text;
        const char *headers[3]; /* version, method, name */
        int code;
    } cases[] = {
        { call, { "2026-07-28", "tools/call", "=?base64?Y2Fmw6k=?=" }, 0 },
        { call, { "2026-07-28", "tools/call", "caf\u00e9" }, 0 },
        { call, { "2026-07-28", "tools/call", "cafe" }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", "tools/call", "=?base64?Y2Fm?=" }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", "tools/call", "=?base64?*?=" }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", "tools/call", "=?base64?=" }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", "tools/call", NULL }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", "tools/list", "caf\u00e9" }, MCP_HEADER_MISMATCH },
        { call, { "2026-07-28", NULL, "caf\u00e9" }, MCP_HEADER_MISMATCH },
        { call, { "2025-11-25", "tools/call", "caf\u00e9" }, MCP_HEADER_MISMATCH },
        { call, { NULL, "tools/call", "caf\u00e9" }, MCP_HEADER_MISMATCH },
        { legacy, { NULL, NULL, NULL }, 0 },
        { legacy, { "2025-06-18", NULL, NULL }, 0 },
        { legacy, { "2026-07-28", NULL, NULL }, MCP_INVALID_PARAMS },
        { legacy, { "2019-01-01", NULL, NULL }, MCP_UNSUPPORTED_VERSION },
        { first, { "2019-01-01", NULL, NULL }, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct mcp_message message;
        json_auto_t *root = json_loads(cases[i].text, 0, NULL);
        assert_null(mcp_message_read(root, &message));
        json_auto_t *error = mcp_check_headers(&message, cases[i].headers);
        if (mcp_error_code(error) != cases[i].code) {
            fail_msg("case %zu: %d", i, mcp_error_code(error));
        }
    }
}

/* The limits that clients have: see docs/mcp.md. */
static void test_size_of_tools(void **state)
{
    (void)state;
    size_t index;
    json_t *tool;
    json_auto_t *tools = mcp_tools();
    CLEANUP_FREE char *text = json_dumps(tools, JSON_COMPACT);
    assert_in_range(strlen(text), 1000, 8000);
    assert_in_range(strlen(mcp_instructions), 500, 2000);
    assert_int_equal(json_array_size(tools), 11);
    json_array_foreach (tools, index, tool) {
        const json_t *schema = json_object_get(tool, "inputSchema");
        const json_t *properties = json_object_get(schema, "properties");
        const char *nearest = NULL;
        size_t item;
        json_t *needed;
        const char *name = json_member_string(tool, "name");
        assert_int_equal(strncmp(name, "browser_", 8), 0);
        assert_non_null(mcp_tool_find(name, &nearest));
        assert_string_equal(json_member_string(schema, "type"), "object");
        json_array_foreach (json_object_get(schema, "required"), item, needed) {
            assert_non_null(json_object_get(properties, json_string_value(needed)));
        }
    }
}

static void test_unknown_tool(void **state)
{
    (void)state;
    const char *nearest = NULL;
    assert_null(mcp_tool_find("browser_clos", &nearest));
    assert_string_equal(nearest, "browser_close");
    assert_null(mcp_tool_find("telephone", &nearest));
    assert_null(nearest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),          cmocka_unit_test(test_unsupported_version_says_which),
        cmocka_unit_test(test_initialize),    cmocka_unit_test(test_results_of_generations),
        cmocka_unit_test(test_size_of_tools), cmocka_unit_test(test_headers),
        cmocka_unit_test(test_unknown_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
