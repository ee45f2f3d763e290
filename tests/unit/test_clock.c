#include "runner/base/clock.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct deadline in_us(int64_t us)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (struct deadline){ .at_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 + us };
}

static void test_now(void **state)
{
    (void)state;
    int64_t wall_ms = clock_wall_ms();
    assert_true(wall_ms / 1000 - (int64_t)time(NULL) <= 1);
    assert_true((int64_t)time(NULL) - wall_ms / 1000 <= 1);
    int64_t before = clock_monotonic_ms();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t after = clock_monotonic_ms();
    int64_t now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    assert_true(before <= now_ms && now_ms <= after);
}

static void test_left_is_rounded_up(void **state)
{
    (void)state;
    /* A minute, so that a slow machine only changes the last digits. */
    struct deadline deadline = in_us(60 * 1000 * 1000);
    int64_t left_ms = deadline_left_ms(deadline);
    assert_true(left_ms > 0 && left_ms <= 60 * 1000);
    /* Less than a millisecond counts as one until the deadline has passed. */
    for (int i = 0; i < 1000; i++) {
        deadline = in_us(900);
        left_ms = deadline_left_ms(deadline);
        assert_true(left_ms == 1 || (left_ms == 0 && deadline_passed(deadline)));
    }
}

static void test_waiting_what_is_left_reaches_the_deadline(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct deadline deadline = in_us(700);
        int64_t left_ms = deadline_left_ms(deadline);
        struct timespec wait = { .tv_nsec = (long)left_ms * 1000000 };
        nanosleep(&wait, NULL);
        assert_true(deadline_passed(deadline));
        assert_int_equal(deadline_left_ms(deadline), 0);
    }
}

static void test_what_was_called_off_has_passed(void **state)
{
    (void)state;
    atomic_bool is_off = false;
    struct deadline deadline = in_us(60 * 1000 * 1000);
    deadline.is_off = &is_off;
    struct deadline earlier = deadline_earlier(in_us(50 * 1000 * 1000), deadline);
    assert_false(deadline_passed(earlier));
    atomic_store(&is_off, true);
    assert_true(deadline_passed(deadline));
    assert_true(deadline_passed(earlier));
    assert_int_equal(deadline_left_ms(earlier), 0);
}

struct wait {
    pid_t waiting; /* the thread */
    atomic_bool is_off;
};

static void *call_off(void *data)
{
    struct wait *wait = data;
    await_asleep(wait->waiting);
    atomic_store(&wait->is_off, true);
    return NULL;
}

static void test_a_wait_ends_when_it_is_called_off(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_cond_t condition;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct wait wait = { .waiting = gettid() };
    struct deadline deadline = in_us(60 * 1000 * 1000);
    deadline.is_off = &wait.is_off;
    condition_init(&condition);
    assert_int_equal(pthread_create(&thread, NULL, call_off, &wait), 0);
    pthread_mutex_lock(&mutex);
    while (condition_wait(&condition, &mutex, deadline)) {
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&condition);
    assert_true(atomic_load(&wait.is_off));
}

static void test_passed(void **state)
{
    (void)state;
    assert_true(deadline_passed(deadline_in_ms(0)));
    assert_true(deadline_passed(deadline_in_ms(-5)));
    assert_false(deadline_passed(deadline_in_ms(60000)));
    assert_int_equal(deadline_left_ms(deadline_in_ms(-5)), 0);
}

static void test_extremes(void **state)
{
    (void)state;
    assert_false(deadline_passed(deadline_in_ms(INT64_MAX)));
    assert_true(deadline_left_ms(deadline_in_ms(INT64_MAX)) > INT64_MAX / 2000);
    assert_false(deadline_passed(deadline_in_ms(INT64_MAX / 1000)));
    assert_true(deadline_passed(deadline_in_ms(INT64_MIN)));
    assert_int_equal(deadline_left_ms(deadline_in_ms(INT64_MIN)), 0);
}

static void test_earlier(void **state)
{
    (void)state;
    struct deadline a = { .at_us = 1 };
    struct deadline b = { .at_us = 2 };
    assert_int_equal(deadline_earlier(a, b).at_us, 1);
    assert_int_equal(deadline_earlier(b, a).at_us, 1);
    assert_int_equal(deadline_earlier(b, b).at_us, 2);
}

static void test_timespec(void **state)
{
    (void)state;
    struct timespec at = deadline_timespec((struct deadline){ .at_us = 12345678 });
    assert_int_equal(at.tv_sec, 12);
    assert_int_equal(at.tv_nsec, 345678000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_now),
        cmocka_unit_test(test_left_is_rounded_up),
        cmocka_unit_test(test_waiting_what_is_left_reaches_the_deadline),
        cmocka_unit_test(test_passed),
        cmocka_unit_test(test_what_was_called_off_has_passed),
        cmocka_unit_test(test_a_wait_ends_when_it_is_called_off),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_earlier),
        cmocka_unit_test(test_timespec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
