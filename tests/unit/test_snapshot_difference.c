/* Differences between two texts, with the ancestors of changed lines. */
#include "runner/base/memory.h"
#include "runner/snapshot/outline/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void assert_difference(const char *before, const char *after, const char *expected)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    print_difference(before, after, &text);
    assert_string_equal(text.data, expected);
    strbuf_finish(&text);
}

static void test_equal_texts(void **state)
{
    (void)state;
    assert_difference("", "", "");
    assert_difference("page\nmain\n  \"a\"\n", "page\nmain\n  \"a\"\n", "");
}

static void test_state_of_a_line(void **state)
{
    (void)state;
    assert_difference("page\nmain\n  checkbox \"a\" e1\n  button \"b\" e2\n",
                      "page\nmain\n  checkbox \"a\" e1 checked\n  button \"b\" e2\n",
                      "  main\n-   checkbox \"a\" e1\n+   checkbox \"a\" e1 checked\n");
}

static void test_ancestors_stand_once(void **state)
{
    (void)state;
    assert_difference("main\n  list\n    \"a\"\n    \"b\"\n    \"c\"\n",
                      "main\n  list\n    \"x\"\n    \"b\"\n    \"y\"\n",
                      "  main\n    list\n-     \"a\"\n+     \"x\"\n-     \"c\"\n+     \"y\"\n");
}

static void test_new_and_gone_subtrees(void **state)
{
    (void)state;
    assert_difference("main\n  \"a\"\n", "main\n  \"a\"\n  dialog e1\n    button e2\n",
                      "  main\n+   dialog e1\n+     button e2\n");
    assert_difference("main\n  dialog e1\n    button e2\n  \"a\"\n", "main\n  \"a\"\n",
                      "  main\n-   dialog e1\n-     button e2\n");
}

static void test_indentation_and_place_are_no_change(void **state)
{
    (void)state;
    assert_difference("main\n  \"a\"\n  \"b\"\n", "main\n  group\n    \"a\"\n    \"b\"\n",
                      "  main\n+   group\n");
    assert_difference("\"a\"\n(below the viewport)\n\"b\"\n",
                      "(above the viewport)\n\"a\"\n\"b\"\n", "");
}

static void test_line_that_moved(void **state)
{
    (void)state;
    assert_difference("\"a\"\n\"b\"\n\"c\"\n", "\"b\"\n\"c\"\n\"a\"\n", "- \"a\"\n+ \"a\"\n");
}

/* Returns `count` lines that begin with a number, from `first` on. */
static char *lines_from(int first, int count)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = first; i < first + count; i++) {
        strbuf_add_format(&text, "\"%d\"\n", i);
    }
    return strbuf_take(&text);
}

/* Counts the lines that begin with a sign. */
static int count_of(const struct strbuf *text, char sign)
{
    int count = 0;
    for (size_t i = 0; i < text->length; i++) {
        count += (i == 0 || text->data[i - 1] == '\n') && text->data[i] == sign;
    }
    return count;
}

static void test_large_changes_end_in_time(void **state)
{
    (void)state;
    enum { LINES = 100000, MOVED = 3000 };
    CLEANUP_FREE char *before = lines_from(0, LINES);
    CLEANUP_FREE char *after = lines_from(MOVED, LINES);
    CLEANUP_FREE char *other = lines_from(10 * LINES, LINES);
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    clock_t begin = clock();
    print_difference(before, after, &text);
    assert_int_equal(count_of(&text, '-'), MOVED);
    assert_int_equal(count_of(&text, '+'), MOVED);
    strbuf_clear(&text);
    print_difference(before, other, &text);
    assert_int_equal(count_of(&text, '-'), LINES);
    assert_int_equal(count_of(&text, '+'), LINES);
    assert_true((clock() - begin) / CLOCKS_PER_SEC < 5);
    strbuf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_texts),
        cmocka_unit_test(test_state_of_a_line),
        cmocka_unit_test(test_ancestors_stand_once),
        cmocka_unit_test(test_new_and_gone_subtrees),
        cmocka_unit_test(test_indentation_and_place_are_no_change),
        cmocka_unit_test(test_line_that_moved),
        cmocka_unit_test(test_large_changes_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
