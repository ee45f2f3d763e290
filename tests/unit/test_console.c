/* Log entries from the page's events. */
#include "runner/base/log.h"
#include "runner/observe/console.h"
#include "runner/observe/console_typed.h"

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

/* Returns the bytes of all entries except the last, as a list counts them. */
static size_t texts_of(const struct log_list *logs)
{
    size_t bytes = 0;
    for (size_t i = 0; i + 1 < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        bytes += strlen(log->message) + (log->location ? strlen(log->location) : 0) +
                 (log->stack ? strlen(log->stack) : 0);
    }
    return bytes;
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
        { "{\"type\":\"assert\",\"args\":[]}", BR_LOG_ERROR, "Assertion failed" },
        { "{\"type\":\"assert\",\"args\":[{\"type\":\"string\",\"value\":\"console.assert\"}]}",
          BR_LOG_ERROR, "Assertion failed" },
        { "{\"type\":\"assert\",\"args\":[{\"type\":\"string\",\"value\":\"%s is\"},"
          "{\"type\":\"string\",\"value\":\"it\"}]}",
          BR_LOG_ERROR, "Assertion failed: it is" },
        { "{\"type\":\"log\",\"args\":[{\"type\":\"object\",\"subtype\":\"array\","
          "\"description\":\"Array(6)\",\"preview\":{\"type\":\"object\",\"subtype\":\"array\","
          "\"description\":\"Array(6)\",\"overflow\":false,\"properties\":["
          "{\"name\":\"1\",\"type\":\"number\",\"value\":\"7\"},"
          "{\"name\":\"3\",\"type\":\"number\",\"value\":\"8\"},"
          "{\"name\":\"own\",\"type\":\"number\",\"value\":\"9\"}]}}]}",
          BR_LOG_INFO, "[empty, 7, empty, 8, empty × 2]" },
        { "{\"type\":\"error\",\"args\":[{\"type\":\"object\",\"subtype\":\"error\","
          "\"description\":\"Error: no\",\"preview\":{\"type\":\"object\",\"properties\":["
          "{\"name\":\"cause\",\"type\":\"string\",\"value\":\"why\"}]}}]}",
          BR_LOG_ERROR, "Error: no\n  caused by why" },
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

static void test_issues_that_the_log_has_told(void **state)
{
    (void)state;
    static const char issue[] =
        "{\"issue\":{\"code\":\"ContentSecurityPolicyIssue\",\"details\":{"
        "\"contentSecurityPolicyIssueDetails\":{\"blockedURL\":\"http://x/a.png\","
        "\"violatedDirective\":\"img-src\",\"isReportOnly\":false,"
        "\"contentSecurityPolicyViolationType\":\"kURLViolation\"}}}}";
    static const char entry[] =
        "{\"entry\":{\"source\":\"security\",\"level\":\"error\",\"text\":\"Loading the image "
        "'http://x/a.png' violates the following Content Security Policy directive\"}}";
    for (int is_told = 0; is_told < 2; is_told++) {
        struct log_list logs = { 0 };
        struct console_recorder recorder = { .logs = &logs };
        apply(&recorder, "Audits.issueAdded", issue);
        assert_string_equal(logs.items[0].message,
                            "Content Security Policy: img-src blocks http://x/a.png");
        assert_string_equal(logs.items[0].kind, "csp");
        if (is_told) {
            apply(&recorder, "Log.entryAdded", entry);
        }
        console_drop_twins(&logs);
        assert_int_equal(logs.count, 1);
        assert_int_equal(!logs.items[0].kind, is_told);
        log_list_finish(&logs);
    }
}

static void test_kinds_and_noise(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    apply(&recorder, "Runtime.exceptionThrown",
          "{\"exceptionDetails\":{\"text\":\"Uncaught (in promise)\",\"exception\":{\"type\":"
          "\"string\",\"value\":\"no\"}}}");
    apply(&recorder, "Runtime.exceptionThrown", "{\"exceptionDetails\":{\"text\":\"Uncaught\"}}");
    apply(&recorder, "Runtime.consoleAPICalled",
          "{\"type\":\"warning\",\"args\":[{\"type\":\"string\",\"value\":"
          "\"Deprecated API for given entry type.\"}]}");
    apply(&recorder, "Log.entryAdded",
          "{\"entry\":{\"source\":\"worker\",\"level\":\"info\",\"text\":\"from afar\"}}");
    assert_int_equal(logs.count, 3);
    assert_string_equal(logs.items[0].kind, "rejection");
    assert_string_equal(logs.items[0].message, "Uncaught (in promise) no");
    assert_string_equal(logs.items[1].kind, "exception");
    console_drop_twins(&logs);
    assert_int_equal(logs.count, 3);
    /* The worker's own session reports it better. */
    apply(&recorder, "Runtime.consoleAPICalled",
          "{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"from afar\"}]}");
    console_drop_twins(&logs);
    assert_int_equal(logs.count, 3);
    assert_null(logs.items[2].kind);
    assert_int_equal(logs.bytes, texts_of(&logs));
    /* A worker with its own session is no longer recorded through the page. */
    json_auto_t *attached =
        json_pack("{s:{s:s, s:s}}", "targetInfo", "type", "worker", "targetId", "W1");
    assert_false(console_on_event(&recorder, "Target.attachedToTarget", attached));
    apply(&recorder, "Log.entryAdded",
          "{\"entry\":{\"source\":\"worker\",\"text\":\"again\",\"workerId\":\"W1\"}}");
    assert_int_equal(logs.count, 3);
    log_list_finish(&logs);
    console_finish(&recorder);
}

static void test_objects_are_asked_for(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    struct console_wanted wanted;
    apply(&recorder, "Runtime.consoleAPICalled",
          "{\"type\":\"log\",\"executionContextId\":1,\"args\":[{\"type\":\"string\",\"value\":"
          "\"see\"},{\"type\":\"object\",\"className\":\"Foo\",\"description\":\"Foo\","
          "\"objectId\":\"1\",\"preview\":{\"description\":\"Foo\",\"overflow\":true,"
          "\"properties\":[{\"name\":\"n\",\"type\":\"number\",\"value\":\"1\"},{\"name\":"
          "\"o\",\"type\":\"object\",\"value\":\"Object\"}]}}]}");
    assert_string_equal(logs.items[0].message, "see Foo {n: 1, o: Object, …}");
    assert_true(console_take_wanted(&recorder, &wanted));
    assert_int_equal(json_array_size(wanted.objects), 1);
    /* A value that has changed since is reported as it was. */
    json_auto_t *members =
        json_pack("[{s:s, s:b, s:i, s:[[s, s], [s, s]], s:b}]", "name", "Foo", "isList", 0, "size",
                  -1, "pairs", "n: ", "2", "o: ", "{p: 3}", "isCut", 0);
    console_set_objects(&recorder, &wanted, members);
    assert_string_equal(logs.items[0].message, "see Foo {n: 1, o: {p: 3}}");
    console_wanted_finish(&wanted);
    assert_false(console_take_wanted(&recorder, &wanted));
    log_list_finish(&logs);
    console_finish(&recorder);
}

static void test_what_objects_say_is_cut_and_counted(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct console_recorder recorder = { .logs = &logs };
    struct console_wanted wanted;
    char words[12000];
    memset(words, 'x', sizeof(words) - 1);
    words[sizeof(words) - 1] = '\0';
    apply(&recorder, "Runtime.consoleAPICalled",
          "{\"type\":\"log\",\"args\":[{\"type\":\"object\",\"className\":\"Foo\",\"description\":"
          "\"Foo\",\"objectId\":\"1\",\"preview\":{\"description\":\"Foo\",\"overflow\":true,"
          "\"properties\":[]}}]}");
    assert_true(console_take_wanted(&recorder, &wanted));
    apply(&recorder, "Runtime.consoleAPICalled", "{\"type\":\"log\"}");
    json_auto_t *members =
        json_pack("[{s:s, s:b, s:i, s:[[s, s], [s, s]], s:b}]", "name", "Foo", "isList", 0, "size",
                  -1, "pairs", "n: ", words, "o: ", words, "isCut", 0);
    console_set_objects(&recorder, &wanted, members);
    assert_in_range(strlen(logs.items[0].message), LOG_MAX_TEXT - 48, LOG_MAX_TEXT);
    assert_non_null(strstr(logs.items[0].message, "x… (more than 16336 characters)"));
    assert_int_equal(logs.bytes, texts_of(&logs));
    console_wanted_finish(&wanted);
    log_list_finish(&logs);
    console_finish(&recorder);
}

static json_t *parsed(const char *text)
{
    struct br_error err = { 0 };
    json_t *root = json_parse(text, strlen(text), "test", &err);
    assert_non_null(root);
    return root;
}

/* Chrome writes an object in full at its first occurrence, and as a reference afterwards. */
static void test_objects_are_written_in_each_value(void **state)
{
    (void)state;
#define REFERENCE(n) "\"type\":\"array\",\"weakLocalObjectReference\":" #n
#define ONE          "{\"type\":\"number\",\"value\":1}"
    json_auto_t *values = parsed("["
                                 "{" REFERENCE(0) ",\"value\":[" ONE ",{" REFERENCE(
                                     0) "}]},"
                                        "{\"type\":\"set\",\"value\":[{" REFERENCE(
                                            0) "},{" REFERENCE(0) "}]},"
                                                                  "{" REFERENCE(7) "}, 5, null]");
    json_auto_t *expected =
        parsed("["
               "{" REFERENCE(0) ",\"value\":[" ONE ",{" REFERENCE(
                   0) "}]},"
                      "{\"type\":\"set\",\"value\":["
                      "{" REFERENCE(0) ",\"value\":[" ONE ",{" REFERENCE(0) "}]},{" REFERENCE(
                          0) "}]},"
                             "{" REFERENCE(7) "}, 5, null]");
    console_values_separate(values);
    assert_true(json_equal(values, expected));
    console_values_separate(NULL);
}

static void test_what_the_call_tells_itself_is_not_asked_for(void **state)
{
    (void)state;
#define OBJECT              "{\"type\":\"object\",\"objectId\":\"1\",\"className\":\"Object\","
#define MEMBER(type, value) "{\"name\":\"a\",\"type\":\"" type "\",\"value\":\"" value "\"}"
#define PREVIEW(members)    "\"preview\":{\"overflow\":false,\"properties\":[" members "]}}"
#define TEN                 "0123456789"
    static const struct {
        const char *arg;
        bool is_asked;
    } cases[] = {
        { "{\"type\":\"string\",\"value\":\"x\"}", false },
        { "{\"type\":\"function\",\"objectId\":\"1\",\"description\":\"() => 1\"}", false },
        { OBJECT "\"subtype\":\"error\",\"description\":\"Error\"}", false },
        { OBJECT "\"subtype\":\"node\",\"description\":\"p\"}", true },
        { OBJECT "\"subtype\":\"date\",\"description\":\"now\"}", true },
        { OBJECT "\"description\":\"Object\"}", true }, /* logged before recording began */
        { OBJECT PREVIEW(MEMBER("number", "1")), false },
        { OBJECT PREVIEW(MEMBER("object", "Object")), true },
        { OBJECT PREVIEW(MEMBER("accessor", "")), true },
        { OBJECT PREVIEW(MEMBER("string", TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN)), true },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_auto_t *args = json_pack("[o]", parsed(cases[i].arg));
        if (console_wants_values(args) != cases[i].is_asked) {
            fail_msg("%s", cases[i].arg);
        }
    }
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
    apply(&recorder, "Audits.issueAdded", "{\"issue\":[]}");
    apply(&recorder, "Audits.issueAdded", "{\"issue\":{\"code\":\"CookieIssue\"}}");
    apply(&recorder, "Audits.issueAdded", "{\"issue\":{\"code\":\"CorsIssue\",\"details\":3}}");
    assert_int_equal(logs.count, 5);
    assert_int_equal(logs.items[0].count, 2); /* the first two are equal */
    console_drop_twins(&logs);
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
        cmocka_unit_test(test_issues_that_the_log_has_told),
        cmocka_unit_test(test_kinds_and_noise),
        cmocka_unit_test(test_objects_are_asked_for),
        cmocka_unit_test(test_what_objects_say_is_cut_and_counted),
        cmocka_unit_test(test_objects_are_written_in_each_value),
        cmocka_unit_test(test_what_the_call_tells_itself_is_not_asked_for),
        cmocka_unit_test(test_odd_events_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
