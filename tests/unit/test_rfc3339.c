#include "runner/base/rfc3339.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_format(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {
        { 0, "1970-01-01T00:00:00.000Z" },
        { 1795323601007, "2026-11-22T05:00:01.007Z" },
        { 253402300799999, "9999-12-31T23:59:59.999Z" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[RFC3339_SIZE];
        int64_t ms = -1;
        rfc3339_format(cases[i].ms, true, text);
        assert_string_equal(text, cases[i].text);
        assert_true(rfc3339_parse(text, &ms));
        assert_int_equal(ms, cases[i].ms);
        rfc3339_format(cases[i].ms, false, text);
        assert_true(rfc3339_parse(text, &ms));
        assert_int_equal(ms, cases[i].ms / 1000 * 1000);
    }
    char text[RFC3339_SIZE];
    rfc3339_format(INT64_MAX, true, text);
    assert_string_equal(text, "292278994-08-17T07:12:55.807Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_format) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
