#include "runner/checks/baseline.h"

#include "runner/base/json.h"
#include "tests/unit/check_place.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static json_t *origin(void)
{
    return json_pack("{s:s, s:s, s:i}", "browser", "Chrome/156.0.1", "fonts", "3-ab", "width", 40);
}

static void test_what_was_written_is_read(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    struct baseline baseline;
    size_t size = 0;
    json_auto_t *given = origin();
    CLEANUP_FREE char *png = make_picture(40, 30, 5, &size);
    assert_true(baseline_write(place->suite, "home@desktop", png, size, given, &err));
    assert_true(is_file(place, "smoke.baselines/home@desktop.json"));
    assert_true(baseline_read(place->suite, "home@desktop", &baseline, &err));
    assert_int_equal(baseline.size, size);
    assert_memory_equal(baseline.png, png, size);
    assert_true(json_equal(baseline.origin, given));
    baseline_finish(&baseline);
    baseline_finish(&baseline);
    CLEANUP_FREE char *text = read_text(place->directory, "smoke.baselines/home@desktop.json");
    assert_string_equal(text + strlen(text) - 2, "}\n");
    assert_true(baseline_write(place->suite, "home@desktop", "other", 5, given, &err));
    assert_true(baseline_read(place->suite, "home@desktop", &baseline, &err));
    assert_int_equal(baseline.size, 5);
    baseline_finish(&baseline);
    for (int times = 0; times < 2; times++) {
        assert_true(baseline_write(place->suite, "home@desktop", png, size, NULL, &err));
        assert_false(is_file(place, "smoke.baselines/home@desktop.json"));
    }
}

static void test_one_that_is_not_there_is_none(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    struct baseline baseline;
    assert_true(baseline_read(place->suite, "home@desktop", &baseline, &err));
    assert_null(baseline.png);
    assert_null(baseline.origin);
    put_text(place, "smoke.baselines/home@phone.json", "{}");
    assert_true(baseline_read(place->suite, "home@phone", &baseline, &err));
    assert_null(baseline.png);
}

static void test_what_is_beside_it_may_be_missing_or_broken(void **state)
{
    const struct check_place *place = *state;
    CLEANUP_FREE char *large = xmalloc(100001);
    memset(large, ' ', 100000);
    memcpy(large, "{}", 2);
    large[100000] = '\0';
    const char *const texts[] = { NULL, "", "{", "[]", "\"text\"", "\xFF", large };
    put_text(place, "smoke.baselines/home@desktop.png", "picture");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct br_error err = { 0 };
        struct baseline baseline;
        if (texts[i]) {
            put_text(place, "smoke.baselines/home@desktop.json", texts[i]);
        }
        assert_true(baseline_read(place->suite, "home@desktop", &baseline, &err));
        assert_string_equal(baseline.png, "picture");
        assert_null(baseline.origin);
        baseline_finish(&baseline);
    }
}

static void test_one_that_cannot_be_read_is_an_error(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    struct baseline baseline;
    put_text(place, "smoke.baselines/home@desktop.png/inside", "a folder, not a file");
    assert_false(baseline_read(place->suite, "home@desktop", &baseline, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "home@desktop.png"));
    assert_null(baseline.png);
}

static void test_where_none_can_be_written_nothing_is_left(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    json_auto_t *given = origin();
    put_text(place, "smoke.baselines/home@desktop.png/inside", "in the way");
    assert_false(baseline_write(place->suite, "home@desktop", "png", 3, given, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "home@desktop.png"));
    assert_false(is_file(place, "smoke.baselines/home@desktop.json"));
    json_auto_t *stale = baseline_stale(place->suite);
    assert_int_equal(json_array_size(stale), 0);
}

static void test_the_folder_may_be_in_the_way(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    json_auto_t *given = origin();
    put_text(place, "smoke.baselines", "a file");
    assert_false(baseline_write(place->suite, "home@desktop", "png", 3, given, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    CLEANUP_FREE char *text = read_text(place->directory, "smoke.baselines");
    assert_string_equal(text, "a file");
}

/* Pictures without a check are stale; other files in the folder are not touched. */
static void test_stale_ones_are_listed_and_pruned_and_nothing_else(void **state)
{
    static const char *const stale_files[] = { "gone@desktop.png", "gone@desktop.json",
                                               "home@tablet.png", "a@b@c.png" };
    static const char *const kept_files[] = {
        "home@desktop.png",   "home@desktop.json",     "README.md", "logo.png", ".hidden@phone.png",
        "other@desktop.json", "gone@desktop.png.orig", "x@y.PNG"
    };
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    json_auto_t *none = baseline_stale(place->suite);
    assert_int_equal(json_array_size(none), 0);
    for (size_t i = 0; i < sizeof(stale_files) / sizeof(stale_files[0]); i++) {
        CLEANUP_FREE char *name = xasprintf("smoke.baselines/%s", stale_files[i]);
        put_text(place, name, "x");
    }
    for (size_t i = 0; i < sizeof(kept_files) / sizeof(kept_files[0]); i++) {
        CLEANUP_FREE char *name = xasprintf("smoke.baselines/%s", kept_files[i]);
        put_text(place, name, "x");
    }
    json_auto_t *stale = baseline_stale(place->suite);
    json_auto_t *wanted =
        json_pack("[s, s, s]", "a@b@c.png", "gone@desktop.png", "home@tablet.png");
    assert_true(json_equal(stale, wanted));
    assert_true(baseline_prune(place->suite, stale, &err));
    for (size_t i = 0; i < sizeof(stale_files) / sizeof(stale_files[0]); i++) {
        CLEANUP_FREE char *name = xasprintf("smoke.baselines/%s", stale_files[i]);
        assert_false(is_file(place, name));
    }
    for (size_t i = 0; i < sizeof(kept_files) / sizeof(kept_files[0]); i++) {
        CLEANUP_FREE char *name = xasprintf("smoke.baselines/%s", kept_files[i]);
        assert_true(is_file(place, name));
    }
    assert_false(baseline_prune(place->suite, stale, &err));
    assert_non_null(strstr(err.message, "a@b@c.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_was_written_is_read, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_one_that_is_not_there_is_none, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_beside_it_may_be_missing_or_broken,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_one_that_cannot_be_read_is_an_error,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_where_none_can_be_written_nothing_is_left,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_the_folder_may_be_in_the_way, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_stale_ones_are_listed_and_pruned_and_nothing_else,
                                        check_place_set_up, check_place_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
