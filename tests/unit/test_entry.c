#include "runner/checks/entry.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "tests/unit/check_place.h"

#include <string.h>
#include <sys/stat.h>

static void test_an_entry_has_what_the_suite_says(void **state)
{
    struct suite_check *check = check_of(*state, "home@phone");
    char reason[] = "not yet";
    check->skip_reason = reason;
    json_auto_t *skipped = entry_create(check, CHECK_SKIPPED);
    json_auto_t *wanted = json_pack(
        "{s:s, s:s, s:{s:s, s:i, s:i, s:f}, s:s, s:[s, s], s:s, s:s}", "id", "home@phone", "name",
        "home", "viewport", "name", "phone", "width", 20, "height", 30, "scale", 2.0, "url",
        "http://host:3000/", "tags", "smoke", "fast", "status", "skipped", "reason", "not yet");
    check->skip_reason = NULL;
    assert_true(json_equal(skipped, wanted));
    json_auto_t *open = entry_create(check, CHECK_NOT_RUN);
    assert_null(json_object_get(open, "reason"));
}

static void test_only_what_there_is_gets_into_the_entry(void **state)
{
    json_auto_t *entry = entry_create(check_of(*state, "home@desktop"), CHECK_ERROR);
    size_t before = json_object_size(entry);
    struct attempt attempt = { .problems = json_array(), .logs = json_array() };
    struct verdict verdict = { .status = CHECK_PASSED };
    entry_add(entry, &attempt, &verdict);
    assert_int_equal(json_object_size(entry), before);
    assert_string_equal(json_member_string(entry, "status"), "passed");
    error_set(&attempt.error, BR_TIMEOUT, "timed out");
    error_hint(&attempt.error, "raise `timeout`");
    json_array_append_new(attempt.problems, json_string("exception: no"));
    verdict.status = CHECK_ERROR;
    char reason[] = "timed out";
    verdict.reason = reason;
    entry_add(entry, &attempt, &verdict);
    assert_string_equal(json_member_string(entry, "errorCode"), "TIMEOUT");
    assert_string_equal(json_member_string(entry, "hint"), "raise `timeout`");
    assert_string_equal(json_member_string(entry, "reason"), "timed out");
    assert_int_equal(json_array_size(json_object_get(entry, "problems")), 1);
    assert_null(json_object_get(entry, "logs"));
    assert_null(json_object_get(entry, "width"));
    attempt_finish(&attempt);
}

/* Returns which pictures of a check are in the report, as a text such as "actual diff". */
static char *written(const struct check_place *place, const json_t *entry)
{
    static const char *const kinds[] = { "actual", "expected", "diff" };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        CLEANUP_FREE char *name = xasprintf("images/home@desktop.%s.png", kinds[i]);
        CLEANUP_FREE char *path = xasprintf("report/%s", name);
        const char *told = json_member_string(json_object_get(entry, "images"), kinds[i]);
        assert_int_equal(told != NULL, is_file(place, path));
        if (told) {
            assert_string_equal(told, name);
            strbuf_add_format(&text, "%s%s", text.length ? " " : "", kinds[i]);
        }
    }
    return xstrdup(text.data ? text.data : "");
}

static void test_pictures_are_written_where_somebody_looks_at_them(void **state)
{
    static const struct {
        enum check_status status;
        bool has_png, has_baseline, has_diff;
        const char *written;
    } cases[] = {
        { CHECK_PASSED, true, true, false, "actual" },
        { CHECK_PASSED, true, true, true, "actual" },
        { CHECK_FLAKY, true, true, true, "actual expected diff" },
        { CHECK_FAILED, true, true, true, "actual expected diff" },
        { CHECK_FAILED, true, true, false, "actual expected" },
        { CHECK_FAILED, true, false, false, "actual" },
        { CHECK_UPDATED, true, true, true, "actual expected diff" },
        { CHECK_NEW, true, false, false, "actual" },
        { CHECK_ERROR, false, true, false, "expected" },
        { CHECK_ERROR, false, false, false, "" },
    };
    const struct check_place *place = *state;
    CLEANUP_FREE char *report = path_in(place, "report");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        char png[] = "png";
        unsigned char picture[] = "diff";
        json_auto_t *entry = entry_create(check_of(place, "home@desktop"), cases[i].status);
        struct attempt attempt = { .png = cases[i].has_png ? png : NULL, .size = 3 };
        struct baseline baseline = { .png = cases[i].has_baseline ? png : NULL, .size = 3 };
        struct verdict verdict = {
            .status = cases[i].status,
            .picture = cases[i].has_diff ? picture : NULL,
            .picture_size = 4,
        };
        assert_true(entry_prepare_report(report, &err));
        assert_true(entry_write_pictures(entry, report, &attempt, &verdict, &baseline, &err));
        CLEANUP_FREE char *kinds = written(place, entry);
        assert_string_equal(kinds, cases[i].written);
    }
}

static void test_a_report_that_was_there_goes_and_other_files_stay(void **state)
{
    static const char *const gone[] = {
        "report/images/home@desktop.actual.png",
        "report/images/home@desktop.expected.png",
        "report/images/home@desktop.diff.png",
        "report/images/a.actual.png@b.actual.png",
        "report/results.json",
        "report/index.html",
    };
    static const char *const kept[] = {
        "report/images/logo.png",
        "report/images/home@desktop.png",
        "report/images/my.actual.png",
        "report/images/home@desktop.actual.png.txt",
        "report/images/notes@home.txt",
        "report/notes.txt",
        "report/junit.xml",
        "report/home@desktop.actual.png",
    };
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *report = path_in(place, "report");
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        put_text(place, gone[i], "x");
    }
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        put_text(place, kept[i], "x");
    }
    assert_true(entry_prepare_report(report, &err));
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        if (is_file(place, gone[i])) {
            fail_msg("%s is still there", gone[i]);
        }
    }
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        if (!is_file(place, kept[i])) {
            fail_msg("%s has gone", kept[i]);
        }
    }
}

static void test_a_report_that_cannot_be_written_is_an_error(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *below_file = path_in(place, "smoke.json/report");
    assert_false(entry_prepare_report(below_file, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "smoke.json/report"));
    put_text(place, "report/images", "a file in the way");
    CLEANUP_FREE char *report = path_in(place, "report");
    assert_false(entry_prepare_report(report, &err));
    assert_non_null(strstr(err.message, "report/images"));
    json_auto_t *entry = entry_create(check_of(place, "home@desktop"), CHECK_NEW);
    char png[] = "png";
    struct attempt attempt = { .png = png, .size = 3 };
    struct verdict verdict = { .status = CHECK_NEW };
    struct baseline baseline = { 0 };
    assert_false(entry_write_pictures(entry, report, &attempt, &verdict, &baseline, &err));
    assert_non_null(strstr(err.message, "home@desktop.actual.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_an_entry_has_what_the_suite_says, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_only_what_there_is_gets_into_the_entry,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_pictures_are_written_where_somebody_looks_at_them,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_report_that_was_there_goes_and_other_files_stay,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_report_that_cannot_be_written_is_an_error,
                                        check_place_set_up, check_place_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
