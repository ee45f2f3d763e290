#include "runner/snapshot/dom/scan.h"

#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct scan scan_of(char *text)
{
    return (struct scan){ .at = text, .end = text + strlen(text) };
}

static void test_strings_are_unescaped_in_place(void **state)
{
    static const struct {
        const char *json, *text; /* text NULL: invalid */
    } cases[] = {
        { "\"plain\"", "plain" },
        { " \"a\\\"b\\\\c\\/d\\n\\t\" ", "a\"b\\c/d\n\t" },
        { "\"\\u00e9\\u20AC\"", "é€" },
        { "\"\\ud83d\\ude00 x\"", "😀 x" },
        { "\"\\ud83d\\u0041\"", "\xEF\xBF\xBD"
                                "A" },
        { "\"\\ude00\"", "\xEF\xBF\xBD" },
        { "\"a\\u0000b\"", "a\xEF\xBF\xBD"
                           "b" },
        { "\"\"", "" },
        { "\"open", NULL },
        { "\"\\", NULL },
        { "\"\\u12", NULL },
        { "\"\\x\"", NULL },
        { "12", NULL },
        { "", NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *text = xstrdup(cases[i].json);
        struct scan scan = scan_of(text);
        const char *string = scan_string(&scan);
        assert_int_equal(scan.is_broken, cases[i].text == NULL);
        assert_string_equal(string, cases[i].text ? cases[i].text : "");
    }
}

static void test_numbers(void **state)
{
    static const struct {
        const char *json;
        double number;
        bool is_int;
    } cases[] = {
        { "0", 0, true },
        { "-1", -1, true },
        { "2147483647", 2147483647, true },
        { "2147483648", 2147483648, false },
        { "90.953125", 90.953125, false },
        { "-0.5", -0.5, false },
        { "1e3", 1000, true },
        { "12345678901234567890", 12345678901234567890.0, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *text = xstrdup(cases[i].json);
        struct scan scan = scan_of(text);
        assert_true(scan_number(&scan) == cases[i].number);
        assert_false(scan.is_broken);
        assert_ptr_equal(scan.at, scan.end);
        scan = scan_of(text);
        scan_int(&scan);
        assert_int_equal(scan.is_broken, !cases[i].is_int);
    }
}

static void test_members_and_what_is_passed_over(void **state)
{
    char text[] =
        "{ \"a\" : [1, [2, {\"x\": \"]}\"}], \"\\\"\"], \"b\":{}, \"c\":-3.5e2 ,\"d\":true}";
    struct scan scan = scan_of(text);
    char keys[8] = "";
    int at = 0;
    int member = 0;
    (void)state;
    for (const char *key; (key = scan_member(&scan, &member));) {
        keys[at++] = *key;
        scan_skip(&scan);
    }
    assert_false(scan.is_broken);
    assert_string_equal(keys, "abcd");
}

static void test_broken_text_ends_everything(void **state)
{
    static const char *const texts[] = {
        "[1, 2", "[1 2]", "[,]", "{", "[[1,2],[3", "[1,]", "[tru]"
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CLEANUP_FREE char *text = xstrdup(texts[i]);
        struct scan scan = scan_of(text);
        struct scan_int_lists lists = { 0 };
        scan_int_lists(&scan, &lists);
        assert_true(scan.is_broken);
        free(lists.values.items);
        free(lists.ends.items);
    }
}

static void test_lists_know_their_ends(void **state)
{
    char text[] = "[[1,2],[],[-7]]";
    struct scan scan = scan_of(text);
    struct scan_int_lists lists = { 0 };
    static const int values[] = { 1, 2, -7 };
    static const int ends[] = { 2, 2, 3 };
    (void)state;
    scan_int_lists(&scan, &lists);
    assert_false(scan.is_broken);
    assert_int_equal(lists.values.count, 3);
    assert_int_equal(lists.ends.count, 3);
    assert_memory_equal(lists.values.items, values, sizeof(values));
    assert_memory_equal(lists.ends.items, ends, sizeof(ends));
    free(lists.values.items);
    free(lists.ends.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_unescaped_in_place),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_members_and_what_is_passed_over),
        cmocka_unit_test(test_broken_text_ends_everything),
        cmocka_unit_test(test_lists_know_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
