#include "runner/base/clock.h"
#include "runner/cdp/silence.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void expect_with(struct silence *silence, int64_t now_ms, const struct platform_work *work,
                        enum silence_verdict verdict, int64_t wait_ms)
{
    int64_t given_ms = -1;
    assert_int_equal(silence_check(silence, now_ms, work, &given_ms), verdict);
    if (verdict != SILENCE_STUCK) {
        assert_int_equal(given_ms, wait_ms);
    }
}

static void expect(struct silence *silence, int64_t now_ms, enum silence_verdict verdict,
                   int64_t wait_ms)
{
    const struct platform_work unknown = { .ran_us = 0 };
    expect_with(silence, now_ms, &unknown, verdict, wait_ms);
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

/* A browser without a command has nothing to say. Further commands do not postpone the question. */
static void test_is_asked_soon_after_a_command_that_ends_a_pause(void **state)
{
    (void)state;
    struct silence silence = { 0 };
    silence_sent(&silence, 500);
    expect(&silence, 60000, SILENCE_FINE, SILENCE_PATIENCE_MS);
    silence_heard(&silence, 1000);
    silence_sent(&silence, 60000);
    assert_false(silence_needs_work(&silence, 60000));
    expect(&silence, 60000, SILENCE_FINE, SILENCE_FIRST_MS);
    silence_sent(&silence, 60099);
    expect(&silence, 60099, SILENCE_FINE, 1);
    expect(&silence, 60100, SILENCE_ASK, 3000);
    silence_sent(&silence, 60200);
    expect(&silence, 63100, SILENCE_STUCK, 0);

    silence_heard(&silence, 70000);
    silence_sent(&silence, 70001); /* not after a pause */
    expect(&silence, 71999, SILENCE_FINE, 1);
    expect(&silence, 72000, SILENCE_ASK, 3000);
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

/* Returns the first time at which a browser is stuck that was asked at 3000. */
static int64_t stuck_at(struct silence *silence, struct platform_work *work, uint64_t ran_us,
                        uint64_t waited_us)
{
    for (int64_t now_ms = 6000;; now_ms += SILENCE_ANSWER_MS) {
        int64_t wait_ms = 0;
        work->ran_us += ran_us;
        work->waited_us += waited_us;
        assert_true(silence_needs_work(silence, now_ms));
        enum silence_verdict verdict = silence_check(silence, now_ms, work, &wait_ms);
        if (verdict == SILENCE_STUCK) {
            return now_ms;
        }
        assert_int_equal(verdict, SILENCE_FINE);
        assert_int_equal(wait_ms, SILENCE_ANSWER_MS);
        assert_false(silence_needs_work(silence, now_ms));
    }
}

static void test_one_that_works_or_waits_for_a_processor_is_slow(void **state)
{
    (void)state;
    const struct {
        uint64_t ran_us, waited_us; /* between two judgements */
        bool is_stopped, is_incomplete;
        int64_t answer_ms, stuck_at_ms;
    } cases[] = {
        { 0, 0, false, false, 0, 6000 },           /* hangs */
        { 20000, 30000, false, false, 0, 6000 },   /* hangs; other threads wake up */
        { 200000, 0, false, false, 0, 33000 },     /* works all the time */
        { 1000, 2900000, false, false, 0, 33000 }, /* gets no processor */
        { 0, 0, false, false, 12000, 15000 },      /* hangs, after others that hung */
        { 200000, 0, true, false, 0, 6000 },       /* stopped by a signal */
        { 0, 0, true, false, 12000, 6000 },        /* the same, after others */
        { 0, 0, false, true, 0, 33000 },           /* may work; it cannot be read */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct silence silence = { .answer_ms = cases[i].answer_ms };
        struct platform_work work = { .ran_us = 1000000, .waited_us = 500000 };
        silence_heard(&silence, 1000);
        assert_false(silence_needs_work(&silence, 2999));
        assert_true(silence_needs_work(&silence, 3000));
        expect_with(&silence, 3000, &work, SILENCE_ASK, SILENCE_ANSWER_MS);
        work.is_stopped = cases[i].is_stopped;
        work.is_incomplete = cases[i].is_incomplete;
        assert_int_equal(stuck_at(&silence, &work, cases[i].ran_us, cases[i].waited_us),
                         cases[i].stuck_at_ms);
    }
}

static struct platform_work work_of(pid_t pid)
{
    struct platform_work work = { .ran_us = 0 };
    platform_process_add_work(pid, &work);
    return work;
}

static void test_the_work_of_a_process_grows_until_it_is_stopped(void **state)
{
    (void)state;
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    pid_t pid = fork();
    assert_true(pid >= 0);
    while (pid == 0) { /* until it is killed */
    }
    struct platform_work work = work_of(pid);
    while (work.ran_us + work.waited_us < 50000 && !deadline_passed(deadline)) {
        work = work_of(pid);
    }
    assert_false(work.is_stopped);
    kill(pid, SIGSTOP);
    while (!work_of(pid).is_stopped && !deadline_passed(deadline)) {
    }
    struct platform_work stopped = work_of(pid);
    struct platform_work later = work_of(pid);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_false(deadline_passed(deadline));
    assert_int_equal(later.ran_us, stopped.ran_us);
    assert_int_equal(later.waited_us, stopped.waited_us);
    assert_int_equal(work_of(pid).ran_us, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_expected_at_first),
        cmocka_unit_test(test_is_asked_then_stuck),
        cmocka_unit_test(test_any_word_is_an_answer),
        cmocka_unit_test(test_is_asked_soon_after_a_command_that_ends_a_pause),
        cmocka_unit_test(test_is_asked_again_after_a_gap),
        cmocka_unit_test(test_one_that_works_or_waits_for_a_processor_is_slow),
        cmocka_unit_test(test_the_work_of_a_process_grows_until_it_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
