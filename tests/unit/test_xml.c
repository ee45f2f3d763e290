#include "runner/formats/xml.h"

#include "case_table.h"
#include "runner/base/error.h"
#include "runner/base/strbuf.h"
#include "runner/formats/xml_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * The result of reading: one line per action, such as `click@1:5 {"selector":"#go"}`, and the
 * error.
 */
struct reading {
    struct strbuf actions;
    size_t count;
    bool is_ok;
    struct br_error error;
};

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    char *params = json_dumps(action->params, JSON_COMPACT);
    strbuf_add_format(&reading->actions, "%s@%u:%u %s\n", action->type, action->position.line,
                      action->position.column, params);
    free(params);
    br_action_destroy(action);
    reading->count++;
    return true;
}

/* Reads a text in pieces of `piece` bytes, the first one of `first`. */
static struct reading read_with(const struct instruction_options *options, const char *text,
                                size_t length, size_t first, size_t piece)
{
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED), .is_ok = true };
    struct xml_reader *reader = xml_reader_create(options, on_action, &reading);
    for (size_t done = 0; done < length && reading.is_ok;) {
        size_t size = done == 0 ? first : piece;
        size = size < length - done ? size : length - done;
        reading.is_ok = xml_reader_feed(reader, text + done, size, &reading.error);
        done += size;
    }
    reading.is_ok = reading.is_ok && xml_reader_end(reader, &reading.error);
    xml_reader_destroy(reader);
    return reading;
}

static struct reading read_pieces(const char *text, size_t length, size_t first, size_t piece)
{
    return read_with(NULL, text, length, first, piece);
}

static struct reading read_text(const char *text, size_t length)
{
    return read_pieces(text, length, length, length);
}

/* Adds to the text how a reading differs from that of the whole text, if it does. */
static void add_difference(struct strbuf *actual, size_t first, struct reading *reading,
                           const struct reading *whole)
{
    size_t place = strcspn(whole->error.message, ":");
    if (reading->is_ok != whole->is_ok || reading->error.code != whole->error.code ||
        strcmp(reading->actions.data, whole->actions.data) != 0 ||
        strncmp(reading->error.message, whole->error.message, place) != 0) {
        strbuf_add_format(actual, "\nwhen split at %zu:\n%s%s", first, reading->actions.data,
                          reading->error.message);
    }
    strbuf_finish(&reading->actions);
}

/* However the input is split into a first piece and others, the actions and the place of the error
 * are the same. */
static void add_differences(const struct case_row *row, size_t piece, const struct reading *whole,
                            struct strbuf *actual)
{
    for (size_t first = 1; first <= row->length; first++) {
        struct reading reading = read_pieces(row->input, row->length, first, piece);
        add_difference(actual, first, &reading, whole);
    }
    struct reading reading = read_pieces(row->input, row->length, 1, 1);
    add_difference(actual, 1, &reading, whole);
}

static void run_forms(const struct case_row *row, struct strbuf *actual)
{
    struct reading whole = read_text(row->input, row->length);
    strbuf_add_string(actual, whole.is_ok ? whole.actions.data : whole.error.message);
    add_differences(row, row->length, &whole, actual);
    strbuf_finish(&whole.actions);
}

static void run_mistake(const struct case_row *row, struct strbuf *actual)
{
    struct reading whole = read_text(row->input, row->length);
    assert_false(whole.is_ok);
    assert_int_equal(whole.error.code, BR_INVALID_ACTION);
    strbuf_add_string(actual, whole.error.message);
    if (*whole.error.hint) {
        strbuf_add_format(actual, "; %s", whole.error.hint);
    }
    add_differences(row, 1, &whole, actual);
    strbuf_finish(&whole.actions);
}

static bool keep_action(void *data, struct br_action *action, struct br_error *err)
{
    struct br_action **kept = data;
    (void)err;
    br_action_destroy(*kept);
    *kept = action;
    return true;
}

/* A parameter, also inside of another one: its value as JSON, and its text in the input. */
static void run_value(const struct case_row *row, struct strbuf *actual)
{
    CLEANUP_ACTION struct br_action *action = NULL;
    CLEANUP_FREE char *text =
        xasprintf("<type>t</type><v>%s</v><w><v>%s</v></w>", row->input, row->input);
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(NULL, keep_action, &action);
    assert_true(xml_reader_feed(reader, text, strlen(text), &err));
    assert_true(xml_reader_end(reader, &err));
    xml_reader_destroy(reader);
    const json_t *value = json_object_get(action->params, "v");
    CLEANUP_FREE char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    strbuf_add_format(actual, "%s from %s", json, action_param_text(action, "v"));
    assert_true(json_equal(value, json_object_get(json_object_get(action->params, "w"), "v")));
    struct reading whole = read_text(text, strlen(text));
    const struct case_row whole_row = { .input = text, .length = strlen(text) };
    add_differences(&whole_row, whole_row.length, &whole, actual);
    strbuf_finish(&whole.actions);
}

static void test_sources(void **state)
{
    (void)state;
    CLEANUP_ACTION struct br_action *action = NULL;
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(NULL, keep_action, &action);
    const char input[] =
        "\r\n<browser_action nth=' 1.50 '>\r\n  <!-- \xE2\x82\xAC\xF0\x9F\x98\x80 -->"
        "<type>drag</type>\r\n\t<to> <text>1.0</text><x><![CDATA[ 7 ]]></x></to>"
        "</browser_action>";
    assert_true(xml_reader_feed(reader, input, strlen(input), &err));
    assert_true(xml_reader_end(reader, &err));
    xml_reader_destroy(reader);
    static const struct {
        const char *path, *text;
        unsigned line, column;
    } cases[] = {
        { "type", "drag", 3, 14 },  { "nth", "1.50", 2, 1 },  { "to", NULL, 4, 2 },
        { "to.text", "1.0", 4, 7 }, { "to.x", " 7 ", 4, 23 }, { "to.y", NULL, 2, 1 },
        { "unknown", NULL, 2, 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct source_position position = action_param_position(action, cases[i].path);
        const char *source = action_param_text(action, cases[i].path);
        if (cases[i].text) {
            assert_non_null(source);
            assert_string_equal(source, cases[i].text);
        } else {
            assert_null(source);
        }
        assert_int_equal(position.line, cases[i].line);
        assert_int_equal(position.column, cases[i].column);
    }
}

static void test_nul_bytes(void **state)
{
    (void)state;
    struct reading reading = read_text("<type>a\0b</type>", 16);
    assert_false(reading.is_ok);
    assert_string_equal(reading.error.message, "line 1, column 8: byte 0x00 is not allowed in XML");
    strbuf_finish(&reading.actions);
}

static char *repeated(const char *before, const char *text, size_t count, const char *behind)
{
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, before);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_string(&buf, text);
    }
    strbuf_add_string(&buf, behind);
    return strbuf_take(&buf);
}

static void assert_limit(char *at_limit, char *beyond, const char *message)
{
    struct reading reading = read_text(at_limit, strlen(at_limit));
    if (!reading.is_ok) {
        fail_msg("%s", reading.error.message);
    }
    strbuf_finish(&reading.actions);
    reading = read_text(beyond, strlen(beyond));
    assert_false(reading.is_ok);
    assert_non_null(strstr(reading.error.message, message));
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    strbuf_finish(&reading.actions);
    free(at_limit);
    free(beyond);
}

static void test_limits(void **state)
{
    (void)state;
    assert_limit(repeated("<type>a</type><v>", "x", XML_MAX_VALUE_BYTES, "</v>"),
                 repeated("<type>a</type><v>", "x", XML_MAX_VALUE_BYTES + 1, "</v>"),
                 "line 1, column 15: the value of <v> is over 1048576 bytes long");
    assert_limit(repeated("<browser_action type='a' v='", "x", XML_MAX_VALUE_BYTES, "'/>"),
                 repeated("<browser_action type='a' v='", "x", XML_MAX_VALUE_BYTES + 1, "'/>"),
                 "line 1, column 1: the value of \"v\" is over 1048576 bytes long");
    assert_limit(repeated("<batch>\n", "<type>a</type>", INSTRUCTION_MAX_COUNT, "</batch>"),
                 repeated("<batch>\n", "<type>a</type>", INSTRUCTION_MAX_COUNT + 1, "</batch>"),
                 "line 2, column 140001: more than 10000 instructions in a batch");
    assert_limit(xstrdup("<batch><browser_action><type>a</type>"
                         "<v><v><v><v><v><v>1</v></v></v></v></v></v></browser_action></batch>"),
                 xstrdup("<batch><browser_action><type>a</type>"
                         "<v><v><v><v><v><v><v>1</v></v></v></v></v></v></v></browser_action>"),
                 "line 1, column 56: elements lie over 8 deep inside each other");
    assert_limit(
        repeated("<type>a</type><", "n", XML_MAX_NAME, "/>"),
        repeated("<type>a</type><", "n", XML_MAX_NAME + 1, "/>"),
        "line 1, column 15: element \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is over "
        "64 characters long");
    assert_limit(
        repeated("<type>", "n", XML_MAX_NAME, "</type>"),
        repeated("<type>", "n", XML_MAX_NAME + 1, "</type>"),
        "line 1, column 1: type \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is over 64 "
        "characters long");
    assert_limit(repeated("<type>a</type>\n<!--", " ", XML_MAX_TAG_BYTES - 7, "-->"),
                 repeated("<type>a</type>\n<!--", " ", XML_MAX_TAG_BYTES + 64 * 1024, "-->"),
                 "line 2, column 1: a tag or comment is over 2 MiB long");
    assert_limit(repeated("<type>a</type>", " ", INSTRUCTION_MAX_BYTES - 14, ""),
                 repeated("<type>a</type>\n", " ", 11 * 1024 * 1024, ""),
                 "the batch is over 10 MiB long");
}

static void test_limit_of_parameters(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "<type>a</type>\n");
    for (int i = 0; i < INSTRUCTION_MAX_PARAMETERS - 1; i++) {
        strbuf_add_format(&buf, "<v%d/>", i);
    }
    struct reading reading = read_text(buf.data, buf.length);
    assert_true(reading.is_ok);
    strbuf_finish(&reading.actions);
    strbuf_add_string(&buf, "\n<last/>");
    reading = read_text(buf.data, buf.length);
    assert_false(reading.is_ok);
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    assert_string_equal(reading.error.message,
                        "line 3, column 1: more than 64 parameters in an instruction");
    strbuf_finish(&reading.actions);
    strbuf_finish(&buf);
}

static void test_deep_nesting_without_end(void **state)
{
    (void)state;
    char *text = repeated("<type>a</type>", "<a>", 1000000, "");
    struct reading reading = read_text(text, strlen(text));
    assert_false(reading.is_ok);
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    strbuf_finish(&reading.actions);
    free(text);
}

/* Each instruction is delivered before more input is fed. */
static void test_conversation(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t delivered;
    } steps[] = {
        { "<?xml version='1.0'?><batch>", 0 },
        { "<browser_action><type>start</type><url>about:blank</url></browser_action", 0 },
        { ">", 1 },
        { "\n<browser_action action='click' selector='#a'/", 1 },
        { ">", 2 },
        { "<type>back</type>", 2 },
        { "<timeout>5</timeout>", 2 },
        { "<type", 2 },
        { ">", 3 },
        { "reload</type>", 3 },
        { "</batch>", 4 },
    };
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(NULL, on_action, &reading);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        assert_true(xml_reader_feed(reader, steps[i].bytes, strlen(steps[i].bytes), &err));
        assert_int_equal(reading.count, steps[i].delivered);
    }
    assert_true(xml_reader_end(reader, &err));
    assert_int_equal(reading.count, 4);
    xml_reader_destroy(reader);
    strbuf_finish(&reading.actions);
}

/* A stream has no limit like a batch; a single instruction still has one. */
static void test_stream(void **state)
{
    (void)state;
    enum { SPACES = 1000, TIMES = INSTRUCTION_MAX_BYTES / SPACES + 1000 };
    static const char *const pieces[] = {
        "<browser_action action='back'/>",
        "<type>back</type><timeout>5</timeout>",
        "<browser_action><type>back</type></browser_action><!-- -->",
    };
    const struct instruction_options options = { .is_stream = true };
    char spaces[SPACES];
    memset(spaces, ' ', sizeof(spaces));
    for (size_t form = 0; form < sizeof(pieces) / sizeof(pieces[0]); form++) {
        struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
        struct xml_reader *reader = xml_reader_create(&options, on_action, &reading);
        struct br_error err;
        for (int i = 0; i < TIMES; i++) {
            if (!xml_reader_feed(reader, pieces[form], strlen(pieces[form]), &err) ||
                !xml_reader_feed(reader, spaces, sizeof(spaces), &err)) {
                fail_msg("%s", err.message);
            }
        }
        assert_true(xml_reader_end(reader, &err));
        assert_int_equal(reading.count, TIMES);
        xml_reader_destroy(reader);
        strbuf_finish(&reading.actions);
    }
}

static void test_stream_with_endless_instruction(void **state)
{
    (void)state;
    enum { SPACES = 100 * 1000 };
    static const struct {
        const char *text;
        size_t limit;
        const char *message;
    } beginnings[] = {
        { "<type>back</type>", INSTRUCTION_MAX_BYTES, "an instruction is over 10 MiB long" },
        { "<browser_action><type>back</type>", INSTRUCTION_MAX_BYTES,
          "an instruction is over 10 MiB long" },
        { "<browser_action ", XML_MAX_TAG_BYTES,
          "line 1, column 1: a tag or comment is over 2 MiB long" },
        { "<batch></batch><!-- ", XML_MAX_TAG_BYTES,
          "line 1, column 16: a tag or comment is over 2 MiB long" },
    };
    const struct instruction_options options = { .is_stream = true };
    char *spaces = repeated("", " ", SPACES, "");
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
        struct xml_reader *reader = xml_reader_create(&options, on_action, &reading);
        struct br_error err;
        size_t fed = 0;
        assert_true(xml_reader_feed(reader, beginnings[i].text, strlen(beginnings[i].text), &err));
        while (xml_reader_feed(reader, spaces, SPACES, &err)) {
            fed += SPACES;
            assert_true(fed <= beginnings[i].limit);
        }
        assert_true(fed > beginnings[i].limit - 2 * SPACES);
        assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
        assert_non_null(strstr(err.message, beginnings[i].message));
        xml_reader_destroy(reader);
        strbuf_finish(&reading.actions);
    }
    free(spaces);
}

static bool refuse_second(void *data, struct br_action *action, struct br_error *err)
{
    size_t *count = data;
    br_action_destroy(action);
    return ++*count < 2 || error_set(err, BR_TIMEOUT, "enough");
}

static void test_refusal_by_receiver(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "<type>a</type><type>b</type><type>c</type><type>d</type>",
        "<browser_action type='a'/><browser_action type='b'/><browser_action type='c'/>",
        "<batch><type>a</type><type>b</type></batch><type>c</type>",
    };
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        size_t count = 0;
        struct br_error err;
        struct xml_reader *reader = xml_reader_create(NULL, refuse_second, &count);
        assert_false(xml_reader_feed(reader, inputs[i], strlen(inputs[i]), &err));
        assert_int_equal(count, 2);
        assert_string_equal(err.message, "enough");
        /* The error is permanent. */
        err = (struct br_error){ 0 };
        assert_false(xml_reader_feed(reader, " ", 1, &err));
        assert_string_equal(err.message, "enough");
        err = (struct br_error){ 0 };
        assert_false(xml_reader_end(reader, &err));
        assert_int_equal(err.code, BR_TIMEOUT);
        assert_int_equal(count, 2);
        xml_reader_destroy(reader);
    }
    xml_reader_destroy(NULL);
}

/* Writes `! click line 1, column 5`: the type as far as it was read, and the place. */
static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    strbuf_add_format(&reading->actions, "! %s%s%.*s\n", action->type, *action->type ? " " : "",
                      (int)strcspn(why->message, ":"), why->message);
    br_action_destroy(action);
    reading->error = *why;
    return true;
}

/* So, too, with the message and the hint. */
static bool on_mistake_with_text(void *data, struct br_action *action, const struct br_error *why,
                                 struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    strbuf_add_format(&reading->actions, "! %s%s%s; %s\n", action->type, *action->type ? " " : "",
                      why->message, why->hint);
    br_action_destroy(action);
    return true;
}

static const struct instruction_options recovering = { .is_stream = true,
                                                       .on_mistake = on_mistake };

static struct reading recover(const char *text, size_t length, size_t first, size_t piece)
{
    return read_with(&recovering, text, length, first, piece);
}

#define GO  "<browser_action><type>go</type></browser_action>"
#define END "<browser_action><type>end</type></browser_action>"

/*
 * One error per mistake; reading continues after it, and nothing of the wrong instruction is used.
 */
static void run_recovery(const struct case_row *row, struct strbuf *actual)
{
    static const struct instruction_options options = { .is_stream = true,
                                                        .on_mistake = on_mistake_with_text };
    struct reading told = read_with(&options, row->input, row->length, row->length, row->length);
    struct reading whole = recover(row->input, row->length, row->length, row->length);
    assert_true(told.is_ok && whole.is_ok);
    strbuf_add_string(actual, told.actions.data);
    strbuf_finish(&told.actions);
    for (size_t first = 1; first <= row->length; first++) {
        struct reading reading =
            recover(row->input, row->length, first, first % 2 ? row->length : 1);
        add_difference(actual, first, &reading, &whole);
    }
    strbuf_finish(&whole.actions);
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = {
        { "forms", run_forms },
        { "values", run_value },
        { "mistakes", run_mistake },
        { "recovery", run_recovery },
    };
    (void)state;
    CASE_TABLE_CHECK("xml.txt", parts);
}

/* A mistake is reported before more input is fed. */
static void test_mistake_is_told_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *told;
    } steps[] = {
        { "<batch>\n", "" },
        { "H", "! line 2, column 1\n" },
        { "ere it is:\n", "" },
        { GO, "go@3:1 {}\n" },
        { "<browser_action><type>navigate</type><url>http://x/?a=1&b", "" },
        { "=", "! navigate line 3, column 104\n" },
        { "2</url></browser_action>", "" },
        { "\n" GO, "go@4:1 {}\n" },
        { "<browser_action><type>click</type><a>1</a", "" },
        { "><", "" },
        { "browser_action ", "" },
        { ">", "! click line 4, column 91\n" },
        { "<type>end</type></browser_action>", "end@4:91 {}\n" },
        { "</batch>", "" },
    };
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(&recovering, on_action, &reading);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        assert_true(xml_reader_feed(reader, steps[i].bytes, strlen(steps[i].bytes), &err));
        assert_string_equal(reading.actions.data, steps[i].told);
        strbuf_clear(&reading.actions);
    }
    assert_true(xml_reader_end(reader, &err));
    assert_int_equal(reading.actions.length, 0);
    xml_reader_destroy(reader);
    strbuf_finish(&reading.actions);
}

/* Exceeding a size is a mistake like others; skipped input has no size limit. */
static void test_recovery_from_size(void **state)
{
    (void)state;
    static const struct {
        const char *before, *spaces_behind;
        size_t megabytes;
    } cases[] = {
        { "<browser_action><type>a</type>", " ", 12 },
        { "<browser_action><type>a</type><v>x", "x", 3 },
        { "<browser_action><type>a</type><v><![CDATA[", "x", 3 },
        { "<browser_action ", " ", 3 },
        { "<!-- ", " ", 5 },
        { "x <!-- ", " ", 20 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = repeated(cases[i].before, cases[i].spaces_behind,
                              cases[i].megabytes * 1024 * 1024, "</v>" GO END);
        struct reading reading = recover(text, strlen(text), 1000, 100000);
        assert_true(reading.is_ok);
        assert_string_not_equal(reading.error.message, "");
        const char *first_go = strstr(reading.actions.data, "\ngo@");
        assert_non_null(first_go);
        assert_null(strchr(reading.actions.data + 1, '!'));
        strbuf_finish(&reading.actions);
        free(text);
    }
}

static bool refuse_mistake(void *data, struct br_action *action, const struct br_error *why,
                           struct br_error *err)
{
    (void)data;
    (void)why;
    br_action_destroy(action);
    return error_set(err, BR_TIMEOUT, "enough");
}

static void test_refusal_of_mistakes(void **state)
{
    (void)state;
    const struct instruction_options options = { .on_mistake = refuse_mistake };
    size_t count = 0;
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(&options, refuse_second, &count);
    assert_false(xml_reader_feed(reader, GO "x" GO, strlen(GO "x" GO), &err));
    assert_string_equal(err.message, "enough");
    assert_false(xml_reader_end(reader, &err));
    assert_int_equal(count, 1);
    xml_reader_destroy(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limit_of_parameters),
        cmocka_unit_test(test_deep_nesting_without_end),
        cmocka_unit_test(test_conversation),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_stream_with_endless_instruction),
        cmocka_unit_test(test_refusal_by_receiver),
        cmocka_unit_test(test_mistake_is_told_at_once),
        cmocka_unit_test(test_recovery_from_size),
        cmocka_unit_test(test_refusal_of_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
