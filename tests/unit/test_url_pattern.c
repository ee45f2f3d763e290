
#include "runner/base/memory.h"
#include "runner/page/core/url_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_globs_and_parts(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *url;
        bool is_match;
        const char *chrome;
    } cases[] = {
        { "/api", "http://a/api/1", true, "*/api*" },
        { "/api", "http://a/app", false, "*/api*" },
        { "/a?x=[1]", "http://a/a?x=[1]&y", true, "*/a?x=[1]*" },
        { "a\\b", "http://a/a\\b", true, "*a*" },
        { "*.png", "http://a/b.png", true, "*.png" },
        { "*.png", "http://a/b.png?1", false, "*.png" },
        { "*.png*", "http://a/b.png?1", true, "*.png*" },
        { "**/x/**", "http://a/x/b", true, "**/x/**" },
        { "http://a/*", "https://a/", false, "http://a/*" },
        { "*/[ab]/x", "http://h/a/x", true, "*/*" },
        { "*/[ab]/x", "http://h/c/x", false, "*/*" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *chrome = url_pattern_for_chrome(cases[i].pattern);
        assert_int_equal(url_pattern_matches(cases[i].pattern, cases[i].url), cases[i].is_match);
        assert_string_equal(chrome, cases[i].chrome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_globs_and_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
