#include "runner/base/memory.h"
#include "runner/cdp/cbor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * Returns the message as text, read in pieces of `piece` bytes; NULL if it is invalid. Caller
 * frees.
 */
static char *read_in_pieces(const unsigned char *bytes, size_t length, size_t piece)
{
    struct cbor_reader *reader = xcalloc(1, sizeof(*reader));
    char *text = xmalloc(CBOR_GROWTH * length + CBOR_MORE + 1);
    size_t written = 0;
    for (size_t at = 0; at < length && !reader->is_whole && !reader->is_broken;) {
        size_t next = length - at < piece ? length - at : piece;
        size_t taken = 0;
        size_t more = cbor_read(reader, bytes + at, next, text + written, &taken);
        assert_true(more <= CBOR_GROWTH * next + CBOR_MORE);
        assert_true(taken == next || reader->is_whole || reader->is_broken);
        written += more;
        at += taken;
    }
    text[written] = '\0';
    if (!reader->is_whole) {
        free(TAKE(text));
    }
    free(reader);
    return text;
}

/* The content of one map in its envelope. */
struct content {
    const char *bytes;
    size_t length;
    const char *json; /* NULL: refused */
};
#define BYTES(text) (text), sizeof(text) - 1

static void check(const struct content *content)
{
    unsigned char message[256] = { 0xD8, 0x18, 0x5A, 0, 0, 0, (unsigned char)(content->length + 2),
                                   0xBF };
    size_t length = 8 + content->length + 1;
    memcpy(message + 8, content->bytes, content->length);
    message[length - 1] = 0xFF;
    for (size_t piece = 1; piece <= length; piece++) {
        CLEANUP_FREE char *text = read_in_pieces(message, length, piece);
        if (!content->json) {
            assert_null(text);
        } else {
            assert_non_null(text);
            assert_string_equal(text, content->json);
        }
    }
}

static void test_read_says_what_chrome_says(void **state)
{
    (void)state;
    static const struct content contents[] = {
        { BYTES(""), "{}" },
        { BYTES("\x62id\x07"), "{\"id\":7}" },
        { BYTES("\x61"
                "a\x18\xFA\x61"
                "b\x19\x01\x00\x61"
                "c\x1A\x7F\xFF\xFF\xFF"),
          "{\"a\":250,\"b\":256,\"c\":2147483647}" },
        { BYTES("\x61"
                "a\x20\x61"
                "b\x3A\x7F\xFF\xFF\xFF"),
          "{\"a\":-1,\"b\":-2147483648}" },
        { BYTES("\x61"
                "a\xF4\x61"
                "b\xF5\x61"
                "c\xF6"),
          "{\"a\":false,\"b\":true,\"c\":null}" },
        { BYTES("\x61"
                "a\xFB\x3F\xF8\0\0\0\0\0\0"),
          "{\"a\":1.5}" },
        { BYTES("\x61"
                "a\xFB\x40\x00\0\0\0\0\0\0"),
          "{\"a\":2}" },
        { BYTES("\x61"
                "a\xFB\x3F\xB9\x99\x99\x99\x99\x99\x9A"),
          "{\"a\":0.1}" },
        { BYTES("\x61"
                "a\xFB\x3F\xD5\x55\x55\x55\x55\x55\x55"),
          "{\"a\":0.33333333333333331}" },
        { BYTES("\x61"
                "a\xFB\x7F\xF0\0\0\0\0\0\0"),
          "{\"a\":null}" },
        { BYTES("\x61"
                "a\xD8\x18\x5A\0\0\0\x04\x9F\x01\x02\xFF"),
          "{\"a\":[1,2]}" },
        { BYTES("\x61"
                "a\xD8\x18\x5A\0\0\0\x02\xBF\xFF\x61"
                "b\x01"),
          "{\"a\":{},\"b\":1}" },
        { BYTES("\x61"
                "a\x64"
                "\"\\\n\x7F"),
          "{\"a\":\"\\\"\\\\\\u000a\x7F\"}" },
        { BYTES("\x61"
                "a\x60"),
          "{\"a\":\"\"}" },
        { BYTES("\x61"
                "a\x65"
                "a\xE2\x82\xAC"
                "b"),
          "{\"a\":\"a\xE2\x82\xAC"
          "b\"}" },
        { BYTES("\x61"
                "a\x63"
                "\xE2\x82"
                "b"),
          "{\"a\":\"\\ufffdb\"}" },
        { BYTES("\x61"
                "a\x63"
                "\x80\xE2\x82"),
          "{\"a\":\"\\ufffd\\ufffd\"}" },
        { BYTES("\x61"
                "a\x62"
                "\xE2\x82\x61"
                "b\x01"),
          "{\"a\":\"\\ufffd\",\"b\":1}" },
        { BYTES("\x61"
                "a\x46"
                "\xAC\x20"
                "a\0\"\0"),
          "{\"a\":\"\\u20aca\\\"\"}" },
        { BYTES("\x61"
                "a\x44"
                "\x3D\xD8\x00\xDE"),
          "{\"a\":\"\\ud83d\\ude00\"}" },
        { BYTES("\x61"
                "a\xD6\x43"
                "abc"),
          "{\"a\":\"YWJj\"}" },
        { BYTES("\x61"
                "a\xD6\x44"
                "abcd"),
          "{\"a\":\"YWJjZA==\"}" },
        { BYTES("\x61"
                "a\xD6\x42"
                "\xFF\xFE"),
          "{\"a\":\"//4=\"}" },
        { BYTES("\x61"
                "a\xD6\x40"),
          "{\"a\":\"\"}" },
        { BYTES("\x61"
                "a"),
          NULL },                    /* a name without a value */
        { BYTES("\x01\x01"), NULL }, /* a name that is a number */
        { BYTES("\x61"
                "a\x43"
                "abc"),
          NULL }, /* half a UTF-16 pair */
        { BYTES("\x61"
                "a\xD6\x63"
                "abc"),
          NULL }, /* base64 of a text */
        { BYTES("\x61"
                "a\xF7"),
          NULL }, /* undefined */
        { BYTES("\x61"
                "a\x81\x01"),
          NULL }, /* an array without an envelope */
        { BYTES("\x61"
                "a\xD8\x19\x5A\0\0\0\x02\xBF\xFF"),
          NULL }, /* another tag */
    };
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        check(&contents[i]);
    }
}

static void test_read_when_it_is_no_message_is_broken(void **state)
{
    (void)state;
    static const struct content messages[] = {
        { BYTES("{\"id\":1}"), NULL },
        { BYTES("\x01"), NULL },
        { BYTES("\xD8\x18\x5A\0\0\0\x02\x9F\xFF"), NULL }, /* an array */
        { BYTES("\xFF"), NULL },
    };
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        assert_null(
            read_in_pieces((const unsigned char *)messages[i].bytes, messages[i].length, 1));
    }
}

static void test_read_when_nested_without_end_is_broken(void **state)
{
    (void)state;
    static const unsigned char deeper[] = { 0xD8, 0x18, 0x5A, 0, 0, 0, 9, 0xBF, 0x61, 'a' };
    unsigned char bytes[(CBOR_DEPTH + 1) * sizeof(deeper)];
    for (size_t i = 0; i <= CBOR_DEPTH; i++) {
        memcpy(bytes + i * sizeof(deeper), deeper, sizeof(deeper));
    }
    struct cbor_reader *reader = xcalloc(1, sizeof(*reader));
    char *text = xmalloc(CBOR_GROWTH * sizeof(bytes) + CBOR_MORE);
    size_t taken = 0;
    cbor_read(reader, bytes, sizeof(bytes), text, &taken);
    assert_true(reader->is_broken);
    free(text);
    free(reader);
}

/* Bytes after a message belong to the next one. */
static void test_read_ends_with_the_message(void **state)
{
    (void)state;
    static const unsigned char two[] = { 0xD8, 0x18, 0x5A, 0, 0, 0, 2, 0xBF, 0xFF,
                                         0xD8, 0x18, 0x5A, 0, 0, 0, 2, 0xBF, 0xFF };
    struct cbor_reader reader = { 0 };
    char text[CBOR_GROWTH * sizeof(two) + CBOR_MORE];
    size_t taken = 0;
    assert_int_equal(cbor_read(&reader, two, sizeof(two), text, &taken), 2);
    assert_true(reader.is_whole);
    assert_int_equal(taken, sizeof(two) / 2);
}

static void test_what_is_written_is_read_again(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"id\":1,\"method\":\"Page.enable\",\"params\":{},\"sessionId\":\"A1\"}",
        "{\"a\":[1,-1,2147483647,-2147483648,true,false,null,1.5,[],{}]}",
        "{\"b\":{\"c\":{\"d\":[[]]}}}",
        "{\"a\":\"\\\"\\\\\\u000a\",\"b\":\"\"}",
        "{\"big\":1795411323508,\"small\":-1795411323508,\"part\":0.1}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        size_t length = 0;
        json_auto_t *message = json_loads(texts[i], 0, NULL);
        CLEANUP_FREE char *bytes = cbor_encode(message, &length);
        CLEANUP_FREE char *text = read_in_pieces((const unsigned char *)bytes, length, 3);
        assert_non_null(text);
        assert_string_equal(text, texts[i]);
    }
}

/* Most numbers of a layout are written without printf(), in the same way. */
static void test_numbers_are_written_as_printf_writes_them(void **state)
{
    (void)state;
    static const double wholes[] = { 0, 1, 7, 80, 1234, 65535, 16777216, 999999999, 1e9, 1e14 };
    char number[64];
    char wanted[128];
    for (size_t i = 0; i < 2 * sizeof(wholes) / sizeof(wholes[0]); i++) {
        for (int part = 0; part <= 64; part++) {
            double sign = i % 2 ? -1 : 1;
            double value = sign * (wholes[i / 2] + (part == 64 ? 0.1 : part / 64.0));
            size_t length = 0;
            snprintf(number, sizeof(number), "%.15g", value);
            if (strtod(number, NULL) != value) {
                snprintf(number, sizeof(number), "%.17g", value);
            }
            snprintf(wanted, sizeof(wanted), "{\"a\":%s}",
                     strcmp(number, "-0") == 0 ? "0" : number);
            json_auto_t *message = json_pack("{s:f}", "a", value);
            CLEANUP_FREE char *bytes = cbor_encode(message, &length);
            CLEANUP_FREE char *text = read_in_pieces((const unsigned char *)bytes, length, 64);
            assert_string_equal(text, wanted);
        }
    }
}

static void test_text_that_is_not_ascii_is_written_as_chrome_has_it(void **state)
{
    (void)state;
    size_t length = 0;
    json_auto_t *message = json_pack("{s:s}", "a", "é€😀");
    CLEANUP_FREE char *bytes = cbor_encode(message, &length);
    CLEANUP_FREE char *text = read_in_pieces((const unsigned char *)bytes, length, 1);
    assert_string_equal(text, "{\"a\":\"\\u00e9\\u20ac\\ud83d\\ude00\"}");
    json_auto_t *broken = json_object();
    json_object_set_new_nocheck(broken, "a", json_string_nocheck("\xFF"));
    assert_null(cbor_encode(broken, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_says_what_chrome_says),
        cmocka_unit_test(test_read_when_it_is_no_message_is_broken),
        cmocka_unit_test(test_read_when_nested_without_end_is_broken),
        cmocka_unit_test(test_read_ends_with_the_message),
        cmocka_unit_test(test_what_is_written_is_read_again),
        cmocka_unit_test(test_numbers_are_written_as_printf_writes_them),
        cmocka_unit_test(test_text_that_is_not_ascii_is_written_as_chrome_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
