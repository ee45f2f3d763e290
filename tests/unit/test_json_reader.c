#include "runner/formats/json_reader.h"

#include "runner/base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The result of reading: one line per action, `click@1:1 {"selector":"#go"}`, or an error. */
struct reading {
    struct strbuf told;
    bool is_ok;
    struct br_error error;
};

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    char *params = json_dumps(action->params, JSON_COMPACT);
    strbuf_add_format(&reading->told, "%s%s%s@%u:%u %s\n", action->call_id ? action->call_id : "",
                      action->call_id ? "=" : "", action->type, action->position.line,
                      action->position.column, params);
    free(params);
    br_action_destroy(action);
    return true;
}

static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    strbuf_add_format(&reading->told, "! %s%s%s\n", action->call_id ? action->call_id : "",
                      action->call_id ? "=" : "", why->message);
    br_action_destroy(action);
    return true;
}

static struct reading read_pieces(const char *text, size_t length, size_t first, bool is_stream)
{
    const struct instruction_options options = { .is_stream = is_stream,
                                                 .on_mistake = is_stream ? on_mistake : NULL };
    struct reading reading = { .told = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct json_reader *reader = json_reader_create(&options, on_action, &reading);
    reading.is_ok = json_reader_feed(reader, text, first, &reading.error) &&
                    json_reader_feed(reader, text + first, length - first, &reading.error) &&
                    json_reader_end(reader, &reading.error);
    json_reader_destroy(reader);
    return reading;
}

/* The text is split in two at every position. */
static void assert_told(const char *text, const char *expected, bool is_stream)
{
    for (size_t first = 0; first <= strlen(text); first++) {
        struct reading reading = read_pieces(text, strlen(text), first, is_stream);
        if (!reading.is_ok) {
            fail_msg("cut at %zu: %s\n%s", first, reading.error.message, text);
        }
        assert_string_equal(reading.told.data, expected);
        strbuf_finish(&reading.told);
    }
}

static void test_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "{\"type\":\"back\"}", "back@1:1 {}\n" },
        { "\xEF\xBB\xBF {\"type\":\"back\"}\r\n\t{\"type\":\"forward\"}\r\n",
          "back@1:2 {}\nforward@2:2 {}\n" },
        { "{\"type\":\"a\"}{\"type\":\"b\"} {\"type\":\"c\"}", "a@1:1 {}\nb@1:13 {}\nc@1:26 {}\n" },
        { "[{\"type\":\"a\"},\n {\"type\":\"b\"}\n]\n{\"type\":\"c\"}",
          "a@1:2 {}\nb@2:2 {}\nc@4:1 {}\n" },
        { "[]\n{\"type\":\"a\"}", "a@2:1 {}\n" },
        { "{\n  \"type\": \"drag\",\n  \"to\":\n{\"x\": [\n{\"y\": 1},\n{\"z\": 2}]}\n}",
          "drag@1:1 {\"to\":{\"x\":[{\"y\":1},{\"z\":2}]}}\n" },
        { "{\"type\":\"type\",\"text\":\"}{\\\\\\\"\\n[\\u00e9\"}",
          "type@1:1 {\"text\":\"}{\\\\\\\"\\n[é\"}\n" },
        { "{\"type\":\"a\",\"n\":1e20,\"s\":\"\\ud83d\"}",
          "a@1:1 {\"n\":1e20,\"s\":\"\xEF\xBF\xBD\"}\n" },
        { "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"click\",\"input\":{\"x\":1}}",
          "t1=click@1:1 {\"x\":1}\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_told(cases[i].text, cases[i].expected, false);
        assert_told(cases[i].text, cases[i].expected, true);
    }
}

static bool check_places(void *data, struct br_action *action, struct br_error *err)
{
    (void)err;
    const struct source_position selector = action_param_position(action, "selector");
    const struct source_position timeout = action_param_position(action, "timeout");
    assert_int_equal(selector.line, 1);
    assert_int_equal(selector.column, 21);
    assert_int_equal(timeout.line, 2);
    assert_int_equal(timeout.column, 3);
    br_action_destroy(action);
    return *(bool *)data = true;
}

static void test_places_of_parameters(void **state)
{
    (void)state;
    static const char text[] = "    {\"type\":\"click\",\"selector\":\"#é\",\n  \"timeout\":5}";
    struct br_error err;
    bool was_called = false;
    struct json_reader *reader = json_reader_create(NULL, check_places, &was_called);
    assert_true(json_reader_feed(reader, text, strlen(text), &err));
    assert_true(was_called);
    json_reader_destroy(reader);
}

/* Each error is reported once, and reading continues after it. */
static void test_mistakes_when_the_stream_goes_on(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "{\"type\":\"a\" \"b\":1}\n{\"type\":\"c\"}",
          "! line 1, column 15: not JSON: '}' expected near '\"b\"'\nc@2:1 {}\n" },
        { "{\"type\":\"a\"\n{\"type\":\"c\"}",
          "! line 2, column 1: a { where the instruction of line 1, column 1, has to be closed\n"
          "c@2:1 {}\n" },
        { "{\"type\":\"a\n{\"type\":\"c\"}",
          "! line 1, column 11: the line ends inside of a string\nc@2:1 {}\n" },
        { "{\"type\":\"a\",\"b\":[1}\n{\"type\":\"c\"}",
          "! line 1, column 19: a } where a [ has to be closed\nc@2:1 {}\n" },
        { "Here it is: {\"type\":\"a\"}\n```json\n{\"type\":\"c\"}\n```\n",
          "! line 1, column 1: text outside of an instruction\nc@3:1 {}\n"
          "! line 4, column 1: text outside of an instruction\n" },
        { "<type>a</type>", "! line 1, column 1: text outside of an instruction\n" },
        { "{\"url\":\"a\"}\n{\"type\":\"c\"}",
          "! line 1, column 1: an instruction without a type\nc@2:1 {}\n" },
        { "{\"type\":5}{\"type\":\"c\"}",
          "! line 1, column 1: the type is not a name\nc@1:11 {}\n" },
        { "{\"type\":\"a\",\n \"b\":1,\n \"b\":2}", "! line 3, column 2: \"b\" is given twice\n" },
        { "{\"type\":\"a\"}\n{\"type\":",
          "a@1:1 {}\n! line 2, column 9: the input ends inside of the instruction of line 2, "
          "column 1\n" },
        { "[{\"type\":\"a\"}\n",
          "a@1:2 {}\n! line 2, column 1: the input ends inside of an array\n" },
        { "]", "! line 1, column 1: text outside of an instruction\n" },
        { "{\"type\":\"function_call\",\"call_id\":\"f\",\"name\":\"click\",\"arguments\":\"{\"}\n"
          "{\"type\":\"c\"}",
          "! f=line 1, column 1: \"arguments\": it is not JSON: line 1, column 1: string or '}' "
          "expected near end of file\nc@2:1 {}\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_told(cases[i].text, cases[i].expected, true);
    }
}

static void test_first_mistake_of_a_file_when_there_are_two(void **state)
{
    (void)state;
    static const char text[] = "{\"type\":\"a\"}\nx\n{\"type\":\"b\"}\ny";
    struct reading reading = read_pieces(text, strlen(text), 3, false);
    assert_false(reading.is_ok);
    assert_string_equal(reading.told.data, "a@1:1 {}\n");
    assert_int_equal(reading.error.code, BR_INVALID_ACTION);
    assert_string_equal(reading.error.message, "line 2, column 1: text outside of an instruction");
    assert_non_null(strstr(reading.error.hint, "{\"type\": \"click\""));
    strbuf_finish(&reading.told);
}

static void test_nothing(void **state)
{
    (void)state;
    struct reading reading = read_pieces(" \n[]", 4, 1, true);
    assert_false(reading.is_ok);
    assert_string_equal(reading.error.message, "no instruction found");
    strbuf_finish(&reading.told);
}

/* Returns `count` times `part` between `head` and `tail`. */
static char *repeated(const char *head, const char *part, size_t count, const char *tail)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, head);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_string(&text, part);
    }
    strbuf_add_string(&text, tail);
    return strbuf_take(&text);
}

static void assert_limit(char *text, bool is_stream, const char *message)
{
    CLEANUP_FREE char *owned = text;
    struct reading reading = read_pieces(owned, strlen(owned), 1, is_stream);
    if (!message) {
        assert_true(reading.is_ok);
        assert_null(strchr(reading.told.data, '!'));
    } else if (is_stream) {
        assert_non_null(strstr(reading.told.data, message));
    } else {
        assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
        assert_non_null(strstr(reading.error.message, message));
    }
    strbuf_finish(&reading.told);
}

static void test_limits(void **state)
{
    (void)state;
    static const char begin[] = "{\"type\":\"a\",\"b\":\"";
    const size_t room = INSTRUCTION_MAX_BYTES - strlen(begin) - 2;
    assert_limit(repeated(begin, "x", room, "\"}"), false, NULL);
    assert_limit(repeated(begin, "x", room + 1, "\"}"), false, "the batch is over 10 MiB long");
    assert_limit(repeated(begin, "x", room + 1, "\"}"), true, "an instruction is over 10 MiB long");
    assert_limit(repeated("", "{\"type\":\"aaaaaaa\"}", 10001, ""), false,
                 "more than 10000 instructions in a batch");
    assert_limit(repeated("", "{\"type\":\"aaaaaaa\"}", 10001, ""), true, NULL);
    assert_limit(repeated("{\"type\":\"a\",\"b\":", "[", 64, "]"), true, "over 64 deep");
}

static void test_limit_of_parameters(void **state)
{
    (void)state;
    for (int count = INSTRUCTION_MAX_PARAMETERS; count <= INSTRUCTION_MAX_PARAMETERS + 1; count++) {
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_string(&text, "{\"type\":\"a\"");
        for (int i = 0; i < count; i++) {
            strbuf_add_format(&text, ",\"p%d\":1", i);
        }
        strbuf_add_string(&text, "}");
        assert_limit(strbuf_take(&text), true,
                     count > INSTRUCTION_MAX_PARAMETERS ? "more than 64 parameters" : NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_places_of_parameters),
        cmocka_unit_test(test_mistakes_when_the_stream_goes_on),
        cmocka_unit_test(test_first_mistake_of_a_file_when_there_are_two),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limit_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
