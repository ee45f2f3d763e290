#include "runner/checks/environment.h"

#include "runner/base/json.h"
#include "tests/unit/check_place.h"

#include <browser_runner/error.h>
#include <string.h>
#include <unistd.h>

/* Returns the present fingerprint of the fonts. Caller frees. */
static char *fonts(void)
{
    json_auto_t *environment = environment_describe(false);
    return xstrdup(json_member_string(environment, "fonts"));
}

static void expect_fonts(const char *before, bool is_same)
{
    CLEANUP_FREE char *now = fonts();
    assert_int_equal(strcmp(now, before) == 0, is_same);
}

static void put_fonts_into(const struct check_place *place)
{
    assert_int_equal(setenv("XDG_DATA_HOME", place->directory, 1), 0);
    assert_int_equal(setenv("HOME", place->directory, 1), 0);
}

static void test_the_fingerprint_is_of_the_names_and_sizes_of_fonts(void **state)
{
    const struct check_place *place = *state;
    put_fonts_into(place);
    CLEANUP_FREE char *without = fonts();
    put_text(place, "fonts/README.txt", "no font");
    expect_fonts(without, true);
    put_text(place, "fonts/a/Sans.TTF", "one");
    CLEANUP_FREE char *with = fonts();
    assert_string_not_equal(with, without);
    put_text(place, "fonts/a/Sans.TTF", "two");
    expect_fonts(with, true); /* font files are not read */
    put_text(place, "fonts/a/Sans.TTF", "three");
    expect_fonts(with, false);
    put_text(place, "fonts/a/Sans.TTF", "one");
    put_text(place, ".fonts/Serif.woff2", "one");
    expect_fonts(with, false);
    CLEANUP_FREE char *serif = path_in(place, ".fonts/Serif.woff2");
    CLEANUP_FREE char *sans = path_in(place, "fonts/a/Sans.TTF");
    CLEANUP_FREE char *elsewhere = path_in(place, "fonts/Sans.TTF");
    assert_int_equal(unlink(serif), 0);
    expect_fonts(with, true);
    assert_int_equal(rename(sans, elsewhere), 0);
    expect_fonts(with, true);
    assert_int_equal(unlink(elsewhere), 0);
    expect_fonts(without, true);
}

static void test_a_circle_of_folders_has_an_end(void **state)
{
    const struct check_place *place = *state;
    put_fonts_into(place);
    put_text(place, "fonts/Sans.otf", "one");
    CLEANUP_FREE char *folder = path_in(place, "fonts");
    CLEANUP_FREE char *circle = path_in(place, "fonts/circle");
    assert_int_equal(symlink(folder, circle), 0);
    CLEANUP_FREE char *first = fonts();
    expect_fonts(first, true);
}

static void test_the_description_names_what_is_here(void **state)
{
    (void)state;
    for (int is_ci = 0; is_ci <= 1; is_ci++) {
        json_auto_t *environment = environment_describe(is_ci);
        assert_string_equal(json_member_string(environment, "runner"), br_version());
        assert_true(strlen(json_member_string(environment, "system")) > 0);
        assert_int_equal(json_member_bool(environment, "ci", !is_ci), is_ci);
        assert_null(json_object_get(environment, "browser"));
    }
}

static void test_a_difference_is_told_as_what_was_there_before(void **state)
{
    (void)state;
    static const struct {
        const char *browser, *fonts, *system; /* of the baseline; NULL: unknown */
        const char *difference;
    } cases[] = {
        { "Chrome/156", "3-ab", "Debian 12", NULL },
        { NULL, NULL, NULL, NULL },
        { "Chrome/150", "3-ab", "Debian 12", "Chrome/150 instead of Chrome/156" },
        { "Chrome/156", "2-cd", "Debian 12", "fonts 2-cd instead of 3-ab" },
        { NULL, NULL, "Fedora 43", "Fedora 43 instead of Debian 12" },
        { "Chrome/150", "2-cd", "Fedora 43",
          "Chrome/150 instead of Chrome/156, fonts 2-cd instead of 3-ab, "
          "Fedora 43 instead of Debian 12" },
    };
    json_auto_t *here = json_pack("{s:s, s:s, s:s, s:b}", "browser", "Chrome/156", "fonts", "3-ab",
                                  "system", "Debian 12", "ci", 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *origin =
            json_pack("{s:s*, s:s*, s:s*, s:i}", "browser", cases[i].browser, "fonts",
                      cases[i].fonts, "system", cases[i].system, "width", 40);
        CLEANUP_FREE char *difference = environment_difference(here, origin);
        if (!cases[i].difference) {
            assert_null(difference);
        } else {
            assert_non_null(difference);
            assert_string_equal(difference, cases[i].difference);
        }
    }
    json_auto_t *odd = json_pack("{s:i, s:[]}", "browser", 5, "fonts");
    assert_null(environment_difference(here, odd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_fingerprint_is_of_the_names_and_sizes_of_fonts,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_circle_of_folders_has_an_end, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test(test_the_description_names_what_is_here),
        cmocka_unit_test(test_a_difference_is_told_as_what_was_there_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
