#include "runner/checks/select.h"

#include "runner/base/error.h"
#include "tests/unit/check_place.h"

#include <string.h>

/* Returns the selected ids, separated by spaces; "" and the error if there are none. */
static char *chosen(const struct check_place *place, const struct select_options *options,
                    struct br_error *err)
{
    struct selection selection = { 0 };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!select_checks(place->suite, options, &selection, err)) {
        assert_null(selection.checks);
        return xstrdup("");
    }
    for (size_t i = 0; i < selection.count; i++) {
        strbuf_add_format(&text, "%s%s", i ? " " : "", selection.checks[i]->id);
    }
    selection_finish(&selection);
    selection_finish(&selection);
    return xstrdup(text.data);
}

#define ALL "home@desktop home@phone about@desktop about@phone"

static void test_names_and_tags_choose(void **state)
{
    static const struct {
        const char *names[3], *tags[3];
        const char *ids;
    } cases[] = {
        { { NULL }, { NULL }, ALL },
        { { "home" }, { NULL }, "home@desktop home@phone" },
        { { "me@ph" }, { NULL }, "home@phone" },
        { { "home@desktop" }, { NULL }, "home@desktop" },
        { { "*@phone" }, { NULL }, "home@phone about@phone" },
        { { "[ab]*@desktop" }, { NULL }, "about@desktop" },
        { { "abou?" }, { NULL }, "about@desktop about@phone" },
        { { "about", "home@phone" }, { NULL }, "home@phone about@desktop about@phone" },
        { { NULL }, { "slow" }, "about@desktop about@phone" },
        { { NULL }, { "fast", "slow" }, ALL },
        { { "*@phone" }, { "smoke" }, "home@phone" },
        { { "about" }, { "smoke" }, "" },
        { { "Home" }, { NULL }, "" },
        { { NULL }, { "smok" }, "" },
        { { "[" }, { NULL }, "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct select_options options = { .names = cases[i].names, .tags = cases[i].tags };
        CLEANUP_FREE char *ids = chosen(*state, &options, &err);
        if (strcmp(ids, cases[i].ids) != 0) {
            fail_msg("case %zu: %s", i, ids);
        }
        assert_int_equal(err.code, *ids ? BR_OK : BR_INVALID_ACTION);
        assert_int_equal(strstr(err.hint, "--filter") != NULL, !*ids);
    }
    struct br_error err = { 0 };
    CLEANUP_FREE char *ids = chosen(*state, &(struct select_options){ 0 }, &err);
    assert_string_equal(ids, ALL);
}

static void test_shards_part_the_checks_and_only_the_first_has_those_skipped(void **state)
{
    const struct check_place *place = *state;
    check_of(place, "home@phone")->is_skipped = true;
    for (int total = 1; total <= 3; total++) {
        size_t ran = 0;
        size_t skipped = 0;
        for (int index = 1; index <= total; index++) {
            struct br_error err = { 0 };
            struct selection selection;
            struct select_options options = { .shard_index = index, .shard_total = total };
            assert_true(select_checks(place->suite, &options, &selection, &err));
            for (size_t i = 0; i < selection.count; i++) {
                ran += !selection.checks[i]->is_skipped;
                skipped += selection.checks[i]->is_skipped;
                assert_true(index == 1 || !selection.checks[i]->is_skipped);
            }
            selection_finish(&selection);
        }
        assert_int_equal(ran, 3);
        assert_int_equal(skipped, 1);
    }
}

static void test_a_shard_without_a_check_is_empty(void **state)
{
    struct br_error err = { 0 };
    struct selection selection;
    struct select_options options = { .shard_index = 5, .shard_total = 5 };
    const struct check_place *place = *state;
    assert_true(select_checks(place->suite, &options, &selection, &err));
    assert_int_equal(selection.count, 0);
    selection_finish(&selection);
}

static void test_shards_are_dealt_by_the_times_of_the_run_before(void **state)
{
    /* about@phone is missing: its time is assumed to be that of the others, 3 s. */
    json_auto_t *timings = json_pack("{s:[{s:s, s:i}, {s:s, s:i}, {s:s, s:i}]}", "checks", "id",
                                     "home@desktop", "durationMs", 500, "id", "home@phone",
                                     "durationMs", 6000, "id", "about@desktop", "durationMs", 2500);
    static const char *const wanted[] = { "home@phone", "home@desktop about@desktop about@phone" };
    struct br_error err = { 0 };
    for (int index = 1; index <= 2; index++) {
        struct select_options options = { .shard_index = index,
                                          .shard_total = 2,
                                          .timings = timings };
        CLEANUP_FREE char *ids = chosen(*state, &options, &err);
        assert_string_equal(ids, wanted[index - 1]);
    }
}

static void test_shards_that_were_dealt_differently_can_be_told(void **state)
{
    json_auto_t *timings = json_pack("{s:[{s:s, s:i}, {s:s, s:i}]}", "checks", "id", "about@phone",
                                     "durationMs", 9000, "id", "home@desktop", "durationMs", 100);
    static const char *const names[] = { "home", NULL };
    struct br_error err = { 0 };
    struct select_options ways[] = { { .shard_index = 1, .shard_total = 2 },
                                     { .shard_index = 2, .shard_total = 2 },
                                     { .shard_index = 2, .shard_total = 2, .timings = timings },
                                     { .shard_index = 2, .shard_total = 2, .names = names } };
    struct selection selections[4];
    const struct check_place *place = *state;
    for (size_t i = 0; i < 4; i++) {
        assert_true(select_checks(place->suite, &ways[i], &selections[i], &err));
    }
    assert_string_equal(selections[0].deal, selections[1].deal);
    assert_string_not_equal(selections[0].deal, selections[2].deal);
    assert_string_not_equal(selections[0].deal, selections[3].deal);
    for (size_t i = 0; i < 4; i++) {
        selection_finish(&selections[i]);
    }
}

static void test_what_is_skipped_is_chosen_like_the_others(void **state)
{
    struct br_error err = { 0 };
    const struct check_place *place = *state;
    static const char *const names[] = { "home", NULL };
    check_of(place, "home@phone")->is_skipped = true;
    CLEANUP_FREE char *ids = chosen(place, &(struct select_options){ .names = names }, &err);
    assert_string_equal(ids, "home@desktop home@phone");
}

static void test_a_name_to_approve_is_meant_whole(void **state)
{
    (void)state;
    static const struct {
        const char *wanted;
        bool is_meant;
    } cases[] = {
        { "home", true }, { "home@phone", true }, { "*", true },         { "h?me", true },
        { "ho*", true },  { "*@phone", true },    { "hom", false },      { "phone", false },
        { "", false },    { "home@", false },     { "home@pho", false }, { "[", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (select_matches(cases[i].wanted, "home@phone", "home") != cases[i].is_meant) {
            fail_msg("%s", cases[i].wanted);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_and_tags_choose, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(
            test_shards_part_the_checks_and_only_the_first_has_those_skipped, check_place_set_up,
            check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_shards_are_dealt_by_the_times_of_the_run_before,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_shards_that_were_dealt_differently_can_be_told,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_shard_without_a_check_is_empty, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_skipped_is_chosen_like_the_others,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test(test_a_name_to_approve_is_meant_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
