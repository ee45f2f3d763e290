/* BROP's messages, ids and parameters, and our results in its format. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/brop/envelope.h"
#include "runner/servers/brop/journal.h"
#include "runner/servers/brop/shapes.h"
#include "runner/servers/brop/translate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *parsed(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

static void assert_json(json_t *value, const char *expected)
{
    json_auto_t *wanted = parsed(expected);
    if (!json_equal(value, wanted)) {
        CLEANUP_FREE char *text = json_dumps(value, JSON_ENCODE_ANY);
        fail_msg("%s, not %s", text, expected);
    }
}

static void test_request(void **state)
{
    (void)state;
    static const struct {
        const char *text, *method, *id, *params; /* id NULL: none */
    } cases[] = {
        { "{\"id\":\"a\",\"method\":\"m\",\"params\":{\"x\":1}}", "m", "\"a\"", "{\"x\":1}" },
        { "{\"id\":0,\"method\":\"m\"}", "m", "0", "{}" },
        { "{\"id\":null,\"method\":\"m\",\"params\":null}", "m", "null", "{}" },
        { "{\"id\":{\"a\":[1.5]},\"method\":\"m\"}", "m", "{\"a\":[1.5]}", "{}" },
        { "{\"method\":\"m\"}", "m", NULL, "{}" },
        { "{\"id\":1,\"command\":{\"type\":\"old\",\"params\":{\"y\":2}}}", "old", "1",
          "{\"y\":2}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        struct brop_request request;
        assert_true(brop_request_read(&request, cases[i].text, strlen(cases[i].text), &err));
        assert_string_equal(request.method, cases[i].method);
        assert_json(request.params, cases[i].params);
        if (cases[i].id) {
            assert_json(request.id, cases[i].id);
        } else {
            assert_null(request.id);
        }
        brop_request_finish(&request);
    }
}

static void test_request_invalid(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
        bool has_id;
    } cases[] = {
        { "no", "Invalid JSON: ", false },
        { "", "Invalid JSON: ", false },
        { "[1]", "Invalid command: it must be a JSON object", false },
        { "{\"id\":7}", "Invalid command: missing method", true },
        { "{\"id\":7,\"method\":\"\"}", "Invalid command: missing method", true },
        { "{\"id\":7,\"method\":5}", "Invalid command: missing method", true },
        { "{\"id\":7,\"method\":\"m\",\"params\":[]}", "Invalid command: params must be an object",
          true },
        { "{\"id\":7,\"command\":\"x\"}", "Invalid command: missing method", true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        struct brop_request request;
        assert_false(brop_request_read(&request, cases[i].text, strlen(cases[i].text), &err));
        assert_memory_equal(err.message, cases[i].error, strlen(cases[i].error));
        assert_null(request.method);
        assert_int_equal(request.id != NULL, cases[i].has_id);
        brop_request_finish(&request);
    }
}

static void test_replies(void **state)
{
    (void)state;
    struct br_error why = { .code = BR_TARGET_NOT_FOUND, .message = "no", .hint = "look" };
    json_auto_t *id = json_integer(0);
    json_auto_t *result = brop_result(id, parsed("{\"a\":1}"));
    json_auto_t *failure = brop_failure(NULL, &why);
    assert_json(result, "{\"type\":\"response\",\"id\":0,\"success\":true,\"result\":{\"a\":1}}");
    assert_json(failure, "{\"type\":\"response\",\"success\":false,\"error\":\"no (look)\","
                         "\"errorCode\":\"TARGET_NOT_FOUND\"}");
}

static void test_tab_id(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int32_t id; /* -1: invalid */
    } cases[] = {
        { "1", 1 },     { "\"17\"", 17 }, { "2147483647", INT32_MAX },
        { "5.0", 5 },   { "null", 0 },    { "0", -1 },
        { "-1", -1 },   { "1.5", -1 },    { "2147483648", -1 },
        { "\"\"", -1 }, { "\"1x\"", -1 }, { "\"99999999999\"", -1 },
        { "true", -1 }, { "[1]", -1 },    { "\" 1\"", -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int32_t id = 0;
        json_auto_t *value = parsed(cases[i].value);
        bool is_valid = brop_read_tab_id(value, &id);
        assert_int_equal(is_valid, cases[i].id >= 0);
        assert_int_equal(id, is_valid ? cases[i].id : 0);
    }
    int32_t none = 1;
    assert_true(brop_read_tab_id(NULL, &none));
    assert_int_equal(none, 0);
}

static void test_actions(void **state)
{
    (void)state;
    static const struct {
        const char *method, *params, *action; /* action NULL: invalid */
    } cases[] = {
        { "click", "{\"selector\":\"#a\"}",
          "{\"type\":\"click\",\"selector\":\"#a\",\"nth\":0,\"timeout\":5000}" },
        { "click", "{\"selector\":\"button:contains(\\\"Save it\\\")\",\"timeout\":10}",
          "{\"type\":\"click\",\"role\":\"button\",\"name\":\"Save it\",\"timeout\":10}" },
        { "click", "{\"selector\":\"li:contains('a \\\\' b')\",\"waitForNavigation\":true}",
          "{\"type\":\"click\",\"text\":\"a ' b\",\"waitForNavigation\":true,\"timeout\":5000}" },
        /* Whole comments of Markdown. */
        { "click", "{\"selector\":\"link:#signin-link\",\"timeout\":10}",
          "{\"nth\":0,\"selector\":\"#signin-link\",\"timeout\":10,\"type\":\"click\"}" },
        { "click", "{\"selector\":\"button:main > button:nth-of-type(2)\",\"timeout\":10}",
          "{\"nth\":0,\"selector\":\"main > "
          "button:nth-of-type(2)\",\"timeout\":10,\"type\":\"click\"}" },
        { "click", "{\"selector\":\"button:nth-of-type(2)\",\"timeout\":10}",
          "{\"nth\":0,\"selector\":\"button:nth-of-type(2)\",\"timeout\":10,\"type\":\"click\"}" },
        { "click", "{\"selector\":\"button:hover > b\",\"timeout\":10}",
          "{\"nth\":0,\"selector\":\"button:hover > b\",\"timeout\":10,\"type\":\"click\"}" },
        { "click", "{\"selector\":\"a:contains(Home)\"}",
          "{\"type\":\"click\",\"role\":\"link\",\"name\":\"Home\",\"timeout\":5000}" },
        { "click", "{\"selector\":\"div > a:contains(\\\"x\\\")\"}", NULL },
        { "click", "{\"selector\":\"a:contains(\\\"x\\\") b\"}", NULL },
        { "click", "{}", NULL },
        { "click", "{\"selector\":\"\"}", NULL },
        { "click", "{\"selector\":\"#a\",\"timeout\":0}", NULL },
        { "click", "{\"selector\":\"#a\",\"timeout\":\"5\"}", NULL },
        { "type", "{\"selector\":\"#a\",\"text\":\"ab\",\"clear\":true,\"timeout\":100}",
          "{\"type\":\"type\",\"selector\":\"#a\",\"nth\":0,\"text\":\"ab\",\"clear\":true,"
          "\"change\":true,\"timeout\":110}" },
        { "type", "{\"selector\":\"#a\"}", NULL },
        { "type", "{\"selector\":\"p:contains(\\\"x\\\")\",\"text\":\"a\"}", NULL },
        { "wait_for_element", "{\"selector\":\"#a\",\"visible\":false}",
          "{\"type\":\"wait\",\"state\":\"attached\",\"selector\":\"#a\",\"nth\":0,\"timeout\":"
          "30000}" },
        { "wait_for_element", "{\"selector\":\"p:contains(\\\"x\\\")\"}",
          "{\"type\":\"wait\",\"state\":\"visible\",\"targets\":[\"x\"],\"timeout\":30000}" },
        { "get_element", "{\"selector\":\".a\",\"multiple\":true}",
          "{\"type\":\"inspect\",\"selector\":\".a\",\"multiple\":true,\"timeout\":2000}" },
        { "evaluate_js", "{\"code\":\"1\"}",
          "{\"type\":\"evaluate\",\"expression\":\"1\",\"args\":[],\"typed\":true,\"timeout\":"
          "30000}" },
        { "evaluate_js", "{\"code\":\"1\",\"args\":5}", NULL },
        { "get_screenshot", "{}",
          "{\"type\":\"screenshot\",\"format\":\"png\",\"maxEdge\":0,\"maxPixels\":0}" },
        { "get_screenshot", "{\"format\":\"jpg\",\"full_page\":true}",
          "{\"type\":\"screenshot\",\"format\":\"jpeg\",\"maxEdge\":0,\"maxPixels\":0,"
          "\"fullPage\":true,\"quality\":90}" },
        { "get_screenshot", "{\"format\":\"gif\"}", NULL },
        { "get_simplified_dom", "{}",
          "{\"type\":\"snapshot\",\"format\":\"markdown\",\"annotations\":\"types\",\"textLength\":"
          "0}" },
        { "get_simplified_dom", "{\"includeSelectors\":false}",
          "{\"type\":\"snapshot\",\"format\":\"markdown\",\"annotations\":\"none\",\"textLength\":"
          "0}" },
        { "fill_form",
          "{\"formData\":{\"b\":\"1\",\"a\":null},\"formSelector\":\"#f\",\"submit\":true}",
          "{\"type\":\"fill\",\"fields\":{\"b\":\"1\",\"a\":\"\"},\"form\":{\"selector\":\"#f\","
          "\"nth\":0},"
          "\"first\":true,\"submit\":true,\"timeout\":5005}" },
        { "fill_form", "{}", NULL },
        { "navigate", "{\"url\":\"example.org/x\"}",
          "{\"type\":\"navigate\",\"url\":\"https://example.org/x\"}" },
        { "navigate", "{\"url\":\"chrome://version\"}", NULL },
        { "no_such_command", "{}", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        json_auto_t *params = parsed(cases[i].params);
        json_auto_t *action = brop_action(cases[i].method, params, &err);
        if (!cases[i].action) {
            assert_null(action);
        } else if (!action) {
            fail_msg("%s %s: %s", cases[i].method, cases[i].params, err.message);
        } else {
            assert_json(action, cases[i].action);
        }
    }
}

/* jansson keeps the order of keys; the fields must be in order, too. */
static void test_fields_keep_their_order(void **state)
{
    (void)state;
    struct br_error err;
    json_auto_t *params = parsed("{\"formData\":{\"z\":1,\"a\":2,\"m\":3}}");
    json_auto_t *action = brop_action("fill_form", params, &err);
    CLEANUP_FREE char *text = json_dumps(json_object_get(action, "fields"), JSON_COMPACT);
    assert_string_equal(text, "{\"z\":1,\"a\":2,\"m\":3}");
}

static void test_urls(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "https://a.example/", "https://a.example/" },
        { "example.org", "https://example.org" },
        { "localhost:3000/x", "http://localhost:3000/x" },
        { "127.0.0.1", "http://127.0.0.1" },
        { "[::1]:80/", "http://[::1]:80/" },
        { "example.org:8080", "https://example.org:8080" },
        { "about:blank", "about:blank" },
        { "file:///tmp/x", "file:///tmp/x" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *url = brop_whole_url(cases[i][0]);
        assert_string_equal(url, cases[i][1]);
    }
    assert_true(brop_url_is_closed("chrome://extensions/"));
    assert_true(brop_url_is_closed("chrome-extension://x/"));
    assert_true(brop_url_is_closed("about:version"));
    assert_false(brop_url_is_closed("about:blank"));
    assert_false(brop_url_is_closed("https://chrome:/"));
}

static void test_console_code(void **state)
{
    (void)state;
    static const struct {
        const char *code, *text; /* text NULL: not a call of console.log */
        bool is_safe;
    } cases[] = {
        { "document.title", NULL, true },
        { "window.location.href", NULL, true },
        { "document.readyState", NULL, true },
        { "document.title ", NULL, false },
        { "console.log('a')", "a", true },
        { "console.log(\"it's\", 1, true, null);", "it's 1 true null", true },
        { "console.log()", "", true },
        { "console.log('a' + alert(1))", NULL, false },
        { "console.log(document.cookie)", NULL, false },
        { "console.log('a'); alert(1)", NULL, false },
        { "console.log('a\n')", NULL, false },
        { "console.log(`${alert(1)}`)", NULL, false },
        { "console.log('a", NULL, false },
        { "console.log(-1e3)", "-1e3", true },
        { "console.log(1alert)", NULL, false },
        { "alert(1)", NULL, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        CLEANUP_FREE char *text = brop_console_text(cases[i].code);
        if (cases[i].text) {
            assert_non_null(text);
            assert_string_equal(text, cases[i].text);
        } else {
            assert_null(text);
        }
        assert_int_equal(brop_console_is_safe(cases[i].code, &err), cases[i].is_safe);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    json_auto_t *record = parsed(
        "{\"tag\":\"input\",\"id\":\"a\",\"classes\":[\"x\"],\"attributes\":{\"class\":\"x\","
        "\"name\":\"n\","
        "\"aria-label\":\"L\"},\"text\":\"\",\"html\":\"\",\"visible\":true,\"clickable\":true,"
        "\"box\":[1,2,30.004,4],\"styles\":{},\"value\":\"***\",\"private\":true,\"readOnly\":"
        "false,"
        "\"parent\":\"form\",\"children\":0}");
    json_auto_t *element = brop_element(record);
    json_auto_t *clicked = brop_clicked(record);
    json_auto_t *fill = parsed("{\"filled\":1,\"fields\":[{\"field\":\"pw\",\"filled\":true,"
                               "\"type\":\"password\",\"name\":\"p\","
                               "\"private\":true},{\"field\":\"q\",\"filled\":false,\"code\":"
                               "\"TARGET_NOT_FOUND\",\"why\":\"no\"},"
                               "{\"field\":\"r\",\"filled\":false,\"code\":\"TARGET_DISABLED\","
                               "\"why\":\"it is disabled\"}],"
                               "\"formFound\":true,\"submitted\":true}");
    json_auto_t *data = parsed("{\"pw\":1,\"q\":2,\"r\":3}");
    json_auto_t *filled = brop_filled(fill, data);
    assert_json(
        element,
        "{\"tagName\":\"input\",\"id\":\"a\",\"className\":\"x\",\"classList\":[\"x\"],\"type\":"
        "\"text\","
        "\"name\":\"n\",\"ariaLabel\":\"L\",\"textContent\":\"\",\"innerHTML\":\"\",\"isVisible\":"
        "true,"
        "\"isClickable\":true,\"computedStyle\":{},\"value\":\"***\",\"private\":true,"
        "\"readOnly\":false,\"parentTagName\":\"form\",\"childrenCount\":0,\"attributes\":"
        "{\"class\":\"x\",\"name\":\"n\",\"aria-label\":\"L\"},\"boundingBox\":{\"x\":1,\"y\":2,"
        "\"width\":30,\"height\":4,\"top\":2,\"right\":31,\"bottom\":6,\"left\":1}}");
    assert_json(
        clicked,
        "{\"tagName\":\"INPUT\",\"id\":\"a\",\"className\":\"x\",\"text\":\"\",\"name\":\"n\","
        "\"type\":\"text\"}");
    assert_json(
        filled,
        "{\"filledFields\":1,\"totalFields\":3,\"filled\":[{\"key\":\"pw\",\"fieldName\":\"p\","
        "\"fieldType\":\"password\",\"value\":\"***\"}],\"errors\":[\"Field not found: q\","
        "\"r: it is disabled\"],\"submitted\":true,\"formFound\":true}");
}

static void test_journal(void **state)
{
    (void)state;
    struct brop_journal *journal = brop_journal_create();
    for (int i = 0; i < BROP_JOURNAL_MAX + 50; i++) {
        CLEANUP_FREE char *what = xasprintf("line %d", i);
        brop_journal_add(journal, i % 2, what, "me", i % 2 ? "why" : NULL);
    }
    json_auto_t *logs = brop_journal_json(journal, 2);
    assert_int_equal(json_member_number(logs, "total", 0), BROP_JOURNAL_MAX);
    assert_int_equal(json_member_number(logs, "returned", 0), 2);
    const json_t *last = json_array_get(json_object_get(logs, "logs"), 1);
    assert_string_equal(json_member_string(last, "fullMessage"), "line 249 me why");
    assert_string_equal(json_member_string(last, "level"), "error");
    assert_int_equal(strlen(json_member_string(last, "timestamp")), 19);
    json_auto_t *errors = brop_journal_errors(journal, 3);
    assert_int_equal(json_member_number(errors, "total_errors", 0), BROP_ERRORS_MAX);
    assert_int_equal(json_array_size(json_object_get(errors, "errors")), 3);
    assert_int_equal(brop_journal_clear(journal, true), BROP_ERRORS_MAX);
    json_auto_t *none = brop_journal_json(journal, 10);
    assert_int_equal(json_member_number(none, "total", 1), 0);
    brop_journal_destroy(journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request), cmocka_unit_test(test_request_invalid),
        cmocka_unit_test(test_replies), cmocka_unit_test(test_tab_id),
        cmocka_unit_test(test_actions), cmocka_unit_test(test_fields_keep_their_order),
        cmocka_unit_test(test_urls),    cmocka_unit_test(test_console_code),
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
