#include "runner/page/core/navigation_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The meaning of a state, by aspect. */
struct meaning {
    bool is_open;  /* a navigation was requested */
    bool is_ours;  /* by us */
    bool is_begun; /* another document was begun */
};

static const struct meaning meanings[NAVIGATION_STATE_COUNT] = {
    [NAVIGATION_RESTS] = { false, false, false }, [NAVIGATION_COMES] = { false, false, true },
    [NAVIGATION_ASKED] = { true, false, false },  [NAVIGATION_ASKED_COMES] = { true, false, true },
    [NAVIGATION_WANTED] = { true, true, false },  [NAVIGATION_WANTED_COMES] = { true, true, true },
};

/* The expected rules, one aspect at a time. */
static struct meaning expected(struct meaning now, enum navigation_signal signal)
{
    switch (signal) {
    case NAVIGATION_IS_WANTED:
        now.is_ours = true;
        now.is_open = true;
        break;
    case NAVIGATION_IS_ASKED_FOR:
        now.is_open = true;
        break;
    case NAVIGATION_BEGINS:
    case NAVIGATION_BEGINS_WITHIN:
        now.is_begun = signal == NAVIGATION_BEGINS;
        break;
    case NAVIGATION_IS_WITHIN:
    case NAVIGATION_IS_WITHIN_BY_SCRIPT:
        if (!now.is_begun && !(now.is_ours && signal == NAVIGATION_IS_WITHIN_BY_SCRIPT)) {
            now.is_open = false;
            now.is_ours = false;
        }
        break;
    case NAVIGATION_IS_GIVEN_UP:
        now.is_open = false;
        now.is_ours = false;
        break;
    default:
        now = (struct meaning){ 0 };
        break;
    }
    return now;
}

static void test_every_transition_follows_the_rules(void **state)
{
    (void)state;
    for (int from = 0; from < NAVIGATION_STATE_COUNT; from++) {
        for (int signal = 0; signal < NAVIGATION_SIGNAL_COUNT; signal++) {
            struct meaning wanted = expected(meanings[from], (enum navigation_signal)signal);
            enum navigation_state to =
                navigation_next((enum navigation_state)from, (enum navigation_signal)signal);
            assert_int_equal(meanings[to].is_open, wanted.is_open);
            assert_int_equal(meanings[to].is_ours, wanted.is_ours);
            assert_int_equal(meanings[to].is_begun, wanted.is_begun);
            assert_int_equal(navigation_is_open(to), wanted.is_open);
        }
    }
}

/* Chrome's events of one navigation from its start, and the resulting state. */
static void test_ways_of_navigations(void **state)
{
    (void)state;
    static const struct {
        enum navigation_signal signals[4];
        size_t count;
        enum navigation_state end;
    } ways[] = {
        { { NAVIGATION_IS_WANTED, NAVIGATION_BEGINS, NAVIGATION_IS_ASKED_FOR, NAVIGATION_IS_OVER },
          4,
          NAVIGATION_RESTS },
        /* a script that pushes states does not end a navigation of ours */
        { { NAVIGATION_IS_WANTED, NAVIGATION_IS_WITHIN_BY_SCRIPT }, 2, NAVIGATION_WANTED },
        { { NAVIGATION_IS_ASKED_FOR, NAVIGATION_IS_WITHIN_BY_SCRIPT }, 2, NAVIGATION_RESTS },
        /* a fragment does, unless another document is on its way */
        { { NAVIGATION_IS_WANTED, NAVIGATION_BEGINS_WITHIN, NAVIGATION_IS_WITHIN },
          3,
          NAVIGATION_RESTS },
        { { NAVIGATION_IS_WANTED, NAVIGATION_BEGINS, NAVIGATION_IS_WITHIN },
          3,
          NAVIGATION_WANTED_COMES },
        { { NAVIGATION_IS_WANTED, NAVIGATION_IS_GIVEN_UP }, 2, NAVIGATION_RESTS },
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        enum navigation_state now = NAVIGATION_RESTS;
        for (size_t j = 0; j < ways[i].count; j++) {
            now = navigation_next(now, ways[i].signals[j]);
        }
        assert_int_equal(now, ways[i].end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_transition_follows_the_rules),
        cmocka_unit_test(test_ways_of_navigations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
