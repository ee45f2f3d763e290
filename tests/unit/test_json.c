#include "runner/base/json.h"

#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *parsed(const char *text)
{
    struct br_error err;
    json_t *root = json_parse(text, strlen(text), "text", &err);
    assert_non_null(root);
    return root;
}

static void test_parse_any_type(void **state)
{
    (void)state;
    static const char *const texts[] = { "null", "true", "7", "-1.5", "\"x\"", "[]", "{}" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        json_auto_t *root = parsed(texts[i]);
        CLEANUP_FREE char *text = json_dumps(root, JSON_ENCODE_ANY);
        assert_string_equal(text, texts[i]);
    }
    json_auto_t *with_nul = parsed("\"a\\u0000b\"");
    assert_int_equal(json_string_length(with_nul), 3);
}

static void test_parse_failures(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "reply is not JSON: line 1, column 0: " },
        { "{\"a\":}", "reply is not JSON: line 1, column 6: unexpected token near '}'" },
        { "[1,\n 2", "reply is not JSON: line 2, column 2: " },
        { "1 2", "reply is not JSON: line 1, column 3: end of file expected near '2'" },
        { "\"\xE9\"", "reply is not JSON: line 1, column 1: unable to decode byte 0xe9" },
        { "[1e999]", "reply is not JSON: line 1, column 6: real number overflow" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        assert_null(json_parse(cases[i].text, strlen(cases[i].text), "reply", &err));
        assert_int_equal(err.code, BR_UNKNOWN_ERROR);
        if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("%s", err.message);
        }
    }
}

/* In JavaScript's notation: integers up to 1e21. */
static void test_parse_large_integers(void **state)
{
    (void)state;
    json_auto_t *root =
        parsed("{\"a\":[100000000000000000000,1,2.5,-3],\"b\":{\"c\":9007199254740993},\"d\":7.0}");
    CLEANUP_FREE char *text = json_dumps(root, JSON_COMPACT);
    assert_string_equal(text, "{\"a\":[1e20,1,2.5,-3],\"b\":{\"c\":9007199254740992},\"d\":7}");
    json_auto_t *alone = parsed("-100000000000000000000");
    assert_true(json_is_real(alone));
    json_auto_t *exact = parsed("[9223372036854775807]");
    assert_int_equal(json_integer_value(json_array_get(exact, 0)), INT64_MAX);
}

static void test_read(void **state)
{
    (void)state;
    json_auto_t *root = parsed("{\"a\":{\"b\":1},\"z\":\"q\"}");
    struct br_error err = { .message = "untouched" };
    int b = 0;
    const char *z = NULL;
    const char *absent = NULL;
    assert_true(json_read(root, "reply", &err, "{s:{s:i}, s:s, s?s}", "a", "b", &b, "z", &z,
                          "absent", &absent));
    assert_int_equal(b, 1);
    assert_string_equal(z, "q");
    assert_null(absent);
    assert_string_equal(err.message, "untouched");
}

static void test_read_names_the_field(void **state)
{
    (void)state;
    json_auto_t *root = parsed("{\"a\":{\"b\":1,\"c\":[1]},\"z\":\"q\",\"n\":null}");
    struct br_error err;
    const char *text;
    const char *text2;
    size_t length;
    int number;
    json_t *value;

    assert_false(json_read(root, "reply", &err, "{s:s}", "y", &text));
    assert_string_equal(err.message, "reply: \"y\" is missing");
    assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    assert_false(json_read(root, "reply", &err, "{s:i}", "z", &number));
    assert_string_equal(err.message, "reply: \"z\": Expected integer, got string");
    assert_false(json_read(root, "reply", &err, "{s:{s:s, s:i}}", "a", "b", &text, "c", &number));
    assert_string_equal(err.message, "reply: \"a.b\": Expected string, got integer");
    assert_false(json_read(root, "reply", &err, "{s:{s:i, s:i}}", "a", "b", &number, "d", &number));
    assert_string_equal(err.message, "reply: \"a.d\" is missing");
    assert_false(json_read(root, "reply", &err, "{s:s%, s?o, s:n, s:{s:i s:[s]} s:s}", "z", &text,
                           &length, "none", &value, "n", "a", "b", &number, "c", &text2, "z",
                           &text));
    assert_string_equal(err.message, "reply: \"a.c.[]\": Expected string, got integer");
    assert_false(json_read(root, "reply", &err, "{s:{s:i}, s:i}", "a", "b", &number, "z", &number));
    assert_string_equal(err.message, "reply: \"z\": Expected integer, got string");
    assert_false(json_read(root, "reply", &err, "[o]", &value));
    assert_string_equal(err.message, "reply: Expected array, got object");
}

static void test_members(void **state)
{
    (void)state;
    json_auto_t *root = parsed("{\"s\":\"x\",\"i\":2,\"r\":2.5,\"t\":true,\"f\":false}");
    assert_string_equal(json_member_string(root, "s"), "x");
    assert_null(json_member_string(root, "i"));
    assert_null(json_member_string(root, "absent"));
    assert_null(json_member_string(NULL, "s"));
    assert_true(json_member_number(root, "i", 9) == 2);
    assert_true(json_member_number(root, "r", 9) == 2.5);
    assert_true(json_member_number(root, "s", 9) == 9);
    assert_true(json_member_number(root, "absent", 9) == 9);
    assert_true(json_member_bool(root, "t", false));
    assert_false(json_member_bool(root, "f", true));
    assert_true(json_member_bool(root, "i", true));
    assert_false(json_member_bool(root, "absent", false));
}

#define R "\xEF\xBF\xBD"

static void test_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "", "" },
        { "plain", "plain" },
        { "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF",
          "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF" },
        { "caf\xE9", "caf" R },
        { "\xE9z", R "z" },
        { "\x80", R },
        { "\xC0\xAF", R R },       /* overlong */
        { "\xE0\x9F\xBF", R R R }, /* overlong */
        { "\xED\xA0\x80", R R R }, /* surrogate */
        { "\xF0\x8F\xBF\xBF", R R R R },
        { "\xF4\x90\x80\x80", R R R R }, /* over U+10FFFF */
        { "\xF5\x80", R R },
        { "a\xF0\x9F\x98", "a" R R R }, /* cut */
        { "\xED\x9F\xBF\xEE\x80\x80\xE0\xA0\x80\xF0\x90\x80\x80\xC2\x80\xFF",
          "\xED\x9F\xBF\xEE\x80\x80\xE0\xA0\x80\xF0\x90\x80\x80\xC2\x80" R },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *value = json_text(cases[i].text);
        assert_non_null(value);
        assert_string_equal(json_string_value(value), cases[i].expected);
    }
}

static void test_utf8_cut(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t limit, length;
    } cases[] = {
        { "abc", 0, 0 },
        { "abc", 2, 2 },
        { "a\xC3\xA9", 2, 1 },
        { "a\xC3\xA9", 3, 3 },
        { "\xE2\x82\xAC", 1, 0 },
        { "\xE2\x82\xAC", 2, 0 },
        { "\xE2\x82\xAC", 3, 3 },
        { "\xF0\x9F\x98\x80", 3, 0 },
        { "\xF0\x9F\x98\x80", 4, 4 },
        { "\x80\x80\x80\x80\x80", 5, 5 },
        { "\xFFz", 1, 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(utf8_cut(cases[i].text, cases[i].limit), cases[i].length);
    }
}

static void test_parse_when_half_a_pair_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *value;
    } cases[] = {
        { "\"a\\ud83d\"", "a\xEF\xBF\xBD" },
        { "\"\\ude00b\"", "\xEF\xBF\xBD"
                          "b" },
        { "\"\\ud83d\\ud83d\\ude00\"", "\xEF\xBF\xBD\xF0\x9F\x98\x80" },
        { "\"\\\\ud83d\"", "\\ud83d" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        json_auto_t *root = json_parse(cases[i].text, strlen(cases[i].text), "test", &err);
        assert_non_null(root);
        assert_string_equal(json_string_value(root), cases[i].value);
    }
}

static void test_utf8_is_valid(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        bool is_valid;
    } cases[] = {
        { "", 0, true },
        { "plain text of some length", 25, true },
        { "a\0b", 3, true },
        { "1234567\xC3\xA9"
          "9012345678",
          19, true },
        { "12345678\xE2\x82\xAC", 11, true },
        { "1234567\xC3", 8, false },
        { "12345678\xE2\x82", 10, false },
        { "12345678\x80", 9, false },
        { "\xC0\x80", 2, false },
        { "\xED\xA0\x80", 3, false },
        { "\xF4\x90\x80\x80", 4, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(utf8_is_valid(cases[i].text, cases[i].length), cases[i].is_valid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_when_half_a_pair_is_escaped),
        cmocka_unit_test(test_parse_any_type),
        cmocka_unit_test(test_parse_failures),
        cmocka_unit_test(test_parse_large_integers),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_names_the_field),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_utf8_cut),
        cmocka_unit_test(test_utf8_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
