#include "runner/session/limits.h"

#include "runner/actions/actions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void count(struct limits *limits, const char *outcomes)
{
    for (; *outcomes; outcomes++) {
        limits_count(limits, *outcomes == '+');
    }
}

static void test_reached(void **state)
{
    (void)state;
    static const struct {
        int max_consecutive, max_total;
        const char *outcomes;
        const char *word; /* in the message; NULL: not reached */
    } cases[] = {
        { 3, 10, "", NULL },
        { 3, 10, "--", NULL },
        { 3, 10, "---", "3 actions in a row" },
        { 3, 10, "--+--+--", NULL },
        { 3, 10, "--+--+--+--+--", "10 actions in all" },
        { 3, 10, "+++---", "3 actions in a row" },
        { 1, 10, "-", "1 action in a row" },
        { 0, 10, "---------", NULL },
        { 0, 10, "----------", "10 actions in all" },
        { 0, 0, "------------------------------", NULL },
        { 3, 2, "-+-", "2 actions in all" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct limits limits = { .max_consecutive = cases[i].max_consecutive,
                                 .max_total = cases[i].max_total };
        count(&limits, cases[i].outcomes);
        bool is_reached = limits_reached(&limits, &err);
        if (is_reached != (cases[i].word != NULL) ||
            (is_reached && (err.code != BR_LIMIT_EXCEEDED || !strstr(err.message, cases[i].word) ||
                            !*err.hint))) {
            fail_msg("\"%s\" with %d and %d: %s", cases[i].outcomes, cases[i].max_consecutive,
                     cases[i].max_total, is_reached ? err.message : "not reached");
        }
    }
}

static void test_read(void **state)
{
    (void)state;
    static const char text[] = "{\"type\":\"start\",\"url\":\"about:blank\","
                               "\"maxConsecutiveErrors\":5}";
    struct br_error err;
    struct limits limits = { .max_consecutive = 3, .max_total = 10, .total = 2 };
    CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), &err);
    assert_non_null(action);
    limits_read(&limits, action);
    assert_int_equal(limits.max_consecutive, 5);
    assert_int_equal(limits.max_total, 10);
    assert_int_equal(limits.total, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reached),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
