/* How what a page says becomes log entries. */
#include "runner/observe/console.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void apply(struct console_recorder *recorder, const char *method, const char *params)
{
    struct br_error err = { 0 };
    json_auto_t *root = json_parse(params, strlen(params), "test", &err);
    assert_non_null(root);
    assert_true(console_on_event(recorder, method, root));
}

static void test_console_calls(void **state)
{
    (void)state;
    static const struct {
        const char *params;
        enum br_log_type type;
        const char *message;
    } cases[] = {
        { "{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"a\"},"
          "{\"type\":\"number\",\"value\":1.5},{\"type\":\"boolean\",\"value\":true}]}",
          BR_LOG_INFO, "a 1.5 true" },
        { "{\"type\":\"error\",\"args\":[{\"type\":\"undefined\"}]}", BR_LOG_ERROR, "undefined" },
        { "{\"type\":\"warning\",\"args\":[{\"type\":\"object\",\"subtype\":\"null\","
          "\"value\":null}]}",
          BR_LOG_WARNING, "null" },
        { "{\"type\":\"debug\",\"args\":[{\"type\":\"number\",\"unserializableValue\":\"NaN\","
          "\"description\":\"NaN\"}]}",
          BR_LOG_DEBUG, "NaN" },
        { "{\"type\":\"log\",\"args\":[{\"type\":\"object\",\"description\":\"Object\",\"preview\":"
          "{\"type\":\"object\",\"overflow\":true,\"properties\":[{\"name\":\"a\","
          "\"type\":\"number\",\"value\":\"1\"},{\"name\":\"b\",\"type\":\"object\","
          "\"valuePreview\":{\"type\":\"object\",\"subtype\":\"array\",\"properties\":["
          "{\"name\":\"0\",\"type\":\"number\",\"value\":\"2\"}]}}]}}]}",
          BR_LOG_INFO, "{a: 1, b: [2], …}" },
        { "{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"%d%% of %s%c!\"},"
          "{\"type\":\"number\",\"value\":50},{\"type\":\"string\",\"value\":\"it\"},"
          "{\"type\":\"string\",\"value\":\"color:red\"},{\"type\":\"string\",\"value\":\"rest\"}]"
          "}",
          BR_LOG_INFO, "50% of it! rest" },
        { "{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"100%s\"}]}", BR_LOG_INFO,
          "100%s" },
        { "{\"type\":\"assert\",\"args\":[]}", BR_LOG_ERROR, "" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct log_list logs = { 0 };
        struct console_recorder recorder = { .logs = &logs };
        apply(&recorder, "Runtime.consoleAPICalled", cases[i].params);
        assert_int_equal(logs.count, 1);
        assert_int_equal(logs.items[0].type, cases[i].type);
        assert_int_equal(logs.items[0].source, BR_SOURCE_BROWSER);
        assert_string_equal(logs.items[0].message, cases[i].message);
        assert_string_equal(logs.items[0].category, "console");
        assert_int_equal(recorder.js_errors, 0);
        log_list_finish(&logs);
    }
}

static void test_exception(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    apply(&recorder, "Runtime.exceptionThrown",
          "{\"timestamp\":1700000000000.5,\"exceptionDetails\":{\"text\":\"Uncaught\","
          "\"lineNumber\":4,\"columnNumber\":9,\"url\":\"http://x/a.js\",\"exception\":"
          "{\"type\":\"object\",\"subtype\":\"error\",\"description\":\"TypeError: no\"},"
          "\"stackTrace\":{\"callFrames\":[{\"functionName\":\"f\",\"url\":\"http://x/a.js\","
          "\"lineNumber\":4,\"columnNumber\":9}]}}}");
    assert_int_equal(logs.count, 1);
    assert_int_equal(logs.items[0].type, BR_LOG_ERROR);
    assert_string_equal(logs.items[0].message, "Uncaught TypeError: no");
    assert_string_equal(logs.items[0].category, "javascript");
    assert_string_equal(logs.items[0].location, "http://x/a.js:5:10");
    assert_string_equal(logs.items[0].stack, "at f (http://x/a.js:5:10)");
    assert_true(logs.items[0].timestamp_ms == 1700000000000);
    assert_int_equal(recorder.js_errors, 1);
    log_list_finish(&logs);
}

static void test_log_entry_of_the_network(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    apply(&recorder, "Log.entryAdded",
          "{\"entry\":{\"source\":\"network\",\"level\":\"error\",\"text\":\"404\","
          "\"url\":\"http://x/i.png\"}}");
    assert_int_equal(logs.count, 1);
    assert_string_equal(logs.items[0].category, "network");
    assert_string_equal(logs.items[0].location, "http://x/i.png");
    log_list_finish(&logs);
}

static void test_odd_events_do_no_harm(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    apply(&recorder, "Runtime.consoleAPICalled", "{}");
    apply(&recorder, "Runtime.consoleAPICalled", "{\"type\":5,\"args\":{\"a\":1}}");
    apply(&recorder, "Runtime.exceptionThrown", "{\"exceptionDetails\":[]}");
    apply(&recorder, "Log.entryAdded", "{\"entry\":\"x\"}");
    assert_int_equal(logs.count, 4);
    log_list_finish(&logs);
    json_auto_t *other = json_object();
    assert_false(console_on_event(&recorder, "Page.loadEventFired", other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_console_calls),
        cmocka_unit_test(test_exception),
        cmocka_unit_test(test_log_entry_of_the_network),
        cmocka_unit_test(test_odd_events_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
