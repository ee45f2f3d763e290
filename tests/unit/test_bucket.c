#include "runner/net/bucket.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_bucket_without_a_rate_never_waits(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(bucket_take(&bucket, 0, 0, 5), 0);
    }
}

static void test_bucket_gives_a_burst_and_then_the_rate(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bucket_take(&bucket, 10, 5, 1000), 0);
    }
    assert_int_equal(bucket_take(&bucket, 10, 5, 1000), 100);
    assert_int_equal(bucket_take(&bucket, 10, 5, 1100), 100);
    assert_int_equal(bucket_take(&bucket, 10, 5, 1250), 50);
}

static void test_bucket_fills_up_to_the_burst(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    for (int i = 0; i < 3; i++) {
        bucket_take(&bucket, 10, 3, 1000);
    }
    assert_int_equal(bucket_take(&bucket, 10, 3, 100000), 0);
    assert_int_equal(bucket_take(&bucket, 10, 3, 100000), 0);
    assert_int_equal(bucket_take(&bucket, 10, 3, 100000), 100);
}

static void test_bucket_without_a_burst_gives_one(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    assert_int_equal(bucket_take(&bucket, 4, 0, 1000), 250);
    assert_int_equal(bucket_take(&bucket, 4, 0, 1250), 250);
}

static void test_bucket_takes_any_rate(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    assert_int_equal(bucket_take(&bucket, INT_MAX, 1, 1000), 1);
    assert_int_equal(bucket_take(&bucket, INT_MAX, INT_MAX, 1000), 0);
    assert_int_equal(bucket_take(&bucket, -1, -1, 1000), 0);
}

static void test_bucket_leaves_out_what_is_over_the_limit(void **state)
{
    (void)state;
    struct bucket bucket = { 0 };
    assert_true(bucket_admits(&bucket, 10, 2, 1000));
    assert_true(bucket_admits(&bucket, 10, 2, 1000));
    for (int i = 0; i < 1000; i++) {
        assert_false(bucket_admits(&bucket, 10, 2, 1099));
    }
    assert_true(bucket_admits(&bucket, 10, 2, 1100));
    assert_false(bucket_admits(&bucket, 10, 2, 1199));
    assert_true(bucket_admits(&bucket, 10, 2, 5000));
    assert_true(bucket_admits(&bucket, 10, 2, 5000));
    assert_false(bucket_admits(&bucket, 10, 2, 5000));
    assert_true(bucket_admits(&bucket, 0, 2, 5000));
    assert_true(bucket_admits(&bucket, 1, INT_MAX, 5000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket_without_a_rate_never_waits),
        cmocka_unit_test(test_bucket_gives_a_burst_and_then_the_rate),
        cmocka_unit_test(test_bucket_fills_up_to_the_burst),
        cmocka_unit_test(test_bucket_without_a_burst_gives_one),
        cmocka_unit_test(test_bucket_takes_any_rate),
        cmocka_unit_test(test_bucket_leaves_out_what_is_over_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
