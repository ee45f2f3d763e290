#include "runner/base/memory.h"
#include "runner/checks/report/report.h"
#include "tests/unit/report_place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_parts(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        if (!strstr(text, *parts)) {
            fail_msg("\"%s\" is not in %s", *parts, text);
        }
    }
}

static char *markdown_of(const json_t *results, const char *directory)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = xasprintf("%s/summary.md", directory);
    unlink(path);
    assert_true(report_append_markdown(results, path, &err));
    return read_text(directory, "summary.md");
}

static char *annotations_of(const json_t *results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    report_print_annotations(results, stream);
    fclose(stream);
    return text;
}

static char *terminal_of(const json_t *results, bool has_colors)
{
    const struct report_terminal terminal = { .directory = "out/report", .has_colors = has_colors };
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    report_print(results, &terminal, stream);
    fclose(stream);
    return text;
}

/* Makes copies of one check, each with its own id. */
static void multiply(json_t *results, const char *name, size_t count)
{
    const json_t *check = sample_check(results, name);
    for (size_t i = 0; i < count; i++) {
        json_t *copy = json_deep_copy(check);
        json_object_set_new(copy, "id", json_sprintf("%s-%zu@desktop", name, i));
        json_object_set_new(copy, "name", json_sprintf("%s-%zu", name, i));
        json_array_append_new(json_object_get(results, "checks"), copy);
    }
}

static size_t line_count(const char *text, const char *prefix)
{
    size_t count = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        count += strncmp(line, prefix, strlen(prefix)) == 0;
    }
    return count;
}

static void test_markdown_when_appended(void **state)
{
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *text = markdown_of(results, *state);
    static const char *const parts[] = {
        "### Visual checks of <code>tests/smoke.json</code>",
        "💥 1 error · ❌ 3 failed",
        "| <code>home&#64;desktop</code> | failed | 1,234 of 921,600 pixels differ &#40;0.134 %",
        "the same change is in 2 checks",
        "> 1 baseline belongs to no check; --prune removes it.",
        NULL,
    };
    expect_parts(text, parts);
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = xasprintf("%s/summary.md", (const char *)*state);
    assert_true(report_append_markdown(results, path, &err));
    CLEANUP_FREE char *both = read_text(*state, "summary.md");
    assert_int_equal(strlen(both), 2 * strlen(text));
    assert_false(report_append_markdown(results, *state, &err));
    assert_non_null(strstr(err.message, *state));
}

static void test_hostile_texts_in_markdown(void **state)
{
    json_auto_t *results = hostile_results();
    CLEANUP_FREE char *text = markdown_of(results, *state);
    /* Table rows and quotations stay lines of their own, with four cells each. */
    assert_int_equal(line_count(text, "| <code>"), 6);
    assert_int_equal(line_count(text, "::error"), 0);
    static const char *const absent[] = { "<script", "<b ",  "](javascript", "\x1B",
                                          "`x`",     "\x01", "\xC2\x9B",     "\xE2\x80\xAE" };
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        assert_null(strstr(text, absent[i]));
    }
}

static void test_many_checks_in_markdown(void **state)
{
    json_auto_t *results = sample_results();
    multiply(results, "home", 3000);
    CLEANUP_FREE char *text = markdown_of(results, *state);
    assert_int_equal(line_count(text, "| <code>"), 50);
    assert_non_null(strstr(text, "2956 more are in the report"));
}

static void test_annotations_when_printed(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *text = annotations_of(results);
    static const char *const parts[] = {
        "::error file=tests/smoke.json,title=slow@desktop::selector #chart never showed within",
        "::error file=tests/smoke.json,title=home@desktop::1,234 of 921,600 pixels differ (0.134 "
        "%25), 0 are allowed%0Ain the report: images/home@desktop.diff.png%0Ato approve: "
        "browser-runner check smoke.json --approve home@desktop\n",
        "%0Aconsole error: boom (app.js:3:7)%0AGET /x.png: 404%0A",
        "::warning file=tests/smoke.json,title=visual checks::baselines were made with",
        "::warning file=tests/smoke.json,title=shaky@desktop::passed in attempt 2",
        NULL,
    };
    expect_parts(text, parts);
    assert_int_equal(line_count(text, ""), 6);
    assert_int_equal(line_count(text, "::"), 6);
}

static void test_hostile_texts_in_annotations(void **state)
{
    (void)state;
    json_auto_t *results = hostile_results();
    CLEANUP_FREE char *text = annotations_of(results);
    /* Each line is a command of ours: none begins inside a text. */
    assert_int_equal(line_count(text, ""), 6);
    assert_int_equal(line_count(text, "::error file=") + line_count(text, "::warning file="), 6);
    assert_null(strpbrk(text, "\r\x1B\x01"));
    assert_null(strstr(text, "\xC2\x9B"));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    assert_non_null(strstr(text, "%3A%3Aerror%3A%3Aboom%2C%250A"));
}

static void test_many_annotations_when_printed(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    multiply(results, "home", 100);
    multiply(results, "shaky", 100);
    CLEANUP_FREE char *text = annotations_of(results);
    assert_int_equal(line_count(text, "::error"), 10);
    assert_int_equal(line_count(text, "::warning"), 10);
    assert_non_null(strstr(text, "95 more checks failed"));
}

static void test_terminal_when_printed(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *text = terminal_of(results, false);
    static const char *const parts[] = {
        "  error    slow@desktop: selector #chart never showed within 15000 ms\n",
        "  failed   about@desktop: 1,234 of 921,600 pixels differ (0.134 %), 0 are allowed\n"
        "           console error: boom (app.js:3:7)\n           GET /x.png: 404\n",
        "  flaky    shaky@desktop: passed in attempt 2\n           unstable: two pictures",
        "warning: baselines were made with Chromium/150.0.7000.1\n",
        "stale: 1 baseline belongs to no check; --prune removes it\n",
        "9 checks: 1 error, 3 failed, 1 new, 1 flaky, 1 not run, 1 skipped, 1 passed, in 5.3 s\n",
        "report: out/report/index.html\n",
        "approve: browser-runner check smoke.json --approve home@desktop --approve about@desktop "
        "--approve shop@desktop\n",
        NULL,
    };
    expect_parts(text, parts);
    assert_null(strchr(text, '\x1B'));
    CLEANUP_FREE char *colored = terminal_of(results, true);
    assert_non_null(strstr(colored, "\x1B[31mfailed\x1B[0m"));
}

/* Every format gives the reason, and the picture that shows it. */
static void test_unstable_new_pictures_come_first(void **state)
{
    (void)state;
    static const char *const parts[] = { "about-39@desktop", "unstable: it moves", NULL };
    json_auto_t *results = sample_results();
    json_t *checks = json_object_get(results, "checks");
    size_t before = json_array_size(checks);
    multiply(results, "about", 40);
    for (size_t i = before; i < json_array_size(checks); i++) {
        json_object_set_new(json_array_get(checks, i), "status", json_string("new"));
    }
    json_t *last = json_array_get(checks, json_array_size(checks) - 1);
    json_object_set_new(last, "unstable", json_pack("[s]", "it moves"));
    CLEANUP_FREE char *text = terminal_of(results, false);
    expect_parts(text, parts);
}

static void test_a_flaky_check_has_its_reason_and_picture(void **state)
{
    json_auto_t *results = sample_results();
    json_t *shaky = sample_check(results, "shaky");
    json_object_set_new(shaky, "reason",
                        json_string("passed in attempt 2; attempt 1: 16 of 40 pixels differ"));
    json_object_set_new(shaky, "images",
                        json_pack("{s:s, s:s}", "actual", "images/shaky@desktop.actual.png", "diff",
                                  "images/shaky@desktop.diff.png"));
    CLEANUP_FREE char *markdown = markdown_of(results, *state);
    CLEANUP_FREE char *annotations = annotations_of(results);
    assert_non_null(strstr(markdown, "attempt 1&#58; 16 of 40 pixels differ | "
                                     "<code>images/shaky&#64;desktop.diff.png</code> |\n"));
    assert_non_null(
        strstr(annotations, "::passed in attempt 2; attempt 1: 16 of 40 pixels differ%0A"));
    assert_non_null(strstr(annotations, "%0Ain the report: images/shaky@desktop.diff.png\n"));
}

static void test_an_error_has_its_cure(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    json_object_set_new(sample_check(results, "slow"), "hint", json_string("raise `timeout`"));
    CLEANUP_FREE char *text = terminal_of(results, false);
    CLEANUP_FREE char *annotations = annotations_of(results);
    assert_non_null(strstr(text, " within 15000 ms\n           raise `timeout`\n"));
    assert_non_null(strstr(annotations, " within 15000 ms%0Araise `timeout`"));
}

static void test_viewports_of_a_check_are_approved_by_one_glob(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    json_t *phone = json_deep_copy(sample_check(results, "home"));
    json_object_set_new(phone, "id", json_string("home@phone"));
    json_object_set_new(phone, "approve",
                        json_string("browser-runner check smoke.json --approve home@phone"));
    json_array_append_new(json_object_get(results, "checks"), phone);
    CLEANUP_FREE char *text = terminal_of(results, false);
    assert_non_null(strstr(text, "approve: browser-runner check smoke.json --approve 'home@*' "
                                 "--approve about@desktop --approve shop@desktop\n"));
}

static void test_problems_that_the_reason_tells(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    json_object_set_new(sample_check(results, "about"), "reason",
                        json_string("2 errors of the page: GET /x.png: 404; and one more"));
    CLEANUP_FREE char *text = terminal_of(results, false);
    assert_non_null(strstr(text, "           console error: boom (app.js:3:7)\n"));
    assert_null(strstr(text, "           GET /x.png"));
    CLEANUP_FREE char *annotations = annotations_of(results);
    assert_non_null(strstr(annotations, "%0Aconsole error: boom"));
    assert_null(strstr(annotations, "%0AGET /x.png"));
}

static void test_hostile_texts_on_a_terminal(void **state)
{
    (void)state;
    json_auto_t *plain = sample_results();
    json_auto_t *results = hostile_results();
    /* Problems are omitted if the reason is the same text. */
    json_object_set_new(json_array_get(json_object_get(results, "checks"), 1), "reason",
                        json_string("another one"));
    CLEANUP_FREE char *text = terminal_of(results, false);
    CLEANUP_FREE char *plain_text = terminal_of(plain, false);
    assert_null(strchr(text, '\x1B'));
    assert_null(strchr(text, '\r'));
    assert_null(strchr(text, '\x01'));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    assert_int_equal(line_count(text, "::"), 0);
    assert_int_equal(line_count(text, ""), line_count(plain_text, ""));
}

static void test_many_checks_on_a_terminal(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    multiply(results, "home", 1000);
    CLEANUP_FREE char *text = terminal_of(results, false);
    assert_int_equal(line_count(text, "  failed "), 29);
    assert_non_null(strstr(text, "  and 976 more\n"));
    assert_non_null(
        strstr(text, "approve all 1003: browser-runner check smoke.json --approve '*'\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_markdown_when_appended, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_texts_in_markdown, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test_setup_teardown(test_many_checks_in_markdown, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test(test_annotations_when_printed),
        cmocka_unit_test(test_hostile_texts_in_annotations),
        cmocka_unit_test(test_many_annotations_when_printed),
        cmocka_unit_test(test_terminal_when_printed),
        cmocka_unit_test(test_problems_that_the_reason_tells),
        cmocka_unit_test_setup_teardown(test_a_flaky_check_has_its_reason_and_picture,
                                        directory_set_up, directory_tear_down),
        cmocka_unit_test(test_unstable_new_pictures_come_first),
        cmocka_unit_test(test_an_error_has_its_cure),
        cmocka_unit_test(test_viewports_of_a_check_are_approved_by_one_glob),
        cmocka_unit_test(test_hostile_texts_on_a_terminal),
        cmocka_unit_test(test_many_checks_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
