/*
 * Locations in texts: stacks of V8 and of SpiderMonkey, and text that only looks like a location.
 */
#include "runner/observe/places.h"

#include "runner/base/memory.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns "<url|line|column>"; nothing for a URL with "plain" in it. */
static char *mark(void *data, const char *url, int line, int column)
{
    size_t *count = data;
    ++*count;
    return strstr(url, "plain") ? NULL : xasprintf("<%s|%d|%d>", url, line, column);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *result; /* NULL: unchanged */
        size_t count;
    } cases[] = {
        { "", NULL, 0 },
        { "no place", NULL, 0 },
        { "http://h/a.js", NULL, 0 },
        { "http://h/a.js:7", NULL, 0 },
        { "http://localhost:3000", NULL, 0 },
        { "http://localhost:3000/a.js:7:3", "<http://localhost:3000/a.js|7|3>", 1 },
        { "https://[::1]:3000/a.js:7:3", "<https://[::1]:3000/a.js|7|3>", 1 },
        { "E: x\n    at f (http://h/a.js:7:3)\n    at async http://h/b.js:8:4",
          "E: x\n    at f (<http://h/a.js|7|3>)\n    at async <http://h/b.js|8|4>", 2 },
        { "at eval (eval at g (http://h/a.js:7:3), <anonymous>:1:1)",
          "at eval (eval at g (<http://h/a.js|7|3>), <anonymous>:1:1)", 1 },
        { "httpGet@http://h/a.js:7:3\n@http://h/b.js:8:4\n",
          "httpGet@<http://h/a.js|7|3>\n@<http://h/b.js|8|4>\n", 2 },
        { "f@http://h/a.js line 7 > eval:1:3", NULL, 0 },
        { "f (http://h/(shop)/a.js:7:3)", "f (<http://h/(shop)/a.js|7|3>)", 1 },
        { "http://h/a.js?t=12:30:45:7:3", "<http://h/a.js?t=12:30:45|7|3>", 1 },
        { "http://h/plain.js:7:3 http://h/a.js:7:3 ", "http://h/plain.js:7:3 <http://h/a.js|7|3> ",
          2 },
        { "http://h/plain.js:7:3", NULL, 1 },
        { "'http://h/a.js:7:3'", "'<http://h/a.js|7|3>'", 1 },
        { "http://h/a.js:9999999999:3", NULL, 0 },
        { "httphttp://h/a.js:7:3", "http<http://h/a.js|7|3>", 1 },
        { "webpack://app/a.js:7:3", NULL, 0 },
        { "http", NULL, 0 },
        { "https://", NULL, 0 },
        { "http://:7:3", "<http://|7|3>", 1 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t count = 0;
        CLEANUP_FREE char *result = places_rewrite(cases[i].text, 1000, mark, &count);
        assert_int_equal(count, cases[i].count);
        if (cases[i].result) {
            assert_non_null(result);
            assert_string_equal(result, cases[i].result);
        } else {
            assert_null(result);
        }
    }
}

static void test_what_would_be_too_long_stays(void **state)
{
    (void)state;
    static const char text[] = "at http://h/a.js:7:3";
    size_t count = 0;
    CLEANUP_FREE char *fits = places_rewrite(text, strlen(text) + 2, mark, &count);
    assert_string_equal(fits, "at <http://h/a.js|7|3>");
    assert_null(places_rewrite(text, strlen(text) + 1, mark, &count));
    assert_null(places_rewrite(NULL, 10, mark, &count));
}

/* Any text of a page is processed in linear time. */
static void test_long_texts(void **state)
{
    (void)state;
    static const char *const parts[] = { "http", "http://", ":1", ":1:1", "http://:1:1:", "1" };
    /* With a sanitizer each strstr() reads all of the remaining text. */
    enum { REPEATS = 200000 / (SLOWNESS_DEFAULT * SLOWNESS_DEFAULT) };
    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t length = strlen(parts[i]);
        CLEANUP_FREE char *text = xmalloc(length * REPEATS + 1);
        for (size_t at = 0; at < REPEATS; at++) {
            memcpy(text + at * length, parts[i], length);
        }
        text[length * REPEATS] = '\0';
        size_t count = 0;
        free(places_rewrite(text, 4 * length * REPEATS, mark, &count));
        assert_true(count <= REPEATS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_what_would_be_too_long_stays),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
