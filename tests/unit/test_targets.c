#include "runner/cdp/targets.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

/* Owners are addresses. */
static const char a, b;

static void test_a_tab_is_of_one_owner(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    assert_true(targets_claim(targets, "T1", &a));
    assert_true(targets_claim(targets, "T1", &a));
    assert_false(targets_claim(targets, "T1", &b));
    assert_ptr_equal(targets_owner(targets, "T1", NULL), &a);
    targets_release(targets, "T1", &b);
    assert_ptr_equal(targets_owner(targets, "T1", NULL), &a);
    targets_release(targets, "T1", &a);
    assert_null(targets_owner(targets, "T1", NULL));
    assert_true(targets_claim(targets, "T1", &b));
    targets_destroy(targets);
}

static void test_what_a_tab_opens_is_of_its_owner(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    assert_true(targets_claim(targets, "T1", &a));
    assert_null(targets_owner(targets, "T2", "T9"));
    assert_ptr_equal(targets_owner(targets, "T2", "T1"), &a);
    assert_ptr_equal(targets_owner(targets, "T3", "T2"), &a);
    targets_release(targets, "T1", &a);
    assert_ptr_equal(targets_owner(targets, "T3", NULL), &a);
    assert_false(targets_claim(targets, "T3", &b));
    targets_destroy(targets);
}

static void test_who_leaves_owns_nothing(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    targets_join(targets, &a, NULL);
    targets_join(targets, &b, NULL);
    assert_true(targets_claim(targets, "T1", &a));
    assert_true(targets_claim(targets, "T2", &b));
    assert_true(targets_claim(targets, "T3", &a));
    targets_leave(targets, &a);
    assert_null(targets_owner(targets, "T1", NULL));
    assert_null(targets_owner(targets, "T3", NULL));
    assert_ptr_equal(targets_owner(targets, "T2", NULL), &b);
    targets_leave(targets, &a);
    targets_destroy(targets);
    targets_destroy(NULL);
}

static void test_alone_is_who_has_its_context_for_itself(void **state)
{
    (void)state;
    static const struct {
        const char *of_a, *of_b;
        bool is_alone;
    } cases[] = {
        { NULL, NULL, false },
        { "C1", "C1", false },
        { NULL, "C1", true },
        { "C1", "C2", true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct targets *targets = targets_create();
        targets_join(targets, &a, cases[i].of_a);
        assert_true(targets_is_alone(targets, &a));
        targets_join(targets, &b, cases[i].of_b);
        assert_int_equal(targets_is_alone(targets, &a), cases[i].is_alone);
        targets_leave(targets, &b);
        assert_true(targets_is_alone(targets, &a));
        targets_destroy(targets);
    }
}

static void test_making_is_seen_by_others(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    targets_join(targets, &a, NULL);
    targets_join(targets, &b, NULL);
    targets_begin_making(targets, &a, false, deadline_in_ms(0));
    assert_false(targets_is_making(targets, &a));
    assert_true(targets_is_making(targets, &b));
    targets_begin_making(targets, &b, false, deadline_in_ms(60000)); /* without a wait */
    targets_end_making(targets, &b);
    targets_end_making(targets, &a);
    assert_false(targets_is_making(targets, &b));
    targets_destroy(targets);
}

static void *make_second(void *data)
{
    struct targets *targets = data;
    targets_begin_making(targets, &b, true, deadline_in_ms(60000));
    assert_false(targets_is_making(targets, &b)); /* the first one is finished */
    targets_end_making(targets, &b);
    return NULL;
}

static void test_where_tabs_wait_one_makes_a_tab_at_a_time(void **state)
{
    (void)state;
    pthread_t second;
    struct targets *targets = targets_create();
    targets_join(targets, &a, NULL);
    targets_join(targets, &b, NULL);
    targets_begin_making(targets, &a, true, deadline_in_ms(60000));
    assert_int_equal(pthread_create(&second, NULL, make_second, targets), 0);
    assert_false(targets_is_making(targets, &a));
    targets_begin_making(targets, &b, true, deadline_in_ms(0)); /* it times out, but not forever */
    targets_end_making(targets, &b);
    targets_end_making(targets, &a);
    pthread_join(second, NULL);
    targets_destroy(targets);
}

struct joining {
    struct targets *targets;
    atomic_bool has_left; /* the first page has left */
    bool came_after;      /* the second one joined after that */
};

static void *join_second(void *data)
{
    struct joining *joining = data;
    targets_join(joining->targets, &b, NULL);
    joining->came_after = atomic_load(&joining->has_left);
    return NULL;
}

/* A page that joins after the last one has left makes tabs only when auto-attach is off. */
static void test_no_page_joins_while_the_last_one_leaves(void **state)
{
    (void)state;
    pthread_t second;
    struct targets *targets = targets_create();
    struct joining joining = { .targets = targets };
    targets_join(targets, &a, NULL);
    assert_false(targets_begin_leaving(targets, &a)); /* no tabs were paused */
    targets_join(targets, &a, NULL);
    targets_join(targets, &b, NULL);
    assert_true(targets_hold(targets, true));
    assert_false(targets_begin_leaving(targets, &b));
    targets_join_client(targets, &targets, NULL);
    assert_true(targets_begin_leaving(targets, &a));
    targets_leave(targets, &targets);
    targets_join_client(targets, &targets, NULL); /* without a wait */
    assert_int_equal(pthread_create(&second, NULL, join_second, &joining), 0);
    /* Time to join too early, which it must not do however long this is. */
    nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    atomic_store(&joining.has_left, true);
    targets_end_leaving(targets);
    pthread_join(second, NULL);
    assert_true(joining.came_after);
    assert_false(targets_are_held(targets));
    targets_destroy(targets);
}

static void test_leftovers_are_looked_for_once_and_after_a_loss(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    assert_true(targets_has_leftovers(targets));
    targets_settle(targets);
    assert_false(targets_has_leftovers(targets));
    targets_lose(targets);
    assert_true(targets_has_leftovers(targets));
    targets_destroy(targets);
}

/* A page whose script does not end keeps its turn for 3 s, and then does not end another's. */
static void test_a_turn_to_draw_ends_by_itself(void **state)
{
    (void)state;
    struct targets *targets = targets_create();
    assert_true(targets_begin_frame(targets, &a, deadline_in_ms(0)));
    assert_false(targets_begin_frame(targets, &b, deadline_in_ms(0)));
    assert_true(targets_begin_frame(targets, &b, deadline_in_ms(60000)));
    targets_end_frame(targets, &a);
    assert_false(targets_begin_frame(targets, &a, deadline_in_ms(0)));
    targets_end_frame(targets, &b);
    assert_true(targets_begin_frame(targets, &a, deadline_in_ms(0)));
    targets_destroy(targets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tab_is_of_one_owner),
        cmocka_unit_test(test_what_a_tab_opens_is_of_its_owner),
        cmocka_unit_test(test_who_leaves_owns_nothing),
        cmocka_unit_test(test_alone_is_who_has_its_context_for_itself),
        cmocka_unit_test(test_making_is_seen_by_others),
        cmocka_unit_test(test_where_tabs_wait_one_makes_a_tab_at_a_time),
        cmocka_unit_test(test_no_page_joins_while_the_last_one_leaves),
        cmocka_unit_test(test_leftovers_are_looked_for_once_and_after_a_loss),
        cmocka_unit_test(test_a_turn_to_draw_ends_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
