#include "runner/checks/verdict.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "tests/unit/check_place.h"

#include <string.h>

enum { WIDTH = 40, HEIGHT = 30, PIXELS = WIDTH * HEIGHT };

/* An attempt and its baseline, both of the viewport's size unless a test changes them. */
struct pair {
    struct attempt attempt;
    struct baseline baseline;
    struct verdict verdict;
};

static void pair_init(struct pair *pair, size_t changed)
{
    *pair = (struct pair){ 0 };
    pair->attempt = (struct attempt){ .width = WIDTH, .height = HEIGHT, .problems = json_array() };
    pair->attempt.png = make_picture(WIDTH, HEIGHT, changed, &pair->attempt.size);
    pair->baseline.png = make_picture(WIDTH, HEIGHT, 0, &pair->baseline.size);
}

static void pair_finish(struct pair *pair)
{
    attempt_finish(&pair->attempt);
    baseline_finish(&pair->baseline);
    verdict_finish(&pair->verdict);
}

static void judge(const struct check_place *place, struct pair *pair, enum update_mode mode)
{
    verdict_finish(&pair->verdict);
    verdict_make(check_of(place, "home@desktop"), &pair->attempt, &pair->baseline, mode, true,
                 &pair->verdict);
}

static void expect(const struct pair *pair, enum check_status status, bool is_written,
                   const char *words)
{
    const char *reason = pair->verdict.reason ? pair->verdict.reason : "";
    if (pair->verdict.status != status || pair->verdict.is_written != is_written ||
        !strstr(reason, words)) {
        fail_msg("%s, %swritten: \"%s\" without \"%s\"", status_name(pair->verdict.status),
                 pair->verdict.is_written ? "" : "not ", reason, words);
    }
    assert_int_equal(verdict_is_bad(&pair->verdict),
                     status == CHECK_FAILED || status == CHECK_ERROR);
}

static void test_pixels_may_differ_up_to_the_smaller_limit(void **state)
{
    static const struct {
        int64_t pixels; /* maxDiffPixels; -1: not given */
        double ratio;
        size_t changed;
        bool is_passed;
    } cases[] = {
        { -1, -1, 0, true },           { -1, -1, 40, false },
        { 0, -1, 40, false },          { 40, -1, 40, true },
        { 39, -1, 40, false },         { 41, -1, 40, true },
        { -1, 40.0 / 1200, 40, true }, { -1, 39.0 / 1200, 40, false },
        { -1, 0, 40, false },          { -1, 1, 800, true },
        { 40, 1, 40, true },           { 39, 1, 40, false },
        { 1200, 0.001, 40, false },    { 1200, 0.5, 400, true },
        { 0, 1, 40, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pair pair;
        struct suite_check *check = check_of(*state, "home@desktop");
        check->max_diff_pixels = cases[i].pixels;
        check->max_diff_ratio = cases[i].ratio;
        check->counts_antialias = true;
        pair_init(&pair, cases[i].changed);
        judge(*state, &pair, UPDATE_NONE);
        if (verdict_is_bad(&pair.verdict) == cases[i].is_passed) {
            fail_msg("case %zu: %s", i, pair.verdict.reason ? pair.verdict.reason : "passed");
        }
        assert_int_equal(json_member_number(pair.verdict.comparison, "diffPixels", -1),
                         cases[i].changed);
        pair_finish(&pair);
    }
}

static void test_a_difference_is_told_with_its_place_and_picture(void **state)
{
    struct pair pair;
    struct br_image drawn = { 0 };
    struct br_error err;
    pair_init(&pair, 2 * WIDTH);
    judge(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_FAILED, false, "80 of 1200 pixels differ (6.67 %), 0 are allowed");
    const json_t *comparison = pair.verdict.comparison;
    assert_int_equal(json_member_number(comparison, "allowedPixels", -1), 0);
    assert_false(json_member_bool(comparison, "layoutDiffers", true));
    const json_t *region = json_array_get(json_object_get(comparison, "regions"), 0);
    assert_int_equal(json_member_number(region, "width", 0), WIDTH);
    assert_int_equal(json_member_number(region, "height", 0), 2);
    assert_true(strlen(json_member_string(comparison, "fingerprint")) > 0);
    assert_true(br_png_decode(pair.verdict.picture, pair.verdict.picture_size, &drawn, &err));
    assert_int_equal(drawn.width, WIDTH);
    br_image_finish(&drawn);
    pair_finish(&pair);
}

/* Judges where pictures that are probably wrong do not become baselines. */
static void doubt(const struct check_place *place, struct pair *pair, enum update_mode mode)
{
    verdict_finish(&pair->verdict);
    verdict_make(check_of(place, "home@desktop"), &pair->attempt, &pair->baseline, mode, false,
                 &pair->verdict);
}

static void test_a_doubtful_picture_is_not_written(void **state)
{
    struct pair pair;
    pair_init(&pair, 40);
    doubt(*state, &pair, UPDATE_CHANGED);
    expect(&pair, CHECK_UPDATED, true, "the baseline was replaced");
    pair.attempt.errors = json_pack("[s, s]", "console error: one", "console error: two");
    doubt(*state, &pair, UPDATE_CHANGED);
    expect(&pair, CHECK_FAILED, false,
           "0 are allowed; this picture does not become the baseline: the page has 2 errors on its "
           "console, the first: console error: one; --allow-errors accepts it");
    doubt(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_FAILED, false, "pixels differ");
    assert_null(strstr(pair.verdict.reason, "--allow-errors"));
    pair_finish(&pair);

    pair_init(&pair, 0); /* all white */
    free(pair.baseline.png);
    pair.baseline = (struct baseline){ 0 };
    doubt(*state, &pair, UPDATE_MISSING);
    expect(&pair, CHECK_FAILED, false, "the picture is empty: all of it is #ffffff");
    char selector[] = "#swatch";
    check_of(*state, "home@desktop")->selector = selector;
    doubt(*state, &pair, UPDATE_MISSING);
    expect(&pair, CHECK_NEW, true, "there was no baseline");
    check_of(*state, "home@desktop")->selector = NULL;
    pair_finish(&pair);
}

static void set_picture(struct pair *pair, int width, int height, size_t changed)
{
    free(pair->attempt.png);
    pair->attempt.png = make_picture(width, height, changed, &pair->attempt.size);
    pair->attempt.width = width;
    pair->attempt.height = height;
}

static void test_another_size_fails_whatever_is_allowed(void **state)
{
    struct pair pair;
    check_of(*state, "home@desktop")->max_diff_ratio = 1;
    pair_init(&pair, 0);
    set_picture(&pair, WIDTH, HEIGHT + 1, 0);
    judge(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_FAILED, false,
           "the size differs: the picture is 40x31, the baseline 40x30, and 40 of 1240 pixels "
           "differ (3.23 %); maxDiffPixels and maxDiffRatio allow no other size, allowSizeChange "
           "does");
    assert_true(json_member_bool(pair.verdict.comparison, "layoutDiffers", false));
    judge(*state, &pair, UPDATE_CHANGED);
    expect(&pair, CHECK_UPDATED, true, "the baseline was replaced: the size differs");
    pair_finish(&pair);
}

static void test_a_size_may_change_where_that_is_allowed(void **state)
{
    static const struct {
        int more_width, more_height;
        size_t changed;
        int64_t max_pixels;
        const char *reason; /* NULL: passes */
    } cases[] = {
        { 0, 0, 0, -1, NULL },
        { 0, 2, 0, -1, NULL },
        { 0, -2, 0, -1, NULL },
        { 1, 0, 0, -1, NULL },
        { -2, 1, 0, -1, NULL },
        { 2, -1, 0, -1, NULL },
        { 2, 2, 0, 0, NULL },
        { 0, 3, 0, 5000, "more than allowSizeChange allows" },
        { -3, 0, 0, 5000, "more than allowSizeChange allows" },
        { 0, 1, 10, -1, "10 of 1240 pixels differ (0.806 %), 0 are allowed" },
        { 0, 1, 10, 10, NULL },
        { 0, 1, 10, 9, "9 are allowed" },
    };
    struct suite_check *check = check_of(*state, "home@desktop");
    check->allowed_size_change = 2;
    check->counts_antialias = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pair pair;
        check->max_diff_pixels = cases[i].max_pixels;
        pair_init(&pair, 0);
        set_picture(&pair, WIDTH + cases[i].more_width, HEIGHT + cases[i].more_height,
                    cases[i].changed);
        judge(*state, &pair, UPDATE_NONE);
        const char *reason = pair.verdict.reason ? pair.verdict.reason : "";
        bool is_as_meant = verdict_is_bad(&pair.verdict) == (cases[i].reason != NULL) &&
                           strstr(reason, cases[i].reason ? cases[i].reason : "");
        if (!is_as_meant) {
            fail_msg("case %zu: %s", i, reason);
        }
        pair_finish(&pair);
    }
}

static void test_a_baseline_is_written_as_the_mode_says(void **state)
{
    enum baseline_kind { SAME, ALLOWED, OTHER, MISSING };
    static const struct {
        enum baseline_kind kind;
        enum update_mode mode;
        enum check_status status;
        bool is_written;
    } cases[] = {
        { SAME, UPDATE_NONE, CHECK_PASSED, false },
        { SAME, UPDATE_MISSING, CHECK_PASSED, false },
        { SAME, UPDATE_CHANGED, CHECK_PASSED, false },
        { SAME, UPDATE_ALL, CHECK_PASSED, false },
        { ALLOWED, UPDATE_NONE, CHECK_PASSED, false },
        { ALLOWED, UPDATE_MISSING, CHECK_PASSED, false },
        { ALLOWED, UPDATE_CHANGED, CHECK_PASSED, false },
        { ALLOWED, UPDATE_ALL, CHECK_UPDATED, true },
        { OTHER, UPDATE_NONE, CHECK_FAILED, false },
        { OTHER, UPDATE_MISSING, CHECK_FAILED, false },
        { OTHER, UPDATE_CHANGED, CHECK_UPDATED, true },
        { OTHER, UPDATE_ALL, CHECK_UPDATED, true },
        { MISSING, UPDATE_NONE, CHECK_FAILED, false },
        { MISSING, UPDATE_MISSING, CHECK_NEW, true },
        { MISSING, UPDATE_CHANGED, CHECK_NEW, true },
        { MISSING, UPDATE_ALL, CHECK_NEW, true },
    };
    check_of(*state, "home@desktop")->max_diff_pixels = 40;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pair pair;
        enum baseline_kind kind = cases[i].kind;
        pair_init(&pair, kind == SAME ? 0 : kind == ALLOWED ? WIDTH : 2 * WIDTH);
        if (kind == MISSING) {
            baseline_finish(&pair.baseline);
        }
        judge(*state, &pair, cases[i].mode);
        if (pair.verdict.status != cases[i].status ||
            pair.verdict.is_written != cases[i].is_written) {
            fail_msg("case %zu: %s", i, status_name(pair.verdict.status));
        }
        assert_int_equal(pair.verdict.reason != NULL, cases[i].status != CHECK_PASSED);
        pair_finish(&pair);
    }
}

static void test_errors_of_the_page_fail_only_where_they_are_asked_for(void **state)
{
    struct pair pair;
    struct suite_check *check = check_of(*state, "home@desktop");
    pair_init(&pair, 0);
    json_array_append_new(pair.attempt.problems, json_string("GET /x: HTTP status 404"));
    judge(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_PASSED, false, "");
    check->expects_no_errors = true;
    judge(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_FAILED, false, "1 error of the page");
    json_array_append_new(pair.attempt.problems, json_string("exception: no"));
    judge(*state, &pair, UPDATE_ALL);
    expect(&pair, CHECK_FAILED, false, "2 errors of the page");
    free(pair.attempt.png);
    pair.attempt.png = make_picture(WIDTH, HEIGHT, 40, &pair.attempt.size);
    judge(*state, &pair, UPDATE_CHANGED);
    expect(&pair, CHECK_FAILED, false, "allowed; 2 errors of the page");
    baseline_finish(&pair.baseline);
    judge(*state, &pair, UPDATE_MISSING);
    expect(&pair, CHECK_FAILED, false, "2 errors of the page");
    assert_null(pair.verdict.comparison);
    pair_finish(&pair);
}

static void test_a_page_with_an_http_error_says_so_when_it_becomes_the_baseline(void **state)
{
    struct pair pair;
    pair_init(&pair, 40);
    pair.attempt.http_status = 404;
    judge(*state, &pair, UPDATE_NONE);
    assert_null(strstr(pair.verdict.reason, "404"));
    judge(*state, &pair, UPDATE_CHANGED);
    expect(&pair, CHECK_UPDATED, true, "the page answered with HTTP status 404");
    baseline_finish(&pair.baseline);
    judge(*state, &pair, UPDATE_MISSING);
    expect(&pair, CHECK_NEW, true, "this picture is it; the page answered with HTTP status 404");
    pair.attempt.http_status = 200;
    judge(*state, &pair, UPDATE_MISSING);
    assert_null(strstr(pair.verdict.reason, "HTTP"));
    pair_finish(&pair);
}

static void test_a_corrupt_baseline_is_an_error_that_an_update_mends(void **state)
{
    static const char *const broken[] = { "", "version https://git-lfs.github.com/spec/v1\n",
                                          "\x89PNG\r\n\x1A\n" };
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        struct pair pair;
        pair_init(&pair, 0);
        free(pair.baseline.png);
        pair.baseline.png = xstrdup(broken[i]);
        pair.baseline.size = strlen(broken[i]);
        judge(*state, &pair, UPDATE_NONE);
        expect(&pair, CHECK_ERROR, false, "the baseline");
        assert_null(pair.verdict.comparison);
        judge(*state, &pair, UPDATE_MISSING);
        expect(&pair, CHECK_ERROR, false, "--update");
        judge(*state, &pair, UPDATE_CHANGED);
        expect(&pair, CHECK_UPDATED, true, "the baseline was replaced: ");
        judge(*state, &pair, UPDATE_ALL);
        expect(&pair, CHECK_UPDATED, true, "the baseline was replaced: ");
        pair_finish(&pair);
    }
}

/* A valid baseline is not replaced by a corrupt picture. */
static void test_a_corrupt_picture_never_becomes_the_baseline(void **state)
{
    struct pair pair;
    pair_init(&pair, 0);
    memset(pair.attempt.png, 'x', pair.attempt.size);
    judge(*state, &pair, UPDATE_NONE);
    expect(&pair, CHECK_ERROR, false, "the picture");
    judge(*state, &pair, UPDATE_ALL);
    expect(&pair, CHECK_ERROR, false, "the picture");
    pair_finish(&pair);
}

static void test_an_attempt_without_a_picture_is_its_error(void **state)
{
    struct pair pair;
    pair_init(&pair, 40);
    error_set(&pair.attempt.error, BR_TIMEOUT, "ready.selector: timed out");
    judge(*state, &pair, UPDATE_ALL);
    expect(&pair, CHECK_ERROR, false, "ready.selector: timed out");
    assert_null(pair.verdict.comparison);
    assert_null(pair.verdict.picture);
    pair_finish(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pixels_may_differ_up_to_the_smaller_limit,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_difference_is_told_with_its_place_and_picture,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_size_may_change_where_that_is_allowed,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_another_size_fails_whatever_is_allowed,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_doubtful_picture_is_not_written, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_baseline_is_written_as_the_mode_says,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_errors_of_the_page_fail_only_where_they_are_asked_for,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_page_with_an_http_error_says_so_when_it_becomes_the_baseline, check_place_set_up,
            check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_corrupt_baseline_is_an_error_that_an_update_mends,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_corrupt_picture_never_becomes_the_baseline,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_an_attempt_without_a_picture_is_its_error,
                                        check_place_set_up, check_place_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
