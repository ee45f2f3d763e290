#include "runner/checks/approve.h"

#include "runner/base/json.h"
#include "runner/checks/baseline.h"
#include "runner/checks/report/report.h"
#include "tests/unit/check_place.h"

#include <string.h>
#include <unistd.h>

static json_t *entry(const char *id, const char *status, bool has_picture)
{
    CLEANUP_FREE char *name = xstrndup(id, strcspn(id, "@"));
    CLEANUP_FREE char *actual = xasprintf("images/%s.actual.png", id);
    json_t *result =
        json_pack("{s:s, s:s, s:{s:s, s:i, s:i, s:f}, s:s, s:i, s:i}", "id", id, "name", name,
                  "viewport", "name", id + strlen(name) + 1, "width", 40, "height", 30, "scale",
                  2.0, "status", status, "width", 80, "height", 60);
    if (has_picture) {
        json_object_set_new(result, "images", json_pack("{s:s}", "actual", actual));
    }
    return result;
}

/* Each check's picture has as many black pixels as there are checks before it. */
enum { PHONE = 1 };

static char *picture_of(size_t check, size_t *ret_size)
{
    return make_picture(8, 6, check, ret_size);
}

/* Writes a report with a check of each kind, and its pictures. */
static char *put_report(const struct check_place *place)
{
    struct br_error err = { 0 };
    json_auto_t *checks =
        json_pack("[o, o, o, o, o]", entry("home@desktop", "failed", true),
                  entry("home@phone", "failed", true), entry("about@desktop", "passed", true),
                  entry("about@phone", "error", false), entry("gone@desktop", "failed", true));
    size_t index;
    json_t *check;
    json_array_foreach (checks, index, check) {
        const char *id = json_member_string(check, "id");
        CLEANUP_FREE char *name = xasprintf("report/images/%s.actual.png", id);
        size_t size = 0;
        CLEANUP_FREE char *png = picture_of(index, &size);
        put_file(place, name, png, size);
    }
    json_auto_t *results = json_pack(
        "{s:i, s:s, s:I, s:i, s:b, s:{s:s, s:s, s:b, s:s}, s:o, s:o, s:O}", "version", 1, "suite",
        "smoke.json", "startedAt", (json_int_t)1732200000000, "durationMs", 5, "complete", 1,
        "environment", "browser", "Chrome/156", "fonts", "3-ab", "ci", 1, "runner", "1", "totals",
        report_totals(checks), "groups", report_groups(checks), "checks", checks);
    char *report = path_in(place, "report");
    if (!report_write(results, report, &err)) {
        fail_msg("%s", err.message);
    }
    return report;
}

static void expect_nothing_written(const struct check_place *place)
{
    assert_false(is_file(place, "smoke.baselines"));
}

static void test_pictures_become_baselines_by_id_name_and_glob(void **state)
{
    static const struct {
        const char *names[4], *ids;
    } cases[] = {
        { { "home@phone" }, "[\"home@phone\"]" },
        { { "home" }, "[\"home@desktop\", \"home@phone\"]" },
        { { "h*" }, "[\"home@desktop\", \"home@phone\"]" },
        { { "home@phone", "home@desktop" }, "[\"home@phone\", \"home@desktop\"]" },
        { { "home@phone", "home", "home@*" }, "[\"home@phone\", \"home@desktop\"]" },
    };
    const struct check_place *place = *state;
    CLEANUP_FREE char *report = put_report(place);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        json_auto_t *ids = approve(place->suite, report, cases[i].names, &err);
        json_auto_t *wanted = json_loads(cases[i].ids, 0, NULL);
        if (!ids || !json_equal(ids, wanted)) {
            CLEANUP_FREE char *text = json_dumps(ids, JSON_ENCODE_ANY);
            fail_msg("case %zu: %s %s", i, text ? text : "", err.message);
        }
    }
}

static void test_the_origin_is_that_of_the_report(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    struct baseline baseline;
    static const char *const names[] = { "home@phone", NULL };
    CLEANUP_FREE char *report = put_report(place);
    json_auto_t *ids = approve(place->suite, report, names, &err);
    assert_non_null(ids);
    assert_true(baseline_read(place->suite, "home@phone", &baseline, &err));
    size_t size = 0;
    CLEANUP_FREE char *png = picture_of(PHONE, &size);
    assert_int_equal(baseline.size, size);
    assert_memory_equal(baseline.png, png, size);
    json_auto_t *wanted = json_pack("{s:s, s:s, s:i, s:i, s:f}", "browser", "Chrome/156", "fonts",
                                    "3-ab", "width", 80, "height", 60, "scale", 2.0);
    assert_true(json_equal(baseline.origin, wanted));
    baseline_finish(&baseline);
    assert_false(is_file(place, "smoke.baselines/home@desktop.png"));
}

static void test_what_cannot_be_approved_is_said_and_nothing_is_written(void **state)
{
    static const struct {
        const char *names[3], *message, *hint;
    } cases[] = {
        { { "nowhere" }, "no check \"nowhere\" in ", "--report DIR" },
        { { "" }, "no check \"\" in ", "--report DIR" },
        { { "about@desktop" }, "nothing to approve: about@desktop is \"passed\"", "" },
        { { "about@phone" }, "nothing to approve: about@phone is ", "" },
        { { "gone" }, "smoke.json has no check gone@desktop", "" },
        { { "*" }, "smoke.json has no check gone@desktop", "" },
        { { "home", "nowhere" }, "no check \"nowhere\" in ", "--report DIR" },
        { { "home", "about" }, "nothing to approve: about@", "" },
    };
    const struct check_place *place = *state;
    CLEANUP_FREE char *report = put_report(place);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        assert_null(approve(place->suite, report, cases[i].names, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        if (!strstr(err.message, cases[i].message) || !strstr(err.hint, cases[i].hint)) {
            fail_msg("case %zu: %s; %s", i, err.message, err.hint);
        }
        expect_nothing_written(place);
    }
}

static void test_a_picture_that_has_gone_keeps_all_from_being_written(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    static const char *const names[] = { "home", NULL };
    CLEANUP_FREE char *report = put_report(place);
    CLEANUP_FREE char *picture = path_in(place, "report/images/home@phone.actual.png");
    assert_int_equal(unlink(picture), 0);
    assert_null(approve(place->suite, report, names, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "home@phone.actual.png"));
    expect_nothing_written(place);
}

static void test_what_is_no_picture_keeps_all_from_being_written(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    static const char *const names[] = { "home", NULL };
    CLEANUP_FREE char *report = put_report(place);
    put_text(place, "report/images/home@phone.actual.png", "no picture");
    assert_null(approve(place->suite, report, names, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "home@phone.actual.png is no picture"));
    expect_nothing_written(place);
}

static void test_without_a_report_there_is_nothing_to_approve(void **state)
{
    const struct check_place *place = *state;
    struct br_error err = { 0 };
    static const char *const names[] = { "home", NULL };
    CLEANUP_FREE char *report = path_in(place, "report");
    assert_null(approve(place->suite, report, names, &err));
    assert_non_null(strstr(err.message, "report/results.json"));
    put_text(place, "report/results.json", "{\"version\": 1");
    assert_null(approve(place->suite, report, names, &err));
    put_text(place, "report/results.json", "{\"version\": 1, \"checks\": 5}");
    assert_null(approve(place->suite, report, names, &err));
    expect_nothing_written(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pictures_become_baselines_by_id_name_and_glob,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_the_origin_is_that_of_the_report, check_place_set_up,
                                        check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_approved_is_said_and_nothing_is_written,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_picture_keeps_all_from_being_written,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_a_picture_that_has_gone_keeps_all_from_being_written,
                                        check_place_set_up, check_place_tear_down),
        cmocka_unit_test_setup_teardown(test_without_a_report_there_is_nothing_to_approve,
                                        check_place_set_up, check_place_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
