#include "runner/checks/report/results.h"

#include "runner/base/memory.h"
#include "runner/checks/report/command.h"
#include "runner/checks/report/report.h"
#include "tests/unit/report_place.h"

#include <stdio.h>
#include <string.h>

static void test_sample_when_checked(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    json_auto_t *results = sample_results();
    json_auto_t *hostile = hostile_results();
    assert_true(results_check(results, "here", &err));
    assert_true(results_check(hostile, "here", &err));
    assert_string_equal(err.message, "");
}

/* Each case sets a value (JSON; NULL removes it) where it is invalid; the error names the place. */
static void test_faults_when_checked(void **state)
{
    (void)state;
    static const struct {
        const char *check; /* NULL: in the document itself */
        const char *object, *key, *value, *message;
    } faults[] = {
        { NULL, NULL, "version", "2", "version is not 1" },
        { NULL, NULL, "suite", "7", "suite is not a text" },
        { NULL, NULL, "complete", NULL, "complete is missing" },
        { NULL, NULL, "durationMs", "-1", "durationMs is not a number that is not negative" },
        { NULL, NULL, "startedAt", "1e300", "startedAt is not a number" },
        { "home", NULL, "attempts", "9000000000000000000", "attempts is not an integer" },
        { NULL, NULL, "warnings", "\"x\"", "warnings is not a list of texts" },
        { NULL, NULL, "warnings", "[\"x\", 1]", "warnings[1] is not a text" },
        { NULL, NULL, "checks", "{}", "checks is not a list of objects" },
        { NULL, NULL, "checks", "[1]", "checks[0] is not an object" },
        { NULL, NULL, "groups", "[{\"fingerprint\":\"x\"}]", "groups[0].checks is missing" },
        { "home", NULL, "id", "\"\"", "checks[0].id is empty" },
        { "about", NULL, "id", "\"home@desktop\"",
          "checks[1].id is also the id of an earlier check" },
        { "about", NULL, "status", "\"odd\"", "checks[1].status is not a status" },
        { "home", NULL, "attempts", "1.5", "checks[0].attempts is not an integer" },
        { "home", NULL, "viewport", "[]", "checks[0].viewport is not an object" },
        { "home", "viewport", "width", "\"1\"", "checks[0].viewport.width is not an integer" },
        { "home", "comparison", "regions", "[{\"x\":-1}]", "comparison.regions[0].x is not an" },
        { "home", NULL, "approve", "\"a\\nrm -rf x\"",
          "checks[0].approve has a control character" },
        { "home", "images", "diff", "\"/etc/passwd\"", "checks[0].images.diff is no file in" },
        { "home", "images", "diff", "\"images/../x.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images/..\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images/a/b.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images/\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images\\\\x.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images/a\\\\b.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"images/a\\u0000.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "\"file:///images/a.png\"", "images.diff is no file in" },
        { "home", "images", "diff", "5", "checks[0].images.diff is not a text" },
    };
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct br_error err = { 0 };
        json_auto_t *results = sample_results();
        json_t *object = faults[i].check ? sample_check(results, faults[i].check) : results;
        object = faults[i].object ? json_object_get(object, faults[i].object) : object;
        if (faults[i].value) {
            json_t *value = json_loads(faults[i].value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
            assert_int_equal(json_object_set_new(object, faults[i].key, value), 0);
        } else {
            json_object_del(object, faults[i].key);
        }
        assert_false(results_check(results, "here.json", &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        if (!strstr(err.message, faults[i].message) ||
            strncmp(err.message, "here.json: ", strlen("here.json: ")) != 0) {
            fail_msg("\"%s\" does not tell \"%s\"", err.message, faults[i].message);
        }
    }
}

static void test_no_object_when_checked(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    json_auto_t *array = json_array();
    assert_false(results_check(array, "here", &err));
    assert_non_null(strstr(err.message, "here: is not an object"));
}

static void test_report_when_loaded(void **state)
{
    struct br_error err = { 0 };
    const char *directory = *state;
    json_auto_t *results = sample_results();
    json_auto_t *none = report_load(directory, &err);
    assert_null(none);
    assert_non_null(strstr(err.message, "results.json"));
    assert_true(report_write(results, directory, &err));
    json_auto_t *loaded = report_load(directory, &err);
    assert_true(json_equal(loaded, results));
}

static void test_totals_and_groups_when_made(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    json_auto_t *totals = report_totals(results_checks(results));
    json_auto_t *groups = report_groups(results_checks(results));
    assert_true(json_equal(totals, json_object_get(results, "totals")));
    assert_true(json_equal(groups, json_object_get(results, "groups")));
    json_object_set_new(sample_check(results, "about"), "status", json_string("passed"));
    json_auto_t *fewer = report_groups(results_checks(results));
    assert_int_equal(json_array_size(fewer), 0);
}

static void test_command_when_quoted(void **state)
{
    (void)state;
    static const struct {
        const char *suite, *report, *id, *command;
    } cases[] = {
        { "tests/smoke.json", NULL, "home@desktop",
          "browser-runner check tests/smoke.json --approve home@desktop" },
        { "s.json", "out-1", NULL, "browser-runner check s.json --report out-1" },
        { "my suite.json", "a;b", "x",
          "browser-runner check 'my suite.json' --report 'a;b' "
          "--approve x" },
        { "it's", "$(x)", "`", "browser-runner check 'it'\\''s' --report '$(x)' --approve '`'" },
        { "s", "", "\xC3\xA4", "browser-runner check s --report '' --approve '\xC3\xA4'" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *command = approve_command(cases[i].suite, cases[i].report, cases[i].id);
        assert_string_equal(command, cases[i].command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_when_checked),
        cmocka_unit_test(test_faults_when_checked),
        cmocka_unit_test(test_no_object_when_checked),
        cmocka_unit_test_setup_teardown(test_report_when_loaded, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test(test_totals_and_groups_when_made),
        cmocka_unit_test(test_command_when_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
