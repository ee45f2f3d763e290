#include "runner/base/memory.h"
#include "runner/cdp/cbor.h"
#include "runner/cdp/message.h"
#include "runner/cdp/raw_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Returns what Chrome would parse, as compact JSON; caller frees. */
static char *text_of_cbor(const char *bytes, size_t length)
{
    struct cbor_reader *reader = xcalloc(1, sizeof(*reader));
    char *text = xmalloc(CBOR_GROWTH * length + CBOR_MORE + 1);
    size_t taken = 0;
    text[cbor_read(reader, (const unsigned char *)bytes, length, text, &taken)] = '\0';
    assert_true(reader->is_whole);
    assert_int_equal(taken, length);
    free(reader);
    return text;
}

struct good {
    const char *text;
    const char *as_text; /* with id 77 */
    const char *as_cbor; /* parsed again */
    const char *session_id;
    int32_t id;
};

static void check_good(const struct good *good)
{
    struct br_error err;
    struct raw_command command;
    for (int is_cbor = 0; is_cbor <= 1; is_cbor++) {
        if (!raw_command_read(&command, good->text, strlen(good->text), is_cbor, "root", &err)) {
            fail_msg("%s: %s", good->text, err.message);
        }
        raw_command_set_id(&command, 77);
        CLEANUP_FREE char *sent =
            is_cbor ? text_of_cbor(command.bytes, command.length) : xstrdup(command.bytes);
        assert_string_equal(sent, is_cbor ? good->as_cbor : good->as_text);
        assert_true(command.has_id);
        assert_int_equal(command.id, good->id);
        if (good->session_id) {
            assert_string_equal(command.session_id, good->session_id);
        } else {
            assert_null(command.session_id);
        }
        raw_command_finish(&command);
    }
}

#define TEXT "{\"id\":        77,\"method\":"
#define CBOR "{\"id\":77,\"method\":"
#define ROOT ",\"sessionId\":\"root\""

static void test_read_gives_the_same_command_with_another_id(void **state)
{
    (void)state;
    static const struct good goods[] = {
        { "{\"id\":1,\"method\":\"A.b\"}", TEXT "\"A.b\"" ROOT "}", CBOR "\"A.b\"" ROOT "}", NULL,
          1 },
        { " {\t\"method\" :\r\n\"A.b\" , \"id\" : -9999 } ", TEXT "\"A.b\"" ROOT "}",
          CBOR "\"A.b\"" ROOT "}", NULL, -9999 },
        { "{\"id\":2147483647,\"sessionId\":\"S1\",\"method\":\"A.b\",\"params\":{}}",
          TEXT "\"A.b\",\"sessionId\":\"S1\",\"params\":{}}",
          CBOR "\"A.b\",\"sessionId\":\"S1\",\"params\":{}}", "S1", 2147483647 },
        /* Chrome treats these names as equal, however they are escaped. */
        { "{\"i\\u0064\":-2147483648,\"session\\u0049d\":\"S\",\"method\":\"A.b\"}",
          TEXT "\"A.b\",\"sessionId\":\"S\"}", CBOR "\"A.b\",\"sessionId\":\"S\"}", "S",
          -2147483647 - 1 },
        /* And whole numbers, too. */
        { "{\"id\":7.0,\"method\":\"A.b\"}", TEXT "\"A.b\"" ROOT "}", CBOR "\"A.b\"" ROOT "}", NULL,
          7 },
        { "{\"id\":-70e-1,\"method\":\"A.b\"}", TEXT "\"A.b\"" ROOT "}", CBOR "\"A.b\"" ROOT "}",
          NULL, -7 },
        { "{\"id\":-0.0,\"method\":\"A.b\"}", TEXT "\"A.b\"" ROOT "}", CBOR "\"A.b\"" ROOT "}",
          NULL, 0 },
        /* What says nothing is as if it were not there; an array is for Chrome to judge. */
        { "{\"id\":1,\"sessionId\":\"\",\"method\":\"A.b\",\"params\":null}",
          TEXT "\"A.b\"" ROOT "}", CBOR "\"A.b\"" ROOT "}", NULL, 1 },
        { "{\"id\":1,\"method\":\"A.b\",\"params\":[1]}", TEXT "\"A.b\",\"params\":[1]" ROOT "}",
          CBOR "\"A.b\",\"params\":[1]" ROOT "}", NULL, 1 },
        /* An id inside the params is not the command's. */
        { "{\"params\":{\"id\":5,\"a\":[{\"id\":6}]},\"id\":0,\"method\":\"A.b\"}",
          TEXT "\"A.b\",\"params\":{\"id\":5,\"a\":[{\"id\":6}]}" ROOT "}",
          CBOR "\"A.b\""
               ",\"params\":{\"id\":5,\"a\":[{\"id\":6}]}" ROOT "}",
          NULL, 0 },
    };
    for (size_t i = 0; i < sizeof(goods) / sizeof(goods[0]); i++) {
        check_good(&goods[i]);
    }
}

/* A value, and its CBOR parsed again; in text it stays unchanged. */
static void test_read_writes_every_value_as_cbor(void **state)
{
    (void)state;
    static const char *const values[][2] = {
        { "null", "null" },
        { "[ true , false ]", "[true,false]" },
        { "[]", "[]" },
        { "{ }", "{}" },
        { "[[],{\"\":[1]}]", "[[],{\"\":[1]}]" },
        { "[0,-0,1,-1,2147483647,-2147483648]", "[0,0,1,-1,2147483647,-2147483648]" },
        { "[2147483648,1e3,1.5E-1,-12.25,1e308]", "[2147483648,1000,0.15,-12.25,1e+308]" },
        { "123456789012345678901234567890", "1.2345678901234568e+29" },
        { "\"\"", "\"\"" },
        { "\"plain \x7F\"", "\"plain \x7F\"" },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\"" },
        { "\"\\u0041\\u0000b\"", "\"A\\u0000b\"" },
        { "\"\xC3\xA4 \\u20AC\"", "\"\\u00e4 \\u20ac\"" },
        { "\"\xF0\x9F\x98\x80\\ud83d\\uDE00\"", "\"\\ud83d\\ude00\\ud83d\\ude00\"" },
        /* Half of a surrogate pair is valid in JavaScript. */
        { "\"\\ud83d!\"", "\"\\ud83d!\"" },
        { "{\"\xC3\xA4\":{\"\\u0061\":\"a\"}}", "{\"\\u00e4\":{\"a\":\"a\"}}" },
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        CLEANUP_FREE char *text =
            xasprintf("{\"id\":1,\"method\":\"A.b\",\"params\":{\"v\":%s}}", values[i][0]);
        CLEANUP_FREE char *as_text =
            xasprintf(TEXT "\"A.b\",\"params\":{\"v\":%s}" ROOT "}", values[i][0]);
        CLEANUP_FREE char *as_cbor =
            xasprintf(CBOR "\"A.b\",\"params\":{\"v\":%s}" ROOT "}", values[i][1]);
        const struct good good = { text, as_text, as_cbor, NULL, 1 };
        check_good(&good);
    }
}

static void assert_refused(const char *text, size_t length, const char *words, int failure,
                           bool has_id)
{
    struct br_error err = { 0 };
    struct raw_command command;
    if (raw_command_read(&command, text, length, true, "root", &err) ||
        !strstr(err.message, words)) {
        fail_msg("%s: %s (wanted: %s)", text, err.message, words);
    }
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_int_equal(command.failure, failure);
    assert_int_equal(command.has_id, has_id);
    assert_null(command.bytes);
    raw_command_finish(&command);
}

static void test_read_when_it_is_no_command_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
        int failure;
        bool has_id;
    } cases[] = {
        { "", "an early end at byte 0", RAW_NO_JSON, false },
        { " []", "something other than an object at byte 1", RAW_NO_COMMAND, false },
        { "{", "something other than a text at byte 1", RAW_NO_JSON, false },
        { "[[}", "what is no JSON at byte 2", RAW_NO_JSON, false },
        { "\xEF\xBB\xBF{}", "what is no JSON at byte 0", RAW_NO_JSON, false },
        { "{\"id\":007,\"method\":\"A.b\"}", "what is no JSON at byte 7", RAW_NO_JSON, false },
        { "{\"id\":7\"method\":\"A.b\"}", "what is no JSON at byte 7", RAW_NO_JSON, false },
        { "{}", "no id at byte 0", RAW_NO_COMMAND, false },
        { "{\"id\":1}", "no method", RAW_NO_COMMAND, true },
        { "{\"method\":\"A.b\"}", "no id", RAW_NO_COMMAND, false },
        { "{\"id\":1,\"method\":\"A.b\"", "an early end at byte 22", RAW_NO_JSON, true },
        { "{\"id\":1,\"method\":\"A.b\"}x", "something behind the command at byte 23", RAW_NO_JSON,
          true },
        { "{\"id\":1,\"method\":\"A.b\"}{}", "something behind", RAW_NO_JSON, true },
        { "{\"id\":1,\"method\":\"A.b\",}", "something other than a text at byte 23", RAW_NO_JSON,
          true },
        { "{\"id\" 1}", "a name without a colon at byte 6", RAW_NO_JSON, false },
        { "{\"id\":1 \"method\":\"A.b\"}", "what is no JSON at byte 8", RAW_NO_JSON, true },
        { "{\"id\":\"1\",\"method\":\"A.b\"}", "an id that is no whole number of 32 bits at byte 6",
          RAW_NO_COMMAND, false },
        { "{\"id\":1.5,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":1e-2,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":1e300,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":9007199254740993,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND,
          false },
        { "{\"id\":[1],\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":{},\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":true,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":2147483648,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":-2147483649,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":99999999999999999999,\"method\":\"A.b\"}", "an id that", RAW_NO_COMMAND, false },
        { "{\"id\":null,\"method\":\"A.b\"}", "an id that is no", RAW_NO_COMMAND, false },
        { "{\"id\":1,\"id\":2,\"method\":\"A.b\"}", "a member for the second time at byte 8",
          RAW_NO_COMMAND, true },
        { "{\"id\":1,\"\\u0069d\":2,\"method\":\"A.b\"}", "a member for the second time",
          RAW_NO_COMMAND, true },
        { "{\"id\":1,\"method\":\"A.b\",\"x\":2}", "a member other than id, method", RAW_NO_COMMAND,
          true },
        { "{\"id\":1,\"method\":2}", "a method that is no text at byte 17", RAW_NO_COMMAND, true },
        { "{\"id\":1,\"sessionId\":null}", "a sessionId that is none", RAW_NO_COMMAND, true },
        { "{\"id\":1,\"sessionId\":\"\",\"sessionId\":\"S\"}", "a member for the second time",
          RAW_NO_COMMAND, true },
        { "{\"id\":1,\"params\":null,\"params\":{}}", "a member for the second time",
          RAW_NO_COMMAND, true },
        { "{\"id\":1,\"sessionId\":7}", "a sessionId that is none", RAW_NO_COMMAND, true },
        { "{\"id\":1,\"sessionId\":\"\\u0041\"}", "a sessionId that is none", RAW_NO_COMMAND,
          true },
        { "{\"id\":1,\"params\":7}", "params that are no object at byte 17", RAW_NO_COMMAND, true },
        { "{\"id\":1,\"params\":\"{}\"}", "params that are no object at byte 17", RAW_NO_COMMAND,
          true },
        { "{\"id\":1,\"params\":true}", "params that are no object", RAW_NO_COMMAND, true },
        { "{\"id\":1,\"params\":{\"a\":[1,]}}", "what is no JSON at byte 25", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":01}}", "what is no JSON at byte 23", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":1.}}", "a number without its digits at byte 24", RAW_NO_JSON,
          true },
        { "{\"id\":1,\"params\":{\"a\":1e+}}", "a number without its digits", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":-}}", "what is no JSON", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":1e999}}", "a number that is too large at byte 22",
          RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":nul}}", "what is no JSON", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":NaN}}", "what is no JSON", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":]}}", "what is no JSON", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":[}}", "what is no JSON", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"\n\"}}", "a control character in a text at byte 23",
          RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"\xC3\"}}", "what is no UTF-8", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"\\x\"}}", "an escape that JSON does not know", RAW_NO_JSON,
          true },
        { "{\"id\":1,\"params\":{\"a\":\"\\u12g4\"}}", "an escape", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"\\u12", "an escape", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"\\", "an escape", RAW_NO_JSON, true },
        { "{\"id\":1,\"params\":{\"a\":\"abc", "a text without an end", RAW_NO_JSON, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].words, cases[i].failure,
                       cases[i].has_id);
    }
}

/* In a text pipe a NUL would begin another command, for any session. */
static void test_read_when_there_is_a_nul_is_refused(void **state)
{
    (void)state;
    static const char inside[] = "{\"id\":1,\"method\":\"A\0b\"}";
    static const char between[] = "{\"id\":1,\0\"method\":\"A.b\"}";
    static const char behind[] = "{\"id\":1,\"method\":\"A.b\"}\0{}";
    assert_refused(inside, sizeof(inside) - 1, "a control character", RAW_NO_JSON, true);
    assert_refused(between, sizeof(between) - 1, "something other than a text", RAW_NO_JSON, true);
    assert_refused(behind, sizeof(behind) - 1, "something behind", RAW_NO_JSON, true);
}

static void test_read_when_truncated_anywhere_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"id\":12,\"method\":\"A.b\",\"params\":{\"a\":[1.5,true,\"\xC3\xA4"
        "\\u0041\"]},\"sessionId\":\"S\"}";
    for (size_t length = 0; length < sizeof(text) - 1; length++) {
        struct br_error err;
        struct raw_command command;
        /* The parser must not read beyond the text. */
        CLEANUP_FREE char *piece = xstrndup(text, length);
        assert_false(raw_command_read(&command, piece, length, true, NULL, &err));
        raw_command_finish(&command);
    }
}

static void test_read_when_nested_deeper_than_chrome_reads_is_refused(void **state)
{
    (void)state;
    for (int depth = CDP_MAX_DEPTH - 1; depth <= CDP_MAX_DEPTH; depth++) {
        struct br_error err;
        struct raw_command command;
        char arrays[CDP_MAX_DEPTH + 1] = "";
        char ends[CDP_MAX_DEPTH + 1] = "";
        memset(arrays, '[', (size_t)depth);
        memset(ends, ']', (size_t)depth);
        CLEANUP_FREE char *text =
            xasprintf("{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":%s%s}}", arrays, ends);
        /* The object of the parameters counts as one level. */
        assert_int_equal(raw_command_read(&command, text, strlen(text), true, NULL, &err),
                         depth < CDP_MAX_DEPTH);
        raw_command_finish(&command);
    }
}

static void test_set_id_takes_every_id(void **state)
{
    (void)state;
    static const int32_t ids[] = { 1, 2147483647, 10 };
    static const char text[] = "{\"id\":1,\"method\":\"A.b\"}";
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        for (int is_cbor = 0; is_cbor <= 1; is_cbor++) {
            struct br_error err;
            struct raw_command command;
            assert_true(raw_command_read(&command, text, sizeof(text) - 1, is_cbor, NULL, &err));
            raw_command_set_id(&command, ids[i]);
            CLEANUP_FREE char *sent =
                is_cbor ? text_of_cbor(command.bytes, command.length) : xstrdup(command.bytes);
            json_auto_t *root = json_loads(sent, 0, NULL);
            assert_int_equal(json_integer_value(json_object_get(root, "id")), ids[i]);
            assert_null(json_object_get(root, "sessionId"));
            assert_true(is_cbor || command.bytes[command.length] == '\0');
            raw_command_finish(&command);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_gives_the_same_command_with_another_id),
        cmocka_unit_test(test_read_writes_every_value_as_cbor),
        cmocka_unit_test(test_read_when_it_is_no_command_says_where),
        cmocka_unit_test(test_read_when_there_is_a_nul_is_refused),
        cmocka_unit_test(test_read_when_truncated_anywhere_is_refused),
        cmocka_unit_test(test_read_when_nested_deeper_than_chrome_reads_is_refused),
        cmocka_unit_test(test_set_id_takes_every_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
