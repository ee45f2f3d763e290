#include "runner/base/json_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef const char *scan_function(const char *at, const char *end);

/* The text before | is skipped; without | it is invalid. */
static void assert_steps(scan_function *function, const char *text)
{
    char bytes[64];
    const char *mark = strchr(text, '|');
    size_t before = mark ? (size_t)(mark - text) : strlen(text);
    memcpy(bytes, text, before);
    snprintf(bytes + before, sizeof(bytes) - before, "%s", mark ? mark + 1 : "");
    const char *found = function(bytes, bytes + strlen(bytes));
    if (found != (mark ? bytes + before : NULL)) {
        fail_msg("%s: %td", text, found ? found - bytes : -1);
    }
}

static void test_space(void **state)
{
    (void)state;
    static const char *const texts[] = { " \t\r\n|a", "|a ", "|", "  |" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_steps(json_scan_space, texts[i]);
    }
}

static void test_string(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\"\"|",       "\"a\"|,\"b\"",    "\"\\\"\"|\"",
        "\"\\\\\"|\"", "\"a\\\\\\\"b\"|", "\"",
        "\"a\\\"",     "a\"b\"",          "",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_steps(json_scan_string, texts[i]);
    }
}

static void test_value(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "12.5e3|,",
        "true|}",
        "null| ",
        "\"a,]\"|]",
        "{}|}",
        "{\"a\":[1,{\"]\":\"}\\\"\"}]}|,",
        "[[],[[]]]|]",
        "-1|",
        "{\"a\":[1}]|",
        "",
        ",",
        "[\"a]",
        "{\"a\":1",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_steps(json_scan_value, texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_string),
        cmocka_unit_test(test_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
