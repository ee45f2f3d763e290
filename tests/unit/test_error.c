#include "runner/base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = sizeof(((struct br_error *)0)->message) - 1 };

static void test_code_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "OK",
        "INVALID_ACTION",
        "TARGET_NOT_FOUND",
        "TARGET_AMBIGUOUS",
        "TARGET_NOT_VISIBLE",
        "TARGET_DISABLED",
        "TARGET_OBSCURED",
        "STALE_NODE",
        "NO_VISUAL_CHANGE",
        "TIMEOUT",
        "NAVIGATION_FAILED",
        "EVAL_ERROR",
        "POLICY_DENIED",
        "EVAL_DISABLED",
        "BROWSER_NOT_FOUND",
        "BROWSER_CRASHED",
        "PAGE_CRASHED",
        "PROFILE_IN_USE",
        "DISCONNECTED",
        "LIMIT_EXCEEDED",
        "RATE_LIMITED",
        "UNKNOWN_ERROR",
        "NETWORK_ERROR",
    };
    assert_int_equal(sizeof(names) / sizeof(names[0]), BR_NETWORK_ERROR + 1);
    for (int code = BR_OK; code <= BR_NETWORK_ERROR; code++) {
        assert_string_equal(br_code_name((enum br_code)code), names[code]);
        assert_int_equal(error_code_from_name(names[code]), code);
    }
    assert_string_equal(br_code_name((enum br_code)1000), "UNKNOWN_ERROR");
    assert_string_equal(br_code_name((enum br_code)2000), "UNKNOWN_ERROR");
    assert_int_equal(error_code_from_name("timeout"), BR_UNKNOWN_ERROR);
}

static void test_set(void **state)
{
    (void)state;
    struct br_error err = { .hint = "old" };
    assert_false(error_set(&err, BR_TIMEOUT, "%s after %d ms", "load", 5));
    assert_int_equal(err.code, BR_TIMEOUT);
    assert_string_equal(err.message, "load after 5 ms");
    assert_string_equal(err.hint, "");
    assert_false(error_hint(&err, "wait %d ms", 10));
    assert_string_equal(err.hint, "wait 10 ms");
    assert_string_equal(err.message, "load after 5 ms");
}

static void test_set_errno(void **state)
{
    (void)state;
    struct br_error err;
    assert_false(error_set_errno(&err, BR_UNKNOWN_ERROR, ENOENT, "open %s", "x"));
    assert_string_equal(err.message, "open x: No such file or directory");
    assert_false(error_set_errno(&err, BR_UNKNOWN_ERROR, 99999, "open %s", "x"));
    assert_string_equal(err.message, "open x: error 99999");
}

/* `filler` x's, then `tail`, and what is left of the tail after the message was cut. */
static void test_cut_at_border(void **state)
{
    (void)state;
    static const struct {
        int filler;
        const char *tail, *kept;
    } cases[] = {
        { ROOM, "", "" },
        { ROOM - 1, "y", "y" },
        { ROOM - 1, "yz", "y" },
        { ROOM, "\xC3\xA9", "" },
        { ROOM - 1, "\xC3\xA9", "" },
        { ROOM - 2, "\xC3\xA9", "\xC3\xA9" },
        { ROOM - 2, "\xC3\xA9z", "\xC3\xA9" },
        { ROOM - 2, "\xE2\x82\xAC", "" },
        { ROOM - 3, "\xE2\x82\xACz", "\xE2\x82\xAC" },
        { ROOM - 3, "\xF0\x9F\x98\x80", "" },
        { ROOM - 4, "\xF0\x9F\x98\x80\xF0", "\xF0\x9F\x98\x80" },
        { ROOM - 5, "\x80\x80\x80\x80\x80\x80", "\x80\x80\x80\x80\x80" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char filler[ROOM + 1];
        struct br_error err;
        memset(filler, 'x', (size_t)cases[i].filler);
        filler[cases[i].filler] = '\0';
        error_set(&err, BR_TIMEOUT, "%s%s", filler, cases[i].tail);
        assert_memory_equal(err.message, filler, (size_t)cases[i].filler);
        assert_string_equal(err.message + cases[i].filler, cases[i].kept);
    }
}

static void test_hint_is_cut_at_border(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    char filler[sizeof(err.hint) - 1];
    memset(filler, 'x', sizeof(filler));
    filler[sizeof(filler) - 1] = '\0';
    error_hint(&err, "%s\xC3\xA9", filler);
    assert_string_equal(err.hint, filler);
}

static void test_context(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_TIMEOUT, "inner");
    error_hint(&err, "cure");
    assert_false(error_context(&err, "line %d", 3));
    assert_false(error_context(&err, "outer"));
    assert_string_equal(err.message, "outer: line 3: inner");
    assert_string_equal(err.hint, "cure");
    assert_int_equal(err.code, BR_TIMEOUT);
}

static void test_context_that_overflows(void **state)
{
    (void)state;
    struct br_error err;
    char filler[ROOM + 1];
    memset(filler, 'x', ROOM);
    filler[ROOM] = '\0';
    /*
     * 5 bytes are added in front: the last two characters are cut, although one of them only
     * overlaps by half.
     */
    error_set(&err, BR_TIMEOUT,
              "%.*s\xC3\xA9"
              "1234",
              ROOM - 6, filler);
    assert_int_equal(strlen(err.message), ROOM);
    error_context(&err, "abc");
    assert_memory_equal(err.message, "abc: xxx", 8);
    assert_int_equal(strlen(err.message), ROOM - 1);
    assert_int_equal(err.message[ROOM - 2], 'x');

    /* A context that is too long is cut itself, and still ends with ": ". */
    error_set(&err, BR_TIMEOUT, "inner");
    error_context(&err, "%s", filler);
    const char *end = strchr(err.message, ':');
    assert_non_null(end);
    assert_string_equal(end, ": inner");
    assert_true(end - err.message > 200);
}

static void test_version(void **state)
{
    (void)state;
    assert_string_equal(br_version(), BROWSER_RUNNER_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_names),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_errno),
        cmocka_unit_test(test_cut_at_border),
        cmocka_unit_test(test_hint_is_cut_at_border),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_context_that_overflows),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
