#include "runner/checks/report/page.h"

#include "runner/base/json.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "tests/unit/report_place.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the text of <script … id="ID">, up to its end for a browser. Caller frees. */
static char *script_text(const char *page, const char *id)
{
    CLEANUP_FREE char *mark = xasprintf("id=\"%s\">", id);
    const char *start = strstr(page, mark);
    assert_non_null(start);
    start += strlen(mark);
    const char *end = strcasestr(start, "</script");
    assert_non_null(end);
    return xstrndup(start, (size_t)(end - start));
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strcasestr(at, part)); at++) {
        count++;
    }
    return count;
}

static char *make_page(const json_t *results)
{
    struct strbuf page = STRBUF_INIT(STRBUF_UNCAPPED);
    page_add(&page, results, false);
    return strbuf_take(&page);
}

static void test_hostile_texts_when_embedded(void **state)
{
    (void)state;
    json_auto_t *plain = sample_results();
    json_auto_t *hostile = hostile_results();
    CLEANUP_FREE char *plain_page = make_page(plain);
    CLEANUP_FREE char *page = make_page(hostile);
    /* Three scripts and a style, the same number as with harmless texts. */
    static const char *const marks[] = { "<script", "</script", "<!--", "<style", "</style", "{{" };
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        size_t texts = strcmp(marks[i], "{{") == 0 ? occurrences(page, "{{script}}") : 0;
        assert_int_equal(occurrences(page, marks[i]), occurrences(plain_page, marks[i]) + texts);
    }
    assert_int_equal(occurrences(page, "<script"), 3);
    assert_int_equal(occurrences(page, "<b onclick"), 0);
    assert_true(occurrences(page, "\\u003cb onclick") > 50);
}

static void test_results_when_read_by_the_page(void **state)
{
    (void)state;
    json_auto_t *results = hostile_results();
    CLEANUP_FREE char *page = make_page(results);
    CLEANUP_FREE char *text = script_text(page, "results");
    json_auto_t *read = json_loads(text, 0, NULL);
    const json_t *checks = results_checks(read);
    assert_non_null(read);
    assert_int_equal(json_array_size(checks), 9);
    for (size_t i = 0; i < 9; i++) {
        assert_string_equal(results_text(json_array_get(checks, i), "url"), hostile_text);
    }
    const json_t *slow = json_array_get(checks, 3);
    assert_int_equal(json_member_number(slow, "logCount", 0), 1);
    assert_null(json_object_get(slow, "logs"));
    /* A line of details for each check. */
    CLEANUP_FREE char *details = script_text(page, "details");
    const char *line = details;
    for (size_t i = 0; i < 9; i++) {
        const char *end = strchr(line, '\n');
        json_auto_t *detail = json_loadb(line, (size_t)(end - line), 0, NULL);
        assert_int_equal(json_array_size(json_object_get(detail, "logs")), i == 3);
        assert_int_equal(json_array_size(json_object_get(detail, "networkFailures")), i == 3);
        line = end + 1;
    }
    assert_string_equal(line, "");
}

static void test_many_and_long_logs_when_embedded(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    json_t *logs = json_array();
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    while (message.length < 100 * 1000) {
        strbuf_add_string(&message, "ä€𝄞");
    }
    for (size_t i = 0; i < 500; i++) {
        json_array_append_new(logs,
                              json_pack("{s:s, s:s}", "type", "info", "message", message.data));
    }
    json_object_set_new(sample_check(results, "home"), "logs", logs);
    CLEANUP_FREE char *page = make_page(results);
    assert_in_range(strlen(page), 200 * 1000, 600 * 1000);
    CLEANUP_FREE char *details = script_text(page, "details");
    json_auto_t *first = json_loadb(details, strcspn(details, "\n"), 0, NULL);
    const json_t *kept = json_object_get(first, "logs");
    assert_int_equal(json_array_size(kept), 100);
    const char *text = results_text(json_array_get(kept, 0), "message");
    assert_in_range(strlen(text), 1990, 2003);
    assert_string_equal(text + strlen(text) - strlen("…"), "…");
    CLEANUP_FREE char *results_of_page = script_text(page, "results");
    assert_non_null(strstr(results_of_page, "\"logCount\":500"));
}

static void test_policy_when_read(void **state)
{
    (void)state;
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *page = make_page(results);
    const char *policy = strstr(page, "Content-Security-Policy");
    assert_non_null(policy);
    assert_non_null(strstr(policy, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page, "unsafe-inline"));
    assert_null(strstr(page, "http-equiv=\"refresh"));
    assert_true(strstr(page, "<style") > policy);
}

static void test_files_when_written(void **state)
{
    const char *directory = *state;
    struct br_error err = { 0 };
    struct stat info;
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *page_path = xasprintf("%s/index.html", directory);
    assert_int_equal(chmod(directory, 0755), 0);
    assert_true(report_write(results, directory, &err));
    assert_int_equal(stat(page_path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    CLEANUP_FREE char *first = read_text(directory, "index.html");
    assert_true(report_write(results, directory, &err));
    CLEANUP_FREE char *second = read_text(directory, "index.html");
    assert_string_equal(first, second);
    glob_t found;
    CLEANUP_FREE char *pattern = xasprintf("%s/*", directory);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    globfree(&found);
}

static void test_report_when_it_cannot_be_written(void **state)
{
    const char *directory = *state;
    struct br_error err = { 0 };
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *nowhere = xasprintf("%s/none", directory);
    assert_false(report_write(results, nowhere, &err));
    assert_non_null(strstr(err.message, "none/results.json"));
    /* The page cannot replace a directory. */
    CLEANUP_FREE char *page = xasprintf("%s/index.html", directory);
    assert_int_equal(mkdir(page, 0755), 0);
    assert_false(report_write(results, directory, &err));
    assert_non_null(strstr(err.message, "index.html"));
    json_object_del(results, "checks");
    assert_false(report_write(results, directory, &err));
    assert_non_null(strstr(err.message, "checks is missing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_texts_when_embedded),
        cmocka_unit_test(test_results_when_read_by_the_page),
        cmocka_unit_test(test_many_and_long_logs_when_embedded),
        cmocka_unit_test(test_policy_when_read),
        cmocka_unit_test_setup_teardown(test_files_when_written, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test_setup_teardown(test_report_when_it_cannot_be_written, directory_set_up,
                                        directory_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
