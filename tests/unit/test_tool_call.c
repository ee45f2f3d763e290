#include "runner/formats/tool_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, JSON_ALLOW_NUL, NULL);
    assert_non_null(value);
    return value;
}

static void test_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum action_call kind;
        const char *id; /* NULL: none */
        const char *params;
    } cases[] = {
        { "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"click\","
          "\"input\":{\"selector\":\"#go\"}}",
          CALL_ANTHROPIC, "toolu_1", "{\"selector\":\"#go\"}" },
        { "{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"click\","
          "\"arguments\":\"{\\\"selector\\\":\\\"#go\\\"}\"}}",
          CALL_CHAT, "call_1", "{\"selector\":\"#go\"}" },
        { "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_2\",\"name\":\"click\","
          "\"arguments\":\"\",\"status\":\"completed\"}",
          CALL_RESPONSES, "call_2", "{}" },
        { "{\"functionCall\":{\"name\":\"click\",\"args\":{\"x\":1}}}", CALL_GEMINI, NULL,
          "{\"x\":1}" },
        { "{\"type\":\"tool_use\",\"id\":\"one\",\"name\":\"browser_action\","
          "\"input\":{\"action\":\"click\",\"selector\":\"#go\"}}",
          CALL_ANTHROPIC, "one", "{\"selector\":\"#go\"}" },
        { "{\"functionCall\":{\"id\":\"two\",\"name\":\"browser_action\","
          "\"args\":{\"type\":\"click\",\"x\":1}}}",
          CALL_GEMINI, "two", "{\"x\":1}" },
        { "{\"functionCall\":{\"id\":\"g\",\"name\":\"click\"},\"thoughtSignature\":\"s\"}",
          CALL_GEMINI, "g", "{}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        json_auto_t *object = parse(cases[i].text);
        json_auto_t *params = parse(cases[i].params);
        CLEANUP_ACTION struct br_action *action = action_create("", (struct source_position){ 0 });
        assert_int_equal(tool_call_kind(object), cases[i].kind);
        assert_true(tool_call_read(object, action, &err));
        assert_int_equal(action->call, cases[i].kind);
        assert_string_equal(action->type, "click");
        assert_string_equal(action->call_name ? action->call_name : "browser_action",
                            "browser_action");
        assert_int_equal(action->call_name != NULL,
                         strstr(cases[i].text, "browser_action") != NULL);
        assert_string_equal(action->call_id ? action->call_id : "none",
                            cases[i].id ? cases[i].id : "none");
        assert_true(json_equal(action->params, params));
    }
}

static void test_read_when_it_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "{\"type\":\"tool_use\",\"id\":\"i\",\"input\":{}}", "a tool call has no name" },
        { "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"click\\u0000s\"}",
          "a tool call has no name" },
        { "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"click\",\"input\":[]}",
          "\"input\" is not an object" },
        { "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"browser_action\",\"input\":{\"x\":1}}",
          "a call of browser_action has no action" },
        { "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"browser_action\","
          "\"input\":{\"action\":\"\"}}",
          "a call of browser_action has no action" },
        { "{\"type\":\"function\",\"id\":\"i\"}", "a tool call has no name" },
        { "{\"type\":\"function_call\",\"call_id\":\"i\",\"name\":\"click\",\"arguments\":\"5\"}",
          "\"arguments\" is not an object" },
        { "{\"type\":\"function_call\",\"call_id\":\"i\",\"name\":\"click\",\"arguments\":\"{x\"}",
          "\"arguments\": it is not JSON" },
        { "{\"functionCall\":{\"id\":\"i\",\"name\":\"click\",\"args\":\"{}\"}}",
          "\"args\" is not an object" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        json_auto_t *object = parse(cases[i].text);
        CLEANUP_ACTION struct br_action *action = action_create("", (struct source_position){ 0 });
        assert_false(tool_call_read(object, action, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_memory_equal(err.message, cases[i].message, strlen(cases[i].message));
        assert_true(*err.hint);
        /* Errors need a reply, too. */
        assert_string_equal(action->call_id, "i");
    }
}

static void test_kind_when_it_is_no_call(void **state)
{
    (void)state;
    static const char *const texts[] = { "{\"type\":\"click\"}", "{}", "{\"type\":5}",
                                         "{\"type\":\"click\",\"functionCall\":{}}" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        json_auto_t *object = parse(texts[i]);
        assert_int_equal(tool_call_kind(object), CALL_NONE);
    }
}

#define TEXT      "{\"type\":\"text\",\"text\":\"T\"}"
#define IMAGE     "{\"type\":\"image\",\"source\":{\"type\":\"base64\"}}"
#define IMAGE_URL "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:U\"}}"

static void test_answer(void **state)
{
    (void)state;
    static const struct {
        enum action_call kind;
        const char *id;
        bool has_failed;
        enum message_form form;
        const char *message, *expected;
    } cases[] = {
        { CALL_ANTHROPIC, "i", false, MESSAGE_ANTHROPIC,
          "{\"role\":\"user\",\"content\":[" TEXT "," IMAGE "]}",
          "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"i\","
          "\"content\":[" TEXT "," IMAGE "]}]}]" },
        { CALL_ANTHROPIC, "i", true, MESSAGE_ANTHROPIC,
          "{\"role\":\"user\",\"content\":[" TEXT "]}",
          "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"i\","
          "\"is_error\":true,\"content\":[" TEXT "]}]}]" },
        { CALL_CHAT, "i", true, MESSAGE_OPENAI,
          "{\"role\":\"user\",\"content\":[" TEXT "," IMAGE_URL "]}",
          "[{\"role\":\"tool\",\"tool_call_id\":\"i\",\"content\":[" TEXT "]},"
          "{\"role\":\"user\",\"content\":[" IMAGE_URL "]}]" },
        { CALL_CHAT, "i", false, MESSAGE_OPENAI_TEXT, "{\"role\":\"user\",\"content\":\"T\"}",
          "[{\"role\":\"tool\",\"tool_call_id\":\"i\",\"content\":\"T\"}]" },
        { CALL_RESPONSES, "i", false, MESSAGE_OPENAI,
          "{\"role\":\"user\",\"content\":[" TEXT "," IMAGE_URL "]}",
          "[{\"type\":\"function_call_output\",\"call_id\":\"i\",\"output\":["
          "{\"type\":\"input_text\",\"text\":\"T\"},"
          "{\"type\":\"input_image\",\"image_url\":\"data:U\"}]}]" },
        { CALL_GEMINI, NULL, false, MESSAGE_GEMINI,
          "{\"role\":\"user\",\"parts\":[{\"text\":\"T\"},{\"inlineData\":{\"data\":\"U\"}}]}",
          "[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"click\",\"response\":{"
          "\"output\":\"T\"}}},{\"inlineData\":{\"data\":\"U\"}}]}]" },
        { CALL_GEMINI, "i", true, MESSAGE_GEMINI,
          "{\"role\":\"user\",\"parts\":[{\"text\":\"T\"}]}",
          "[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\"i\",\"name\":\"click\","
          "\"response\":{\"error\":\"T\"}}}]}]" },
        /* There is no id to match it by. */
        { CALL_ANTHROPIC, NULL, false, MESSAGE_ANTHROPIC,
          "{\"role\":\"user\",\"content\":[" TEXT "]}",
          "[{\"role\":\"user\",\"content\":[" TEXT "]}]" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tool_call call = { cases[i].kind, cases[i].id, "click", cases[i].has_failed };
        json_auto_t *message = parse(cases[i].message);
        json_auto_t *expected = parse(cases[i].expected);
        json_auto_t *answer = tool_call_answer(&call, cases[i].form, message);
        if (!json_equal(answer, expected)) {
            fail_msg("case %zu: %s", i, json_dumps(answer, 0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_when_it_is_wrong),
        cmocka_unit_test(test_kind_when_it_is_no_call),
        cmocka_unit_test(test_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
