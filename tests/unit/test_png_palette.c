#include "imaging/deflate.h"
#include "imaging/png_palette.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

/* Makes rows like those of pages: flat, repeated from above, partly noisy; the first byte is 0. */
static uint8_t *make_rows(int width, int height, unsigned colours)
{
    size_t stride = (size_t)width + 1;
    uint8_t *rows = calloc(stride, (size_t)height);
    uint8_t colour = 0;
    assert_non_null(rows);
    for (int y = 0; y < height; y++) {
        uint8_t *row = rows + (size_t)y * stride;
        unsigned kind = random_number(4);
        for (int x = 0; x < width; x++) {
            if (kind == 0 || random_number(50) == 0) {
                colour = (uint8_t)random_number(colours);
            }
            bool is_copied = kind == 3 && y > 0 && random_number(40);
            row[x + 1] = is_copied ? row[x + 1 - (int)stride] : colour;
        }
    }
    return rows;
}

static const int sizes[][2] = {
    { 1, 1 },     { 2, 3 },     { 3, 1 },     { 257, 5 },   { 258, 5 },   { 300, 200 },
    { 1280, 90 }, { 32766, 3 }, { 32767, 4 }, { 32768, 4 }, { 50000, 3 }, { 1, 5000 },
};
enum { SIZE_COUNT = sizeof(sizes) / sizeof(sizes[0]) };

static void test_deflate_rows_is_read_by_zlib(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZE_COUNT * 4; i++) {
        int width = sizes[i / 4][0];
        int height = sizes[i / 4][1];
        size_t size = ((size_t)width + 1) * (size_t)height;
        uint8_t *rows = make_rows(width, height, i % 2 ? 30 : 256);
        uint8_t *packed = malloc(deflate_rows_bound(size));
        uint8_t *unpacked = malloc(size);
        uLongf unpacked_size = size;
        size_t packed_size = deflate_rows(rows, size, (size_t)width + 1, packed);
        assert_true(packed_size <= deflate_rows_bound(size));
        assert_int_equal(uncompress(unpacked, &unpacked_size, packed, packed_size), Z_OK);
        assert_int_equal(unpacked_size, size);
        assert_memory_equal(unpacked, rows, size);
        free(rows);
        free(packed);
        free(unpacked);
    }
}

static void test_deflate_rows_when_flat_is_small(void **state)
{
    (void)state;
    size_t size = 1281 * 800;
    uint8_t *rows = calloc(1, size);
    uint8_t *packed = malloc(deflate_rows_bound(size));
    assert_in_range(deflate_rows(rows, size, 1281, packed), 1, size / 100);
    free(rows);
    free(packed);
}

static void test_png_palette_is_read_with_its_colours(void **state)
{
    struct png_palette palette = { .count = 256 };
    (void)state;
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        for (size_t j = 0; j < sizeof(palette.colours); j++) {
            palette.colours[j / 4][j % 4] = j % 4 == 3 && i % 2 ? 255 : (uint8_t)random_number(256);
        }
        int width = sizes[i][0];
        int height = sizes[i][1];
        struct br_error err = { 0 };
        struct br_image image;
        unsigned char *file = NULL;
        size_t size = 0;
        uint8_t *rows = make_rows(width, height, 256);
        assert_true(png_palette_encode(rows, width, height, &palette, &file, &size, &err));
        assert_true(br_png_decode(file, size, &image, &err));
        assert_int_equal(image.width, width);
        assert_int_equal(image.height, height);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                uint8_t index = rows[(size_t)y * ((size_t)width + 1) + (size_t)x + 1];
                assert_memory_equal(image_row(&image, y) + (size_t)x * 4, palette.colours[index],
                                    4);
            }
        }
        br_image_finish(&image);
        free(file);
        free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deflate_rows_is_read_by_zlib),
        cmocka_unit_test(test_deflate_rows_when_flat_is_small),
        cmocka_unit_test(test_png_palette_is_read_with_its_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
