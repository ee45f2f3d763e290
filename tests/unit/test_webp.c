#include "imaging/webp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The first bytes of files; nothing follows. */
#define FILE_OF(chunk) "RIFF\0\0\0\0WEBP" chunk "\x0A\0\0\0"
#define LOSSY(size)    FILE_OF("VP8 ") "\x30\x01\0\x9D\x01\x2A" size
#define LOSSLESS(bits) FILE_OF("VP8L") "\x2F" bits "\0\0\0\0\0"
#define EXTENDED(size) FILE_OF("VP8X") "\x10\0\0\0" size

static void test_size_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        char bytes[31];
        int width, height;
    } cases[] = {
        { LOSSY("\x00\x05\xD0\x02"), 1280, 720 },
        { LOSSY("\x01\x40\x01\x80"), 1, 1 }, /* the bits above the size are the scale */
        { LOSSY("\xFF\x3F\xFF\x3F"), 16383, 16383 },
        { LOSSLESS("\0\0\0\0"), 1, 1 },
        { LOSSLESS("\xFF\xC4\xB3\0"), 1280, 720 },
        { LOSSLESS("\xFF\xFF\xFF\xFF"), 16384, 16384 },
        { EXTENDED("\xFF\x04\0\xCF\x02\0"), 1280, 720 },
        { EXTENDED("\0\0\0\xFF\xFF\x3F"), 1, 4194304 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        int width = 0;
        int height = 0;
        assert_true(webp_read_size(cases[i].bytes, 30, &width, &height, &err));
        assert_int_equal(width, cases[i].width);
        assert_int_equal(height, cases[i].height);
    }
}

static void test_size_of_no_webp_fails(void **state)
{
    (void)state;
    static const struct {
        char bytes[31];
        size_t size;
    } cases[] = {
        { "", 0 },
        { LOSSY("\x00\x05\xD0\x02"), 29 },
        { LOSSY("\x00\x00\xD0\x02"), 30 },
        { LOSSY("\x00\x05\x00\x40"), 30 },
        { FILE_OF("VP8 ") "\x30\x01\0\x9D\x01\x2B\0\x05\xD0\x02", 30 },
        { FILE_OF("VP8L") "\x2E\0\0\0\0\0\0\0\0\0", 30 },
        { FILE_OF("ALPH") "\x2F\0\0\0\0\0\0\0\0\0", 30 },
        { "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x05\x08\x06", 30 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        int width = 0;
        int height = 0;
        assert_false(webp_read_size(cases[i].bytes, cases[i].size, &width, &height, &err));
        assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_of_every_kind),
        cmocka_unit_test(test_size_of_no_webp_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
