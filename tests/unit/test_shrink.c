#include "imaging/shrink.h"

#include "imaging/decode.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Text on a slowly changing background; with alpha, partly translucent. */
static struct br_image make_page(int width, int height, bool has_alpha)
{
    struct br_error err;
    struct br_image image;
    assert_true(image_create(width, height, &image, &err));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = image_row(&image, y) + (size_t)x * 4;
            bool is_stroke = y % 16 < 10 && (x * 7 + y * 3) % 23 < 4 && x % 64 < 50;
            pixel[0] = is_stroke ? 180 : (uint8_t)(200 + x * 50 / width);
            pixel[1] = is_stroke ? 30 : (uint8_t)(220 + y * 30 / height);
            pixel[2] = is_stroke ? 40 : (uint8_t)(230 + random_number(20));
            pixel[3] = has_alpha && x % 50 > y % 40 ? (uint8_t)(y % 256) : 255;
        }
    }
    return image;
}

static struct br_image scaled_by_hand(const unsigned char *file, size_t size, int width, int height)
{
    struct br_error err;
    struct br_image whole;
    struct br_image scaled;
    assert_true(image_decode(file, size, &whole, &err));
    assert_true(br_image_scale(&whole, width, height, &scaled, &err));
    br_image_finish(&whole);
    return scaled;
}

static void check_equal(const unsigned char *file, size_t size, int width, int height)
{
    struct br_error err = { 0 };
    struct br_image expected = scaled_by_hand(file, size, width, height);
    struct br_image scaled;
    if (!image_decode_scaled(file, size, width, height, &scaled, &err)) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(scaled.width, width);
    assert_int_equal(scaled.height, height);
    assert_memory_equal(scaled.pixels, expected.pixels, image_stride(&scaled) * (size_t)height);
    br_image_finish(&scaled);
    br_image_finish(&expected);
}

static void test_png_is_as_if_decoded_and_scaled(void **state)
{
    (void)state;
    static const int sizes[][4] = {
        { 640, 900, 64, 90 },   { 640, 900, 639, 899 }, { 640, 900, 640, 1 }, { 640, 900, 1, 900 },
        { 640, 900, 640, 900 }, { 7, 3000, 3, 1111 },   { 1, 9, 1, 2 },
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) * 2; i++) {
        const int *size = sizes[i / 2];
        struct br_error err;
        unsigned char *file = NULL;
        size_t file_size = 0;
        struct br_image page = make_page(size[0], size[1], i % 2);
        assert_true(br_png_encode(&page, &file, &file_size, &err));
        check_equal(file, file_size, size[2], size[3]);
        br_image_finish(&page);
        free(file);
    }
}

/* A chunk that only libpng knows: the file is decoded as a whole. */
static void test_other_png_is_as_if_decoded_and_scaled(void **state)
{
    (void)state;
    static const uint8_t chunk[] = { 0, 0, 0, 1, 't', 'E', 'X', 't', 'k', 0x95, 0x26, 0x62, 0x37 };
    enum { HEADER_END = 33 };
    struct br_error err;
    unsigned char *file = NULL;
    size_t size = 0;
    struct br_image page = make_page(100, 80, false);
    assert_true(br_png_encode(&page, &file, &size, &err));
    unsigned char *other = malloc(size + sizeof(chunk));
    memcpy(other, file, HEADER_END);
    memcpy(other + HEADER_END, chunk, sizeof(chunk));
    memcpy(other + HEADER_END + sizeof(chunk), file + HEADER_END, size - HEADER_END);
    check_equal(other, size + sizeof(chunk), 33, 44);
    br_image_finish(&page);
    free(other);
    free(file);
}

static unsigned char *make_jpeg(const struct br_image *image, enum br_chroma chroma,
                                size_t *ret_size)
{
    struct br_error err;
    struct br_jpeg_options options = { .quality = 90, .chroma = chroma };
    unsigned char *file = NULL;
    assert_true(br_jpeg_encode(image, &options, &file, ret_size, &err));
    return file;
}

/* Returns the mean difference in hundredths of a brightness level. */
static int mean_error(const struct br_image *a, const struct br_image *b)
{
    int64_t sum = 0;
    size_t size = image_stride(a) * (size_t)a->height;
    for (size_t i = 0; i < size; i++) {
        sum += abs(a->pixels[i] - b->pixels[i]);
    }
    return (int)(sum * 100 / (int64_t)(size / 4 * 3));
}

static void test_jpeg_is_close_to_decoded_and_scaled(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        int most[2]; /* hundredths of a level; without and with chroma subsampling */
    } cases[] = {
        { 1200, 900, { 0, 0 } },   { 601, 451, { 0, 0 } },   { 599, 449, { 0, 0 } },
        { 300, 225, { 60, 120 } }, { 150, 113, { 60, 80 } }, { 75, 57, { 60, 60 } },
        { 20, 300, { 0, 0 } },     { 1, 1, { 60, 60 } },
    };
    struct br_image page = make_page(1200, 900, false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) * 2; i++) {
        struct br_error err = { 0 };
        struct br_image scaled;
        size_t size = 0;
        int width = cases[i / 2].width;
        int height = cases[i / 2].height;
        unsigned char *file = make_jpeg(&page, i % 2 ? BR_CHROMA_420 : BR_CHROMA_444, &size);
        struct br_image expected = scaled_by_hand(file, size, width, height);
        assert_true(image_decode_scaled(file, size, width, height, &scaled, &err));
        int error = mean_error(&scaled, &expected);
        if (error > cases[i / 2].most[i % 2]) {
            fail_msg("%dx%d: %d hundredths", width, height, error);
        }
        br_image_finish(&scaled);
        br_image_finish(&expected);
        free(file);
    }
    br_image_finish(&page);
}

static void check_fails(const void *file, size_t size, int width, int height, enum br_code code)
{
    struct br_error err = { 0 };
    struct br_image scaled = { 0 };
    assert_false(image_decode_scaled(file, size, width, height, &scaled, &err));
    assert_int_equal(err.code, code);
    assert_true(err.message[0] != '\0');
    assert_null(scaled.pixels);
}

static void test_damaged_files_fail(void **state)
{
    (void)state;
    struct br_error err;
    struct br_image page = make_page(90, 70, false);
    unsigned char *png = NULL;
    size_t png_size = 0;
    size_t jpeg_size = 0;
    unsigned char *jpeg = make_jpeg(&page, BR_CHROMA_444, &jpeg_size);
    assert_true(br_png_encode(&page, &png, &png_size, &err));
    for (size_t size = 0; size < png_size; size += size < 100 ? 1 : 37) {
        check_fails(png, size, 9, 7, BR_UNKNOWN_ERROR);
    }
    for (size_t size = 0; size < jpeg_size; size += size < 100 ? 1 : 37) {
        check_fails(jpeg, size, 9, 7, BR_UNKNOWN_ERROR);
    }
    for (size_t i = 0; i < 2; i++) {
        check_fails(i ? jpeg : png, i ? jpeg_size : png_size, 91, 7, BR_UNKNOWN_ERROR);
        check_fails(i ? jpeg : png, i ? jpeg_size : png_size, 9, 71, BR_UNKNOWN_ERROR);
        check_fails(i ? jpeg : png, i ? jpeg_size : png_size, 0, 7, BR_UNKNOWN_ERROR);
    }
    br_image_finish(&page);
    free(jpeg);
    free(png);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_is_as_if_decoded_and_scaled),
        cmocka_unit_test(test_other_png_is_as_if_decoded_and_scaled),
        cmocka_unit_test(test_jpeg_is_close_to_decoded_and_scaled),
        cmocka_unit_test(test_damaged_files_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
