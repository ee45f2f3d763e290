#include "runner/cdp/silence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(struct silence *silence, int64_t now_ms, enum silence_verdict verdict,
                   int64_t wait_ms)
{
    int64_t given_ms = -1;
    assert_int_equal(silence_check(silence, now_ms, &given_ms), verdict);
    if (verdict != SILENCE_STUCK) {
        assert_int_equal(given_ms, wait_ms);
    }
}

static void test_nothing_is_expected_at_first(void **state)
{
    (void)state;
    struct silence silence = { 0 };
    expect(&silence, 1000, SILENCE_FINE, SILENCE_PATIENCE_MS);
    expect(&silence, 1000000, SILENCE_FINE, SILENCE_PATIENCE_MS);
}

static void test_is_asked_then_stuck(void **state)
{
    (void)state;
    struct silence silence = { 0 };
    silence_heard(&silence, 1000);
    expect(&silence, 1000, SILENCE_FINE, 2000);
    expect(&silence, 2999, SILENCE_FINE, 1);
    expect(&silence, 3000, SILENCE_ASK, 3000);
    expect(&silence, 3001, SILENCE_FINE, 2999);
    expect(&silence, 5999, SILENCE_FINE, 1);
    expect(&silence, 6000, SILENCE_STUCK, 0);
}

static void test_any_word_is_an_answer(void **state)
{
    (void)state;
    struct silence silence = { 0 };
    silence_heard(&silence, 1000);
    expect(&silence, 3000, SILENCE_ASK, 3000);
    silence_heard(&silence, 3000);
    expect(&silence, 3000, SILENCE_FINE, 2000);
    expect(&silence, 5000, SILENCE_ASK, 3000);
}

/* There was no check when the answer was due: the program was stopped, or had no reason to wait. */
static void test_is_asked_again_after_a_gap(void **state)
{
    (void)state;
    struct silence silence = { 0 };
    silence_heard(&silence, 1000);
    expect(&silence, 3000, SILENCE_ASK, 3000);
    expect(&silence, 60000, SILENCE_ASK, 3000);
    expect(&silence, 62999, SILENCE_FINE, 1);
    expect(&silence, 63000, SILENCE_STUCK, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_expected_at_first),
        cmocka_unit_test(test_is_asked_then_stuck),
        cmocka_unit_test(test_any_word_is_an_answer),
        cmocka_unit_test(test_is_asked_again_after_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
