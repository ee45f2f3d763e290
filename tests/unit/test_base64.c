#include "imaging/base64.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_SIZE = 70 };

/* Encodes bit by bit, for comparison with the fast function. */
static void encode_slowly(const uint8_t *bytes, size_t size, char *text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = 0;
    for (size_t bit = 0; bit < size * 8; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++) {
            value = value << 1 | (i < size * 8 ? bytes[i / 8] >> (7 - i % 8) & 1u : 0);
        }
        text[length++] = alphabet[value];
    }
    while (length % 4) {
        text[length++] = '=';
    }
    text[length] = '\0';
}

static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *plain, *text;
    } cases[] = {
        { "", "" },
        { "f", "Zg==" },
        { "fo", "Zm8=" },
        { "foo", "Zm9v" },
        { "foob", "Zm9vYg==" },
        { "fooba", "Zm9vYmE=" },
        { "foobar", "Zm9vYmFy" },
        { "\xFB\xFF\xBF", "+/+/" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[16] = { 0 };
        size_t size = strlen(cases[i].plain);
        assert_int_equal(base64_encoded_size(size), strlen(cases[i].text));
        base64_encode(cases[i].plain, size, text);
        assert_string_equal(text, cases[i].text);

        struct br_error err;
        unsigned char *bytes = NULL;
        assert_true(base64_decode(text, strlen(text), &bytes, &size, &err));
        assert_int_equal(size, strlen(cases[i].plain));
        assert_memory_equal(bytes, cases[i].plain, size);
        free(bytes);
    }
}

static void test_all_short_lengths(void **state)
{
    (void)state;
    for (size_t size = 0; size <= MAX_SIZE; size++) {
        uint8_t plain[MAX_SIZE + 1];
        for (size_t i = 0; i < size; i++) {
            plain[i] = (uint8_t)random_number(256);
        }
        char expected[MAX_SIZE * 2];
        char text[MAX_SIZE * 2];
        memset(text, '!', sizeof(text));
        encode_slowly(plain, size, expected);
        base64_encode(plain, size, text);
        assert_int_equal(base64_encoded_size(size), strlen(expected));
        assert_memory_equal(text, expected, strlen(expected));
        assert_int_equal(text[strlen(expected)], '!');

        struct br_error err;
        unsigned char *bytes = NULL;
        size_t got = 0;
        assert_true(base64_decode(text, strlen(expected), &bytes, &got, &err));
        assert_int_equal(got, size);
        assert_memory_equal(bytes, plain, size);
        free(bytes);
    }
}

static void test_bad_input_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "Z",          "Zg",   "Zg=",  "=",        "==",      "===",     "====",     "Z===",
        "Zg==Zg==",   "Zm=v", "Z=9v", "=m9v",     "Zm9v=",   "Zh==",    "Zm9=",     "Zm9v\n",
        "Zm9v\nZm9v", "Zm 9", "Zm-_", "Zm9v====", "Zm9\x80", "\xFFm9v", "Zm9vZ,==", "\"Zm9",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        unsigned char *bytes = NULL;
        size_t size = 0;
        if (base64_decode(cases[i], strlen(cases[i]), &bytes, &size, &err)) {
            fail_msg("\"%s\" was taken", cases[i]);
        }
        assert_int_equal(err.code, BR_UNKNOWN_ERROR);
        assert_null(bytes);
    }
}

static void test_each_wrong_byte_is_refused_everywhere(void **state)
{
    (void)state;
    static const char good[] = "QUJDREVGR0hJSktM";
    for (size_t at = 0; at < strlen(good); at++) {
        for (int character = 0; character < 256; character++) {
            char text[sizeof(good)];
            memcpy(text, good, sizeof(good));
            text[at] = (char)character;
            bool is_good =
                (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
                (character >= '0' && character <= '9') || character == '+' || character == '/';
            /* "=" at the end is padding, which requires the two bits before it to be 0. */
            if (character == '=' && at == strlen(good) - 1) {
                text[at - 1] = 'E';
                is_good = true;
            }
            struct br_error err = { 0 };
            unsigned char *bytes = NULL;
            size_t size = 0;
            bool ok = base64_decode(text, strlen(good), &bytes, &size, &err);
            assert_int_equal(ok, is_good);
            free(bytes);
        }
    }
}

static void test_error_names_the_place(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_false(base64_decode("QUJDRE.GR0hJSktM", 16, &bytes, &size, &err));
    assert_string_equal(err.message, "base64: byte 0x2e at 6 of 16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_all_short_lengths),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_each_wrong_byte_is_refused_everywhere),
        cmocka_unit_test(test_error_names_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
