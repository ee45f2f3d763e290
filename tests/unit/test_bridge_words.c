/* The words after `bridge URL`, and the address that they are sent to. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/bridge_text.h"
#include "runner/cli/bridge_words.h"
#include "runner/servers/clients/bridge_agent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_WORDS = 8 };

static json_t *read_words(const char *const *words, struct br_error *err)
{
    char *copies[MAX_WORDS];
    size_t count = 0;
    for (; words[count]; count++) {
        copies[count] = (char *)words[count];
    }
    return bridge_words_read(count, copies, err);
}

static void test_words_when_they_are_fine_become_a_command(void **state)
{
    (void)state;
    static const struct {
        const char *words[MAX_WORDS], *command;
    } cases[] = {
        { { "click", "stableId=login-button" },
          "{\"type\":\"click\",\"target\":{\"stableId\":\"login-button\"}}" },
        { { "click", "text=Sign in", "role=button", "clickCount=2", "modifiers=[\"shift\"]" },
          "{\"type\":\"click\",\"target\":{\"text\":\"Sign in\",\"role\":\"button\"},\"options\":"
          "{\"clickCount\":2,\"modifiers\":[\"shift\"]}}" },
        { { "click", "stableId=12", "position.x=3", "position.y=4.5" },
          "{\"type\":\"click\",\"target\":{\"stableId\":\"12\"},\"options\":{\"position\":{\"x\":3,"
          "\"y\":4.5}}}" },
        { { "type", "selector=#a=b", "text=007", "pressEnter=true" },
          "{\"type\":\"type\",\"target\":{\"selector\":\"#a=b\"},\"text\":\"007\",\"options\":"
          "{\"pressEnter\":true}}" },
        { { "type", "target.text=Name", "text=" },
          "{\"type\":\"type\",\"target\":{\"text\":\"Name\"},\"text\":\"\"}" },
        { { "navigate", "url=/dashboard", "waitUntil=load" },
          "{\"type\":\"navigate\",\"url\":\"/dashboard\",\"options\":{\"waitUntil\":\"load\"}}" },
        { { "evaluate", "code=1+1" }, "{\"type\":\"evaluate\",\"code\":\"1+1\"}" },
        { { "evaluate", "code=42" }, "{\"type\":\"evaluate\",\"code\":\"42\"}" },
        { { "scroll", "y=-200" }, "{\"type\":\"scroll\",\"options\":{\"y\":-200},\"y\":-200}" },
        { { "select", "stableId=size", "value=42" },
          "{\"type\":\"select\",\"target\":{\"stableId\":\"size\"},\"options\":{\"value\":\"42\"},"
          "\"value\":\"42\"}" },
        { { "select", "target={\"stableId\":\"size\"}", "index=2" },
          "{\"type\":\"select\",\"target\":{\"stableId\":\"size\"},\"options\":{\"index\":2},"
          "\"index\":2}" },
        { { "request_ui_tree" }, "{\"type\":\"request_ui_tree\"}" },
        { { "request_ui_tree", "filter.roles=[\"button\"]", "requestId=7", "appId=a" },
          "{\"type\":\"request_ui_tree\",\"options\":{\"filter\":{\"roles\":[\"button\"]}},"
          "\"requestId\":\"7\",\"appId\":\"a\"}" },
        { { "request_screenshot", "selector=main", "quality=50" },
          "{\"type\":\"request_screenshot\",\"options\":{\"selector\":\"main\",\"quality\":50}}" },
        { { "request_state", "scope=cart" }, "{\"type\":\"request_state\",\"scope\":\"cart\"}" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        json_auto_t *expected = json_loads(cases[i].command, 0, NULL);
        json_auto_t *command = read_words(cases[i].words, &err);
        CLEANUP_FREE char *text = command ? json_dumps(command, JSON_COMPACT) : NULL;
        if (!expected || !json_equal(command, expected)) {
            fail_msg("%s: %s instead of %s; %s", cases[i].words[0], text ? text : "nothing",
                     cases[i].command, err.message);
        }
    }
}

static void test_words_when_they_are_wrong_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words[MAX_WORDS], *message, *hint;
    } cases[] = {
        { { "clik" }, "debug-bridge has no command \"clik\"", "click" },
        { { "click" }, "click needs an element", "stableId=" },
        { { "click", "target={}" }, "click needs an element", "" },
        { { "type", "text=a" }, "type needs an element", "target.text=" },
        { { "type", "stableId=a" }, "type needs text=", "" },
        { { "navigate", "/dashboard" }, "\"/dashboard\" is not a field", "NAME=VALUE" },
        { { "navigate", "=x" }, "is not a field", "" },
        { { "navigate" }, "navigate needs url=", "" },
        { { "navigate", "url=/a", "target.text=b" }, "navigate has no target", "" },
        { { "scroll" }, "scroll needs x=… or y=…", "" },
        { { "select", "stableId=a" }, "select needs value=…, label=… or index=…", "" },
        { { "hover", "stableId=a", "stableId=b" }, "is set twice", "" },
        { { "hover", "stableId=a", "options=3" }, "options must be a JSON object", "" },
        { { "hover", "stableId=a", "position=3", "position.x=1" }, "cannot be set", "" },
        { { "hover", "stableId=a", "a..b=1" }, "cannot be set", "" },
        { { "hover", "stableId=\xFF" }, "is not UTF-8", "" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        json_auto_t *command = read_words(cases[i].words, &err);
        if (command || err.code != BR_INVALID_ACTION || !strstr(err.message, cases[i].message) ||
            !strstr(err.hint, cases[i].hint)) {
            fail_msg("case %zu, %s: \"%s\" (%s)", i, cases[i].words[0], err.message, err.hint);
        }
    }
}

static void test_complete_when_fields_are_there_keeps_them(void **state)
{
    (void)state;
    json_auto_t *bare = json_pack("{s:s}", "type", "focus");
    bridge_command_complete(bare, "dev", "app-1", "cli", 3);
    assert_int_equal(json_member_number(bare, "protocolVersion", 0), 1);
    assert_string_equal(json_member_string(bare, "sessionId"), "dev");
    assert_string_equal(json_member_string(bare, "origin"), "agent");
    assert_string_equal(json_member_string(bare, "requestId"), "cli-3");
    assert_string_equal(json_member_string(bare, "appId"), "app-1");
    assert_true(json_member_number(bare, "timestamp", 0) > 1.6e12);
    json_auto_t *full =
        json_pack("{s:s, s:s, s:s}", "type", "focus", "requestId", "mine", "appId", "other");
    bridge_command_complete(full, "dev", NULL, "cli", 4);
    assert_string_equal(json_member_string(full, "requestId"), "mine");
    assert_string_equal(json_member_string(full, "appId"), "other");
}

static void test_agent_url_when_parts_are_missing_adds_them(void **state)
{
    (void)state;
    static const struct {
        const char *url, *session, *token, *full;
    } cases[] = {
        { "ws://localhost:4000", "dev", NULL,
          "ws://localhost:4000/debug?role=agent&sessionId=dev" },
        { "ws://localhost:4000/", "a b&c=%", "s=/&",
          "ws://localhost:4000/debug?role=agent&sessionId=a%20b%26c=%25&token=s=%2F%26" },
        { "wss://[::1]:1/other?x=1", "dev", "token=t",
          "wss://[::1]:1/other?x=1&role=agent&sessionId=dev&token=token=t" },
        { "ws://h:2/debug?role=app&sessionId=z&token=q", NULL, "t",
          "ws://h:2/debug?role=app&sessionId=z&token=q" },
        { "ws://h:2/debug?sessionId=a%20b", "a b", NULL,
          "ws://h:2/debug?sessionId=a%20b&role=agent" },
        { "ws://h:2/debug?sessionId=z", "dev", NULL, NULL },
        { "ws://h:2?x=role=", "dev", NULL, "ws://h:2/debug?x=role=&role=agent&sessionId=dev" },
        { "http://h:2", "dev", NULL, NULL },
        { "h:2", "dev", NULL, NULL },
        { "ws://h:2", NULL, NULL, NULL },
        { "ws://h:2", "", NULL, NULL },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        CLEANUP_FREE char *url = agent_url(cases[i].url, cases[i].session, cases[i].token, &err);
        if (cases[i].full) {
            assert_non_null(url);
            assert_string_equal(url, cases[i].full);
        } else {
            assert_null(url);
            assert_int_equal(err.code, BR_INVALID_ACTION);
        }
    }
}

static void test_telemetry_when_it_is_printed_is_a_harmless_line(void **state)
{
    (void)state;
    static const struct {
        const char *message, *line;
    } cases[] = {
        { "{\"type\":\"console\",\"appId\":\"a\",\"level\":\"warn\",\"args\":[\"x\\u001b[2J\","
          "\"y\"]}",
          " a console warn: x\\u{1b}[2J y\n" },
        { "{\"type\":\"error\",\"message\":\"m\\nn\",\"filename\":\"f.js\",\"lineno\":3}",
          " error: m\\nn (f.js:3)\n" },
        { "{\"type\":\"ui_tree\",\"items\":[{},{}]}", " ui_tree 2 items\n" },
        { "{\"type\":\"command_result\",\"requestType\":\"click\",\"success\":false,\"error\":"
          "{\"code\":\"TIMEOUT\",\"message\":\"late\"}}",
          " command_result click: failed: TIMEOUT: late\n" },
        { "{\"type\":\"navigation\",\"to\":\"/\"}",
          " navigation {\"type\":\"navigation\",\"to\":\"/\"}\n" },
        { "{}", " {}\n" },
        { "{\"type\":5,\"appId\":[]}", " {\"type\":5,\"appId\":[]}\n" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        json_auto_t *message = json_loads(cases[i].message, 0, NULL);
        assert_non_null(message);
        bridge_text_add_telemetry(&text, message);
        /* The time comes first. */
        assert_string_equal(text.data + strlen("00:00:00"), cases[i].line);
        strbuf_finish(&text);
    }
}

static void test_telemetry_when_it_is_long_is_cut_at_a_character(void **state)
{
    (void)state;
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct strbuf words = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < 1000; i++) {
        strbuf_add_string(&words, "x€");
    }
    json_auto_t *message =
        json_pack("{s:s, s:s, s:[s]}", "type", "console", "level", "log", "args", words.data);
    bridge_text_add_telemetry(&text, message);
    assert_true(text.length < 400);
    assert_non_null(strstr(text.data, "x€…\n"));
    strbuf_finish(&words);
    strbuf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_when_they_are_fine_become_a_command),
        cmocka_unit_test(test_words_when_they_are_wrong_are_refused),
        cmocka_unit_test(test_complete_when_fields_are_there_keeps_them),
        cmocka_unit_test(test_agent_url_when_parts_are_missing_adds_them),
        cmocka_unit_test(test_telemetry_when_it_is_printed_is_a_harmless_line),
        cmocka_unit_test(test_telemetry_when_it_is_long_is_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
