#include "runner/base/value.h"

#include "runner/base/action.h"
#include "runner/base/error.h"
#include "runner/base/response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_values_are_read_without_their_text(void **state)
{
    (void)state;
    json_auto_t *json =
        json_pack("{s:s, s:i, s:f, s:b, s:n, s:[i, i], s:{s:[{s:s}]}}", "text", "a", "whole", 7,
                  "real", 1.5, "yes", 1, "null", "list", 3, 4, "deep", "targets", "text", "b");
    const struct br_value *value = value_of(json);
    static const struct {
        const char *path;
        enum br_value_kind kind;
        size_t count;
    } cases[] = {
        { "", BR_VALUE_OBJECT, 7 },
        { "text", BR_VALUE_TEXT, 0 },
        { "whole", BR_VALUE_NUMBER, 0 },
        { "real", BR_VALUE_NUMBER, 0 },
        { "yes", BR_VALUE_BOOLEAN, 0 },
        { "null", BR_VALUE_NULL, 0 },
        { "list", BR_VALUE_LIST, 2 },
        { "list[1]", BR_VALUE_NUMBER, 0 },
        { "deep.targets[0].text", BR_VALUE_TEXT, 0 },
        { "list[2]", BR_VALUE_ABSENT, 0 },
        { "list.0", BR_VALUE_ABSENT, 0 },
        { "list[", BR_VALUE_ABSENT, 0 },
        { "list[]", BR_VALUE_ABSENT, 0 },
        { "list[-1]", BR_VALUE_ABSENT, 0 },
        { "list[99999999999999999999]", BR_VALUE_ABSENT, 0 },
        { "deep..targets", BR_VALUE_ABSENT, 0 },
        { "deep.", BR_VALUE_ABSENT, 0 },
        { ".deep", BR_VALUE_ABSENT, 0 },
        { "text.x", BR_VALUE_ABSENT, 0 },
        { "none.x[0]", BR_VALUE_ABSENT, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct br_value *found = br_value_find(value, cases[i].path);
        if (br_value_kind(found) != cases[i].kind || br_value_count(found) != cases[i].count) {
            fail_msg("\"%s\"", cases[i].path);
        }
    }
    assert_string_equal(br_value_text(br_value_find(value, "text"), "x"), "a");
    assert_string_equal(br_value_text(br_value_find(value, "whole"), "x"), "x");
    assert_true(br_value_number(br_value_find(value, "real"), 0) == 1.5);
    assert_true(br_value_number(br_value_find(value, "list[1]"), 0) == 4);
    assert_true(br_value_number(NULL, 9) == 9);
    assert_true(br_value_boolean(br_value_find(value, "yes"), false));
    assert_false(br_value_boolean(br_value_find(value, "whole"), false));
    assert_string_equal(br_value_name(value, 5), "list");
    assert_true(br_value_item(value, 5) == br_value_find(value, "list"));
    assert_true(br_value_item(br_value_find(value, "list"), 0) == br_value_find(value, "list[0]"));
    assert_null(br_value_name(value, 7));
    assert_null(br_value_item(value, 7));
    assert_null(br_value_name(br_value_find(value, "list"), 0));
    assert_null(br_value_item(NULL, 0));
}

static void test_an_action_is_built_without_a_text(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    CLEANUP_ACTION struct br_action *action = br_action_create("emulate");
    assert_true(br_action_set_text(action, "locale", "de-DE", &err));
    assert_true(br_action_set_number(action, "viewport.width", 390, &err));
    assert_true(br_action_set_number(action, "viewport.deviceScaleFactor", 2.5, &err));
    assert_true(br_action_set_boolean(action, "viewport.mobile", true, &err));
    assert_true(br_action_set_text(action, "route[0].url", "*.png", &err));
    assert_true(br_action_set_text(action, "route[0].action", "block", &err));
    assert_true(br_action_set_text(action, "route[1].url", "*.js", &err));
    assert_true(br_action_set_text(action, "locale", "fr-FR", &err));
    json_auto_t *wanted =
        json_pack("{s:s, s:{s:i, s:f, s:b}, s:[{s:s, s:s}, {s:s}]}", "locale", "fr-FR", "viewport",
                  "width", 390, "deviceScaleFactor", 2.5, "mobile", 1, "route", "url", "*.png",
                  "action", "block", "url", "*.js");
    assert_true(json_equal(action->params, wanted));
    assert_string_equal(br_action_type(action), "emulate");
    assert_string_equal(br_value_text(br_value_find(br_action_params(action), "route[1].url"), ""),
                        "*.js");
    assert_true(br_action_unset(action, "route[0]", &err));
    assert_true(br_action_unset(action, "none", &err));
    assert_true(br_action_unset(action, "none.deeper", &err) || err.code == BR_INVALID_ACTION);
    assert_string_equal(br_value_text(br_value_find(br_action_params(action), "route[0].url"), ""),
                        "*.js");
    assert_true(br_action_unset(action, "route", &err));
    assert_null(br_value_find(br_action_params(action), "route"));
}

static void test_what_cannot_be_set_is_said(void **state)
{
    (void)state;
    static const char *const paths[] = { "",        ".",           "a.",      "list[2]",
                                         "a[1]",    "a.b[0].c[1]", "list[x]", "text.x",
                                         "text[0]", "[0]",         "list.x",  "a..b",
                                         "list[0" };
    struct br_error err = { 0 };
    CLEANUP_ACTION struct br_action *action = br_action_create("click");
    assert_true(br_action_set_text(action, "text", "a", &err));
    assert_true(br_action_set_text(action, "list[0]", "a", &err));
    json_auto_t *before = json_deep_copy(action->params);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        err = (struct br_error){ 0 };
        if (br_action_set_text(action, paths[i], "b", &err) || err.code != BR_INVALID_ACTION) {
            fail_msg("\"%s\"", paths[i]);
        }
        assert_true(json_equal(action->params, before));
    }
    assert_false(br_action_set_number(action, "x", NAN, &err));
    assert_false(br_action_set_number(action, "x", INFINITY, &err));
    assert_non_null(strstr(err.message, "JSON cannot represent"));
    /* Invalid UTF-8 becomes U+FFFD. */
    assert_true(br_action_set_text(action, "text", "\xFF", &err));
    assert_string_equal(br_value_text(br_value_find(br_action_params(action), "text"), ""),
                        "\xEF\xBF\xBD");
}

static void test_the_values_of_a_response(void **state)
{
    (void)state;
    struct br_response *response = response_create(1, "evaluate");
    assert_null(br_response_result(response));
    assert_null(br_response_delivered(response));
    response_set_result(response, json_pack("{s:i}", "answer", 42));
    assert_true(br_value_number(br_value_find(br_response_result(response), "answer"), 0) == 42);
    br_response_destroy(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_read_without_their_text),
        cmocka_unit_test(test_an_action_is_built_without_a_text),
        cmocka_unit_test(test_what_cannot_be_set_is_said),
        cmocka_unit_test(test_the_values_of_a_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
