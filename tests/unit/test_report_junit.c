#include "runner/base/memory.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/xml_writer.h"
#include "tests/unit/report_place.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

/* Counts elements by name, and collects texts and the values of "message". */
struct reading {
    json_t *counts;
    struct strbuf texts, messages;
};

static void on_start(void *data, const char *name, const char **attributes)
{
    struct reading *reading = data;
    json_int_t count = json_integer_value(json_object_get(reading->counts, name));
    json_object_set_new(reading->counts, name, json_integer(count + 1));
    for (; *attributes; attributes += 2) {
        if (strcmp(attributes[0], "message") == 0) {
            strbuf_add_string(&reading->messages, attributes[1]);
        }
    }
}

static void on_text(void *data, const char *text, int length)
{
    struct reading *reading = data;
    strbuf_add(&reading->texts, text, (size_t)length);
}

static struct reading parse(const char *text)
{
    struct reading reading = { .counts = json_object(),
                               .texts = STRBUF_INIT(STRBUF_UNCAPPED),
                               .messages = STRBUF_INIT(STRBUF_UNCAPPED) };
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &reading);
    XML_SetStartElementHandler(parser, on_start);
    XML_SetCharacterDataHandler(parser, on_text);
    if (XML_Parse(parser, text, (int)strlen(text), 1) != XML_STATUS_OK) {
        fail_msg("line %lu: %s", XML_GetCurrentLineNumber(parser),
                 XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    return reading;
}

static void finish(struct reading *reading)
{
    json_decref(reading->counts);
    strbuf_finish(&reading->texts);
    strbuf_finish(&reading->messages);
}

static int count_of(const struct reading *reading, const char *name)
{
    return (int)json_integer_value(json_object_get(reading->counts, name));
}

static char *junit_of(const json_t *results, const char *directory)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = xasprintf("%s/junit.xml", directory);
    assert_true(report_write_junit(results, "out/report", path, &err));
    return read_text(directory, "junit.xml");
}

static void test_sample_when_written(void **state)
{
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *text = junit_of(results, *state);
    struct reading reading = parse(text);
    static const struct {
        const char *name;
        int count;
    } elements[] = { { "testsuite", 1 }, { "testcase", 9 }, { "failure", 3 },
                     { "error", 1 },     { "skipped", 2 },  { "flakyFailure", 1 } };
    for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
        assert_int_equal(count_of(&reading, elements[i].name), elements[i].count);
    }
    static const char *const parts[] = {
        ("<testsuites name=\"tests/smoke.json\" tests=\"9\" failures=\"3\" errors=\"1\" "
         "time=\"5.300\">"),
        "skipped=\"2\" timestamp=\"2024-11-21T14:40:00\"",
        "<testcase name=\"home@desktop\" classname=\"smoke.desktop\" time=\"0.812\">",
        "[[ATTACHMENT|out/report/images/home@desktop.diff.png]]",
        "<error message=\"selector #chart never showed within 15000 ms\" type=\"TIMEOUT\">",
        "<testcase name=\"fine@desktop\" classname=\"smoke.desktop\" time=\"0.812\"/>",
        "flaky: passed in attempt 2",
        "GET /x.png: 404",
        "approve: browser-runner check smoke.json --approve home@desktop",
        "the run ended before this check",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!strstr(text, parts[i])) {
            fail_msg("\"%s\" is not in %s", parts[i], text);
        }
    }
    assert_null(strstr(text, "fine@desktop.actual.png"));
    finish(&reading);
}

static void test_hostile_texts_when_written(void **state)
{
    json_auto_t *results = hostile_results();
    CLEANUP_FREE char *text = junit_of(results, *state);
    struct reading reading = parse(text);
    assert_int_equal(count_of(&reading, "testcase"), 9);
    assert_int_equal(count_of(&reading, "script"), 0);
    /* Control characters became U+FFFD; the line end and all others are unchanged. */
    assert_non_null(strstr(reading.messages.data, "\xEF\xBF\xBD[31m\xEF\xBF\xBD\r\n::error::boom"));
    assert_non_null(strstr(reading.texts.data, "]]>&lt;{{script}}"));
    finish(&reading);
}

static void test_characters_when_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *read;
    } cases[] = {
        { "a<b>&\"'c", "a<b>&\"'c" },
        { "tab\tline\nreturn\r.", "tab\tline\nreturn\r." },
        { "\x01\x02\x1F\x7F.", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\x7F." },
        { "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
        { "\xFF\xC3(\xED\xA0\x80",
          "\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
        { "]]>", "]]>" },
        { "ä€𝄞", "ä€𝄞" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(xml_writer_finish) struct xml_writer xml;
        xml_writer_init(&xml);
        xml_open(&xml, "a");
        xml_attribute(&xml, "message", cases[i].text);
        xml_text(&xml, cases[i].text);
        xml_close(&xml);
        struct reading reading = parse(xml.text.data);
        assert_string_equal(reading.texts.data, cases[i].read);
        assert_string_equal(reading.messages.data, cases[i].read);
        finish(&reading);
    }
}

static void test_junit_when_it_cannot_be_written(void **state)
{
    struct br_error err = { 0 };
    json_auto_t *results = sample_results();
    CLEANUP_FREE char *path = xasprintf("%s/none/junit.xml", (const char *)*state);
    assert_false(report_write_junit(results, "report", path, &err));
    assert_non_null(strstr(err.message, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sample_when_written, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_texts_when_written, directory_set_up,
                                        directory_tear_down),
        cmocka_unit_test(test_characters_when_written),
        cmocka_unit_test_setup_teardown(test_junit_when_it_cannot_be_written, directory_set_up,
                                        directory_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
