#include "runner/checks/report/junit.h"

#include "runner/base/json.h"
#include "runner/base/rfc3339.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/checks/report/xml_writer.h"

#include <string.h>

/* Log lines for each check; the report has the rest. */
enum { MAX_LOGS = 50 };

static void add_line(struct strbuf *out, const char *prefix, const char *text)
{
    strbuf_add_string(out, prefix);
    strbuf_add_string(out, text);
    strbuf_add_string(out, "\n");
}

static void add_lines(struct strbuf *out, const char *prefix, const json_t *texts)
{
    const json_t *text;
    size_t index;
    json_array_foreach (texts, index, text) {
        add_line(out, prefix, json_string_value(text));
    }
}

/* Adds the text of a failure: everything needed to understand it without the report. */
static void add_story(struct strbuf *out, const json_t *check)
{
    json_auto_t *problems = results_other_problems(check);
    add_line(out, "", results_text(check, "reason"));
    if (*results_text(check, "hint")) {
        add_line(out, "", results_text(check, "hint"));
    }
    add_lines(out, "", problems);
    add_lines(out, "earlier: ", json_object_get(check, "earlier"));
    add_lines(out, "unstable: ", json_object_get(check, "unstable"));
    if (*results_text(check, "url")) {
        add_line(out, "url: ", results_text(check, "url"));
    }
    if (*results_text(check, "approve")) {
        add_line(out, "approve: ", results_text(check, "approve"));
    }
}

static void add_outcome(struct xml_writer *xml, const char *element, const char *type,
                        const json_t *check)
{
    CLEANUP_STRBUF struct strbuf story = STRBUF_INIT(STRBUF_UNCAPPED);
    add_story(&story, check);
    xml_open(xml, element);
    xml_attribute(xml, "message", results_text(check, "reason"));
    xml_attribute(xml, "type", type);
    xml_text(xml, story.data);
    xml_close(xml);
}

/* Jenkins and Surefire show a test with these elements as flaky, and count it as passed. */
static void add_flakes(struct xml_writer *xml, const json_t *check)
{
    const json_t *earlier = json_object_get(check, "earlier");
    const json_t *text;
    size_t index;
    json_array_foreach (earlier, index, text) {
        xml_open(xml, "flakyFailure");
        xml_attribute(xml, "message", json_string_value(text));
        xml_attribute(xml, "type", "flaky");
        xml_open(xml, "stackTrace");
        xml_text(xml, json_string_value(text));
        xml_close(xml);
        xml_close(xml);
    }
}

static void add_skipped(struct xml_writer *xml, const json_t *check, const char *fallback)
{
    const char *reason = results_text(check, "reason");
    xml_open(xml, "skipped");
    xml_attribute(xml, "message", *reason ? reason : fallback);
    xml_close(xml);
}

/* GitLab shows pictures that are named in this way, if they are among the job's artifacts. */
static void add_attachments(struct strbuf *out, const json_t *check, const char *directory)
{
    static const char *const kinds[] = { "expected", "actual", "diff" };
    const json_t *images = json_object_get(check, "images");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *path = json_member_string(images, kinds[i]);
        if (path) {
            strbuf_add_format(out, "[[ATTACHMENT|%s/%s]]\n", directory, path);
        }
    }
}

static void add_logs(struct strbuf *out, const json_t *check)
{
    const json_t *logs = json_object_get(check, "logs");
    const json_t *log;
    size_t index;
    json_array_foreach (logs, index, log) {
        if (index == MAX_LOGS) {
            strbuf_add_format(out, "%zu more logs are in the report\n",
                              json_array_size(logs) - MAX_LOGS);
            return;
        }
        strbuf_add_string(out, results_text(log, "type"));
        add_line(out, ": ", results_text(log, "message"));
    }
}

static void add_output(struct xml_writer *xml, const json_t *check, const char *directory)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    enum check_status status = check_status(check);
    if (status == CHECK_FLAKY || status == CHECK_NEW || status == CHECK_UPDATED) {
        strbuf_add_string(&text, status_name(status));
        add_line(&text, ": ", results_text(check, "reason"));
    }
    if (status != CHECK_PASSED && status != CHECK_SKIPPED) {
        add_logs(&text, check);
        add_attachments(&text, check, directory);
    }
    if (text.length > 0) {
        xml_open(xml, "system-out");
        xml_text(xml, text.data);
        xml_close(xml);
    }
}

/* Tests are grouped by the part before the last dot: the suite, then the viewport. */
static void add_class_name(struct xml_writer *xml, const json_t *check, const char *suite)
{
    CLEANUP_STRBUF struct strbuf name = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *slash = strrchr(suite, '/');
    const char *base = slash ? slash + 1 : suite;
    strbuf_add(&name, base, strcspn(base, "."));
    strbuf_add_string(&name, ".");
    strbuf_add_string(&name, results_text(json_object_get(check, "viewport"), "name"));
    xml_attribute(xml, "classname", name.data);
}

static void add_case(struct xml_writer *xml, const json_t *check, const char *suite,
                     const char *directory)
{
    const char *code = results_text(check, "errorCode");
    xml_open(xml, "testcase");
    xml_attribute(xml, "name", results_text(check, "id"));
    add_class_name(xml, check, suite);
    xml_attribute_seconds(xml, "time", json_member_number(check, "durationMs", 0));
    switch (check_status(check)) {
    case CHECK_FAILED:
        add_outcome(xml, "failure", "difference", check);
        break;
    case CHECK_ERROR:
        add_outcome(xml, "error", *code ? code : "error", check);
        break;
    case CHECK_SKIPPED:
        add_skipped(xml, check, "skipped by the suite");
        break;
    case CHECK_NOT_RUN:
        add_skipped(xml, check, "the run ended before this check");
        break;
    case CHECK_FLAKY:
        add_flakes(xml, check);
        break;
    default:
        break;
    }
    add_output(xml, check, directory);
    xml_close(xml);
}

static void add_totals(struct xml_writer *xml, const json_t *results)
{
    xml_attribute(xml, "name", results_text(results, "suite"));
    xml_attribute_count(xml, "tests", json_array_size(results_checks(results)));
    xml_attribute_count(xml, "failures", results_count(results, CHECK_FAILED));
    xml_attribute_count(xml, "errors", results_count(results, CHECK_ERROR));
    xml_attribute_seconds(xml, "time", json_member_number(results, "durationMs", 0));
}

static void add_time_stamp(struct xml_writer *xml, const json_t *results)
{
    char text[RFC3339_SIZE];
    rfc3339_format((int64_t)json_member_number(results, "startedAt", 0), false, text);
    if (*text) {
        text[strlen(text) - 1] = '\0'; /* JUnit's timestamp has no zone */
        xml_attribute(xml, "timestamp", text);
    }
}

static void add_properties(struct xml_writer *xml, const json_t *results)
{
    json_t *environment = json_object_get(results, "environment");
    const char *key;
    json_t *value;
    xml_open(xml, "properties");
    json_object_foreach (environment, key, value) {
        if (json_is_string(value)) {
            xml_open(xml, "property");
            xml_attribute(xml, "name", key);
            xml_attribute(xml, "value", json_string_value(value));
            xml_close(xml);
        }
    }
    xml_close(xml);
}

void junit_add(struct strbuf *out, const json_t *results, const char *directory)
{
    CLEANUP(xml_writer_finish) struct xml_writer xml;
    const json_t *check;
    size_t index;
    xml_writer_init(&xml);
    xml_open(&xml, "testsuites");
    add_totals(&xml, results);
    xml_open(&xml, "testsuite");
    add_totals(&xml, results);
    xml_attribute_count(&xml, "skipped",
                        results_count(results, CHECK_SKIPPED) +
                            results_count(results, CHECK_NOT_RUN));
    add_time_stamp(&xml, results);
    add_properties(&xml, results);
    json_array_foreach (results_checks(results), index, check) {
        add_case(&xml, check, results_text(results, "suite"), directory);
    }
    xml_close(&xml);
    xml_close(&xml);
    strbuf_add(out, xml.text.data, xml.text.length);
}

bool report_write_junit(const json_t *results, const char *directory, const char *path,
                        struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    junit_add(&text, results, directory);
    return report_file_write(path, text.data, text.length, err);
}
