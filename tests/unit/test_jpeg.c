#include "imaging/image.h"
#include "imaging/jpeg_tables.h"
#include "tests/unit/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jpeglib.h>

static struct br_image make_image(int width, int height)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(width, height, &image, &err));
    memset(image.pixels, 255, image_stride(&image) * (size_t)height);
    return image;
}

static struct br_image make_noise(int width, int height)
{
    struct br_image image = make_image(width, height);
    for (size_t i = 0; i < image_stride(&image) * (size_t)height; i++) {
        image.pixels[i] = i % 4 == 3 ? 255 : (uint8_t)random_number(256);
    }
    return image;
}

/* Soft colours with sharp coloured strokes, like text. */
static struct br_image make_page(int width, int height)
{
    struct br_image image = make_image(width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = image_row(&image, y) + (size_t)x * 4;
            bool is_stroke = y % 16 < 10 && (x * 7 + y * 3) % 23 < 4 && x % 64 < 50;
            pixel[0] = is_stroke ? 180 : (uint8_t)(200 + x * 50 / width);
            pixel[1] = is_stroke ? 30 : (uint8_t)(220 + y * 30 / height);
            pixel[2] = is_stroke ? 40 : 240;
        }
    }
    return image;
}

static unsigned char *encode(const struct br_image *image, int quality, enum br_chroma chroma,
                             size_t *ret_size)
{
    struct br_error err;
    struct br_jpeg_options options = { .quality = quality, .chroma = chroma };
    unsigned char *bytes = NULL;
    if (!br_jpeg_encode(image, &options, &bytes, ret_size, &err)) {
        fail_msg("%s", err.message);
    }
    return bytes;
}

static struct br_image decode(const unsigned char *bytes, size_t size)
{
    struct br_error err;
    struct br_image image;
    if (!br_jpeg_decode(bytes, size, &image, &err)) {
        fail_msg("%s", err.message);
    }
    return image;
}

static void check_fails(const unsigned char *bytes, size_t size, enum br_code code)
{
    struct br_error err = { 0 };
    struct br_image image = { 0 };
    assert_false(br_jpeg_decode(bytes, size, &image, &err));
    assert_int_equal(err.code, code);
    assert_true(err.message[0] != '\0');
    assert_null(image.pixels);
}

/* Returns the peak signal to noise ratio of the colours in dB; every pixel must be opaque. */
static double psnr(const struct br_image *a, const struct br_image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    size_t length = image_stride(a) * (size_t)a->height;
    double sum = 0;
    for (size_t i = 0; i < length; i++) {
        double difference = (double)a->pixels[i] - b->pixels[i];
        sum += difference * difference;
    }
    return sum > 0 ? 10 * log10(255.0 * 255.0 * ((double)length * 3 / 4) / sum) : INFINITY;
}

static double round_trip_psnr(const struct br_image *image, int quality, enum br_chroma chroma)
{
    size_t size = 0;
    unsigned char *bytes = encode(image, quality, chroma, &size);
    struct br_image again = decode(bytes, size);
    double result = psnr(image, &again);
    br_image_finish(&again);
    free(bytes);
    return result;
}

static void test_round_trip_keeps_the_picture(void **state)
{
    (void)state;
    static const struct {
        int quality;
        enum br_chroma chroma;
        double min_psnr;
    } cases[] = {
        { 25, BR_CHROMA_444, 18 }, { 25, BR_CHROMA_420, 17.5 }, { 50, BR_CHROMA_444, 21 },
        { 75, BR_CHROMA_444, 24 }, { 90, BR_CHROMA_444, 30 },   { 95, BR_CHROMA_444, 35.5 },
        { 95, BR_CHROMA_420, 21 }, { 100, BR_CHROMA_444, 49 },
    };
    struct br_image image = make_page(320, 200);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double got = round_trip_psnr(&image, cases[i].quality, cases[i].chroma);
        if (!(got >= cases[i].min_psnr)) {
            fail_msg("quality %d: %.2f dB, not %.2f", cases[i].quality, got, cases[i].min_psnr);
        }
    }
    br_image_finish(&image);
}

static void test_every_size_works(void **state)
{
    (void)state;
    for (int width = 1; width <= 18; width++) {
        for (int height = 1; height <= 18; height++) {
            struct br_image image = make_page(width, height);
            assert_true(round_trip_psnr(&image, 90, BR_CHROMA_444) > 25);
            assert_true(round_trip_psnr(&image, 90, BR_CHROMA_420) > 10);
            br_image_finish(&image);
        }
    }
}

/* Noise needs symbols that never occur in pages. */
static void test_every_quality_can_write_noise(void **state)
{
    (void)state;
    struct br_image image = make_noise(64, 64);
    double last = 0;
    for (int quality = 1; quality <= 100; quality++) {
        double got = round_trip_psnr(&image, quality, BR_CHROMA_444);
        assert_true(got > last - 0.5);
        last = got;
        round_trip_psnr(&image, quality, BR_CHROMA_420);
    }
    assert_true(last > 40);
    br_image_finish(&image);
}

static void check_table(const struct jpeg_table *table, const uint8_t *symbols, size_t count)
{
    unsigned codes = 0;
    unsigned space = 0;
    assert_int_equal(table->counts[0], 0);
    for (int length = 1; length <= 16; length++) {
        codes += table->counts[length];
        space += (unsigned)table->counts[length] << (16 - length);
    }
    assert_int_equal(codes, count);
    /* The code of only ones is not allowed. */
    assert_true(space < 65536);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(memchr(table->symbols, symbols[i], count));
    }
}

static void test_tables_have_every_symbol(void **state)
{
    (void)state;
    static const uint8_t dc[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    uint8_t ac[162] = { 0x00, 0xF0 };
    for (int i = 0; i < 160; i++) {
        ac[i + 2] = (uint8_t)((i / 10) << 4 | (i % 10 + 1));
    }
    const struct jpeg_tables *sets[] = { &jpeg_tables_25, &jpeg_tables_75 };
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        check_table(&sets[i]->luma_dc, dc, sizeof(dc));
        check_table(&sets[i]->chroma_dc, dc, sizeof(dc));
        check_table(&sets[i]->luma_ac, ac, sizeof(ac));
        check_table(&sets[i]->chroma_ac, ac, sizeof(ac));
    }
}

static void test_output_does_not_depend_on_history(void **state)
{
    (void)state;
    static const int qualities[] = { 25, 60, 95, 25, 95, 60 };
    struct br_image page = make_page(200, 120);
    struct br_image noise = make_noise(100, 50);
    for (size_t i = 0; i < sizeof(qualities) / sizeof(qualities[0]); i++) {
        size_t size = 0;
        size_t other_size = 0;
        size_t again_size = 0;
        unsigned char *bytes = encode(&page, 25, BR_CHROMA_444, &size);
        unsigned char *other = encode(&noise, qualities[i], BR_CHROMA_420, &other_size);
        unsigned char *again = encode(&page, 25, BR_CHROMA_444, &again_size);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        free(bytes);
        free(other);
        free(again);
    }
    br_image_finish(&page);
    br_image_finish(&noise);
}

/* Encodes with libjpeg in one part, with the standard tables or with optimised ones. */
static unsigned char *encode_whole(const struct br_image *image,
                                   const struct br_jpeg_options *options, boolean optimise,
                                   size_t *ret_size)
{
    struct jpeg_compress_struct jpeg = { 0 };
    struct jpeg_error_mgr manager;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = (JDIMENSION)image->width;
    jpeg.image_height = (JDIMENSION)image->height;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_EXT_RGBA;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, options->quality, TRUE);
    if (options->chroma == BR_CHROMA_444) {
        jpeg.comp_info[0].h_samp_factor = 1;
        jpeg.comp_info[0].v_samp_factor = 1;
    }
    jpeg.optimize_coding = optimise;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < image->height; y++) {
        JSAMPROW row = image_row(image, y);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    *ret_size = size;
    return bytes;
}

static size_t size_by_libjpeg(const struct br_image *image, int quality, boolean optimise)
{
    size_t size = 0;
    struct br_jpeg_options options = { .quality = quality, .chroma = BR_CHROMA_444 };
    free(encode_whole(image, &options, optimise, &size));
    return size;
}

/* In the data a zero follows each 0xFF, so these are markers. */
static int count_restarts(const unsigned char *bytes, size_t size)
{
    int count = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (bytes[i] == 0xFF && bytes[i + 1] >= 0xD0 && bytes[i + 1] <= 0xD7) {
            assert_int_equal(bytes[i + 1], 0xD0 + count % 8);
            count++;
        }
    }
    return count;
}

/* Larger pictures are encoded in parts, by two threads. */
static void test_parts_are_the_same_picture(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        struct br_jpeg_options options;
        int restarts;
    } cases[] = {
        { 500, 199, { 25, BR_CHROMA_444 }, 0 },    { 500, 200, { 25, BR_CHROMA_444 }, 6 },
        { 1003, 251, { 25, BR_CHROMA_444 }, 7 },   { 1003, 251, { 75, BR_CHROMA_420 }, 7 },
        { 1003, 251, { 95, BR_CHROMA_444 }, 0 },   { 10001, 10, { 25, BR_CHROMA_444 }, 1 },
        { 10001, 10, { 25, BR_CHROMA_420 }, 0 },   { 33, 4001, { 90, BR_CHROMA_420 }, 7 },
        { 65500, 760, { 25, BR_CHROMA_444 }, 11 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_image page = make_page(cases[i].width, cases[i].height);
        size_t size = 0;
        size_t whole_size = 0;
        unsigned char *bytes =
            encode(&page, cases[i].options.quality, cases[i].options.chroma, &size);
        unsigned char *whole = encode_whole(&page, &cases[i].options, FALSE, &whole_size);
        struct br_image image = decode(bytes, size);
        struct br_image expected = decode(whole, whole_size);
        assert_int_equal(count_restarts(bytes, size), cases[i].restarts);
        assert_int_equal(image.width, page.width);
        assert_int_equal(image.height, page.height);
        assert_memory_equal(image.pixels, expected.pixels,
                            image_stride(&image) * (size_t)image.height);
        br_image_finish(&expected);
        br_image_finish(&image);
        br_image_finish(&page);
        free(whole);
        free(bytes);
    }
}

static void test_tables_save_bytes(void **state)
{
    (void)state;
    struct br_image image = make_page(640, 400);
    size_t size = 0;
    free(encode(&image, 25, BR_CHROMA_444, &size));
    assert_true(size < size_by_libjpeg(&image, 25, FALSE));
    free(encode(&image, 95, BR_CHROMA_444, &size));
    assert_int_equal(size, size_by_libjpeg(&image, 95, TRUE));
    br_image_finish(&image);
}

static void test_alpha_is_laid_over_white(void **state)
{
    (void)state;
    static const struct {
        uint8_t pixel[4];
        int expected;
    } cases[] = {
        { { 0, 0, 0, 0 }, 255 },    { { 0, 0, 0, 128 }, 127 },      { { 0, 0, 0, 255 }, 0 },
        { { 9, 200, 90, 0 }, 255 }, { { 100, 100, 100, 51 }, 224 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_image image = make_image(16, 16);
        for (size_t k = 0; k < 256; k++) {
            memcpy(image.pixels + k * 4, cases[i].pixel, 4);
        }
        size_t size = 0;
        unsigned char *bytes = encode(&image, 100, BR_CHROMA_444, &size);
        struct br_image again = decode(bytes, size);
        for (size_t k = 0; k < 256 * 4; k++) {
            int expected = k % 4 == 3 ? 255 : cases[i].expected;
            assert_in_range(again.pixels[k] + 1, expected, expected + 2);
        }
        br_image_finish(&again);
        br_image_finish(&image);
        free(bytes);
    }
}

static void test_encode_checks_what_it_is_given(void **state)
{
    (void)state;
    static const struct {
        int quality, width, height;
        enum br_code code;
    } cases[] = {
        { 0, 1, 1, BR_INVALID_ACTION },      { 101, 1, 1, BR_INVALID_ACTION },
        { -7, 1, 1, BR_INVALID_ACTION },     { 25, 65501, 1, BR_LIMIT_EXCEEDED },
        { 25, 1, 65501, BR_LIMIT_EXCEEDED },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct br_image image = make_image(cases[i].width, cases[i].height);
        struct br_jpeg_options options = { .quality = cases[i].quality };
        unsigned char *bytes = NULL;
        size_t size = 0;
        assert_false(br_jpeg_encode(&image, &options, &bytes, &size, &err));
        assert_int_equal(err.code, cases[i].code);
        assert_null(bytes);
        br_image_finish(&image);
    }
}

static void test_decode_of_truncated_files_fails(void **state)
{
    (void)state;
    for (int quality = 25; quality <= 95; quality += 35) {
        struct br_image image = make_page(24, 17);
        size_t size = 0;
        unsigned char *bytes = encode(&image, quality, BR_CHROMA_420, &size);
        for (size_t length = 0; length < size; length++) {
            check_fails(bytes, length, BR_UNKNOWN_ERROR);
        }
        br_image_finish(&image);
        free(bytes);
    }
}

/* A JPEG has no checksum: most flips only change pixels, but none may do harm. */
static void test_decode_of_flipped_bits_does_no_harm(void **state)
{
    (void)state;
    struct br_image image = make_page(24, 17);
    size_t size = 0;
    size_t failures = 0;
    unsigned char *bytes = encode(&image, 25, BR_CHROMA_420, &size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        struct br_error err = { 0 };
        struct br_image again = { 0 };
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (!br_jpeg_decode(bytes, size, &again, &err)) {
            failures++;
            assert_int_not_equal(err.code, BR_OK);
        }
        br_image_finish(&again);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_in_range(failures, size, size * 8 - 1);
    br_image_finish(&image);
    free(bytes);
}

static void test_decode_of_bombs_is_refused(void **state)
{
    (void)state;
    struct br_image image = make_page(24, 17);
    size_t size = 0;
    unsigned char *bytes = encode(&image, 25, BR_CHROMA_444, &size);
    unsigned char *frame = memmem(bytes, size, "\xFF\xC0", 2);
    assert_non_null(frame);
    /* Height and width in the frame header. */
    memcpy(frame + 5, "\xEA\x60\xEA\x60", 4);
    check_fails(bytes, size, BR_LIMIT_EXCEEDED);
    memcpy(frame + 5, "\x20\x00\x20\x00", 4);
    check_fails(bytes, size, BR_UNKNOWN_ERROR);
    br_image_finish(&image);
    free(bytes);
}

static void test_decode_of_no_jpeg_fails(void **state)
{
    (void)state;
    static const unsigned char zeros[100];
    check_fails((const unsigned char *)"", 0, BR_UNKNOWN_ERROR);
    check_fails(zeros, sizeof(zeros), BR_UNKNOWN_ERROR);
    check_fails((const unsigned char *)"\x89PNG\r\n\x1A\n", 8, BR_UNKNOWN_ERROR);
}

/* Makes a file with libjpeg; with `scans` it is progressive. */
static unsigned char *encode_by_libjpeg(J_COLOR_SPACE space, int components,
                                        const jpeg_scan_info *scans, int scan_count,
                                        size_t *ret_size)
{
    struct jpeg_compress_struct jpeg = { 0 };
    struct jpeg_error_mgr manager;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    uint8_t row[16 * 4];
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = 16;
    jpeg.image_height = 16;
    jpeg.input_components = components;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg.scan_info = scans;
    jpeg.num_scans = scan_count;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < 16; y++) {
        JSAMPROW rows = row;
        memset(row, y * 16, sizeof(row));
        jpeg_write_scanlines(&jpeg, &rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    *ret_size = size;
    return bytes;
}

static void check_grey_steps(const unsigned char *bytes, size_t size)
{
    struct br_image image = decode(bytes, size);
    assert_int_equal(image.width, 16);
    assert_int_equal(image.height, 16);
    for (size_t i = 0; i < 16 * 16; i++) {
        int expected = (int)(i / 16) * 16;
        assert_in_range(image.pixels[i * 4] + 8, expected, expected + 16);
        assert_int_equal(image.pixels[i * 4 + 1], image.pixels[i * 4]);
        assert_int_equal(image.pixels[i * 4 + 3], 255);
    }
    br_image_finish(&image);
}

/* Makes scans of one coefficient each, of all three components. */
static int make_scans(jpeg_scan_info *scans, int last_coefficient)
{
    int count = 0;
    scans[count++] = (jpeg_scan_info){ 3, { 0, 1, 2 }, 0, 0, 0, 0 };
    for (int component = 0; component < 3; component++) {
        for (int k = 1; k <= last_coefficient; k++) {
            scans[count++] = (jpeg_scan_info){ 1, { component }, k, k, 0, 0 };
        }
    }
    return count;
}

static void test_decode_of_other_kinds(void **state)
{
    (void)state;
    static jpeg_scan_info scans[3 * 63 + 1];
    size_t size = 0;
    unsigned char *bytes = encode_by_libjpeg(JCS_GRAYSCALE, 1, NULL, 0, &size);
    check_grey_steps(bytes, size);
    free(bytes);

    bytes = encode_by_libjpeg(JCS_RGB, 3, scans, make_scans(scans, 32), &size);
    check_grey_steps(bytes, size);
    free(bytes);

    bytes = encode_by_libjpeg(JCS_RGB, 3, scans, make_scans(scans, 63), &size);
    check_fails(bytes, size, BR_LIMIT_EXCEEDED);
    free(bytes);

    /* CMYK needs a colour profile to be shown correctly. */
    bytes = encode_by_libjpeg(JCS_CMYK, 4, NULL, 0, &size);
    check_fails(bytes, size, BR_UNKNOWN_ERROR);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_keeps_the_picture),
        cmocka_unit_test(test_every_size_works),
        cmocka_unit_test(test_every_quality_can_write_noise),
        cmocka_unit_test(test_tables_have_every_symbol),
        cmocka_unit_test(test_output_does_not_depend_on_history),
        cmocka_unit_test(test_tables_save_bytes),
        cmocka_unit_test(test_parts_are_the_same_picture),
        cmocka_unit_test(test_alpha_is_laid_over_white),
        cmocka_unit_test(test_encode_checks_what_it_is_given),
        cmocka_unit_test(test_decode_of_truncated_files_fails),
        cmocka_unit_test(test_decode_of_flipped_bits_does_no_harm),
        cmocka_unit_test(test_decode_of_bombs_is_refused),
        cmocka_unit_test(test_decode_of_no_jpeg_fails),
        cmocka_unit_test(test_decode_of_other_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
