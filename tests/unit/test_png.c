#include "imaging/image.h"
#include "imaging/png_plain.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>
#include <zlib.h>

enum {
    MAX_SIDE = 40,
    MAX_FILE = 65536,
    PALETTE_SIZE = 256,
    IHDR_AT = 16, /* the width, after signature, length and type */
};

/* A PNG file and its expected pixels. */
struct sample {
    uint8_t file[MAX_FILE];
    size_t size;
    int width, height;
    uint8_t pixels[MAX_SIDE * MAX_SIDE * 4];
};

/* Properties of a PNG: colour type, bits, tRNS transparency, filters. */
struct format {
    int colour, depth;
    bool has_trns;
    int filters; /* 0: all */
};

static const struct format formats[] = {
    { PNG_COLOR_TYPE_GRAY, 1, false, 0 },       { PNG_COLOR_TYPE_GRAY, 2, false, 0 },
    { PNG_COLOR_TYPE_GRAY, 4, false, 0 },       { PNG_COLOR_TYPE_GRAY, 8, false, 0 },
    { PNG_COLOR_TYPE_GRAY, 16, false, 0 },      { PNG_COLOR_TYPE_GRAY, 1, true, 0 },
    { PNG_COLOR_TYPE_GRAY, 2, true, 0 },        { PNG_COLOR_TYPE_GRAY, 4, true, 0 },
    { PNG_COLOR_TYPE_GRAY, 8, true, 0 },        { PNG_COLOR_TYPE_GRAY, 16, true, 0 },
    { PNG_COLOR_TYPE_PALETTE, 1, false, 0 },    { PNG_COLOR_TYPE_PALETTE, 2, false, 0 },
    { PNG_COLOR_TYPE_PALETTE, 4, false, 0 },    { PNG_COLOR_TYPE_PALETTE, 8, false, 0 },
    { PNG_COLOR_TYPE_PALETTE, 1, true, 0 },     { PNG_COLOR_TYPE_PALETTE, 2, true, 0 },
    { PNG_COLOR_TYPE_PALETTE, 4, true, 0 },     { PNG_COLOR_TYPE_PALETTE, 8, true, 0 },
    { PNG_COLOR_TYPE_RGB, 8, false, 0 },        { PNG_COLOR_TYPE_RGB, 16, false, 0 },
    { PNG_COLOR_TYPE_RGB, 8, true, 0 },         { PNG_COLOR_TYPE_RGB, 16, true, 0 },
    { PNG_COLOR_TYPE_GRAY_ALPHA, 8, false, 0 }, { PNG_COLOR_TYPE_GRAY_ALPHA, 16, false, 0 },
    { PNG_COLOR_TYPE_RGB_ALPHA, 8, false, 0 },  { PNG_COLOR_TYPE_RGB_ALPHA, 16, false, 0 },
};

static void on_write(png_structp png, png_bytep bytes, size_t size)
{
    struct sample *sample = png_get_io_ptr(png);
    assert_true(size <= MAX_FILE - sample->size);
    memcpy(sample->file + sample->size, bytes, size);
    sample->size += size;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static int channels_of(int colour)
{
    switch (colour) {
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return 2;
    case PNG_COLOR_TYPE_RGB:
        return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
        return 4;
    default:
        return 1;
    }
}

static void put_value(uint8_t *row, size_t index, int depth, unsigned value)
{
    if (depth == 16) {
        row[index * 2] = (uint8_t)(value >> 8);
        row[index * 2 + 1] = (uint8_t)value;
        return;
    }
    size_t bit = index * (size_t)depth;
    row[bit / 8] |= (uint8_t)(value << (8 - (size_t)depth - bit % 8));
}

static uint8_t to_eight_bits(unsigned value, int depth)
{
    unsigned max = (1u << depth) - 1;
    return (uint8_t)((value * 255 + max / 2) / max);
}

/* Computes the pixel for the values; `key` is transparent. */
static void expect_pixel(const struct format *format, const unsigned *values, const unsigned *key,
                         uint8_t *pixel)
{
    int channels = channels_of(format->colour);
    bool is_grey = channels < 3;
    bool has_alpha = channels == 2 || channels == 4;
    bool is_key = true;
    for (int c = 0; c < (is_grey ? 1 : 3); c++) {
        is_key = is_key && values[c] == key[c];
    }
    for (int c = 0; c < 3; c++) {
        pixel[c] = to_eight_bits(values[is_grey ? 0 : c], format->depth);
    }
    pixel[3] = has_alpha ? to_eight_bits(values[channels - 1], format->depth)
                         : (format->has_trns && is_key ? 0 : 255);
}

/* Sets the file's palette and tRNS, if it has them, and returns the palette as RGBA. */
static void write_colours(png_structp png, png_infop info, const struct format *format,
                          unsigned *key, uint8_t palette[PALETTE_SIZE][4])
{
    png_color colours[PALETTE_SIZE];
    png_byte alphas[PALETTE_SIZE];
    for (int i = 0; i < PALETTE_SIZE; i++) {
        for (int c = 0; c < 4; c++) {
            palette[i][c] = (uint8_t)random_number(256);
        }
        colours[i] = (png_color){ palette[i][0], palette[i][1], palette[i][2] };
        alphas[i] = palette[i][3];
    }
    for (int c = 0; c < 3; c++) {
        key[c] = random_number(1u << format->depth);
    }
    /* tRNS may be shorter than the palette; the rest is opaque. */
    int count = 1 << format->depth;
    int transparent = format->has_trns ? (count + 1) / 2 : 0;
    if (format->colour == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, colours, count);
        for (int i = transparent; i < PALETTE_SIZE; i++) {
            palette[i][3] = 255;
        }
        if (format->has_trns) {
            png_set_tRNS(png, info, alphas, transparent, NULL);
        }
    } else if (format->has_trns) {
        png_color_16 colour = {
            .gray = (png_uint_16)key[0],
            .red = (png_uint_16)key[0],
            .green = (png_uint_16)key[1],
            .blue = (png_uint_16)key[2],
        };
        png_set_tRNS(png, info, NULL, 0, &colour);
    }
}

static void make_sample(struct sample *sample, const struct format *format, int width, int height,
                        int interlace)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    uint8_t palette[PALETTE_SIZE][4];
    unsigned key[4];
    int channels = channels_of(format->colour);
    static uint8_t rows[MAX_SIDE][MAX_SIDE * 8];
    png_bytep pointers[MAX_SIDE];
    *sample = (struct sample){ .width = width, .height = height };
    memset(rows, 0, sizeof(rows));
    png_set_write_fn(png, sample, on_write, on_flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, format->depth, format->colour,
                 interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, format->filters ? format->filters : PNG_ALL_FILTERS);
    write_colours(png, info, format, key, palette);
    for (int i = 0; i < width * height; i++) {
        int x = i % width;
        unsigned values[4];
        bool use_key = random_number(4) == 0;
        for (int c = 0; c < channels; c++) {
            values[c] = use_key && c < 3 ? key[c] : random_number(1u << format->depth);
            put_value(rows[i / width], (size_t)(x * channels + c), format->depth, values[c]);
        }
        if (format->colour == PNG_COLOR_TYPE_PALETTE) {
            memcpy(sample->pixels + (size_t)i * 4, palette[values[0]], 4);
        } else {
            expect_pixel(format, values, key, sample->pixels + (size_t)i * 4);
        }
    }
    for (int y = 0; y < height; y++) {
        pointers[y] = rows[y];
    }
    png_write_info(png, info);
    png_write_image(png, pointers);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static void check_decodes(const struct sample *sample, size_t size)
{
    struct br_error err;
    struct br_image image;
    if (!br_png_decode(sample->file, size, &image, &err)) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(image.width, sample->width);
    assert_int_equal(image.height, sample->height);
    assert_memory_equal(image.pixels, sample->pixels,
                        (size_t)image.width * (size_t)image.height * 4);
    br_image_finish(&image);
}

static void check_fails(const uint8_t *file, size_t size, enum br_code code)
{
    struct br_error err = { 0 };
    struct br_image image = { 0 };
    assert_false(br_png_decode(file, size, &image, &err));
    assert_int_equal(err.code, code);
    assert_true(err.message[0] != '\0');
    assert_null(image.pixels);
}

/* Writes a size into the header, and its checksum. */
static void patch_size(struct sample *sample, uint32_t width, uint32_t height)
{
    png_save_uint_32(sample->file + IHDR_AT, width);
    png_save_uint_32(sample->file + IHDR_AT + 4, height);
    uLong crc = crc32(0, sample->file + IHDR_AT - 4, 17);
    png_save_uint_32(sample->file + IHDR_AT + 13, (png_uint_32)crc);
}

static void test_decode_of_every_format(void **state)
{
    (void)state;
    static const int sizes[][2] = { { 1, 1 }, { 2, 9 }, { 7, 5 }, { 33, 17 }, { 40, 40 } };
    static struct sample sample;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            make_sample(&sample, &formats[i], sizes[k][0], sizes[k][1], PNG_INTERLACE_NONE);
            check_decodes(&sample, sample.size);
            make_sample(&sample, &formats[i], sizes[k][0], sizes[k][1], PNG_INTERLACE_ADAM7);
            check_decodes(&sample, sample.size);
        }
    }
}

static void test_decode_of_truncated_files_fails(void **state)
{
    (void)state;
    static struct sample sample;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        make_sample(&sample, &formats[i], 9, 7, (int)i % 2);
        for (size_t size = 0; size < sample.size; size++) {
            check_fails(sample.file, size, BR_UNKNOWN_ERROR);
        }
    }
}

/* All chunks of this file are required, so their checksums detect every flip. */
static void test_decode_of_flipped_bits_fails(void **state)
{
    (void)state;
    static struct sample sample;
    make_sample(&sample, &(struct format){ PNG_COLOR_TYPE_RGB, 8, false, 0 }, 9, 7,
                PNG_INTERLACE_NONE);
    for (size_t bit = 0; bit < sample.size * 8; bit++) {
        struct br_error err = { 0 };
        struct br_image image = { 0 };
        sample.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (br_png_decode(sample.file, sample.size, &image, &err)) {
            fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
        }
        sample.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void test_decode_ignores_what_follows_the_end(void **state)
{
    (void)state;
    static struct sample sample;
    make_sample(&sample, &formats[18], 9, 7, PNG_INTERLACE_NONE);
    memset(sample.file + sample.size, 0xA5, 100);
    check_decodes(&sample, sample.size + 100);
}

static void test_decode_of_no_png_fails(void **state)
{
    (void)state;
    static const uint8_t jpeg[] = { 0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1 };
    static const uint8_t zeros[200];
    check_fails(NULL, 0, BR_UNKNOWN_ERROR);
    check_fails(jpeg, sizeof(jpeg), BR_UNKNOWN_ERROR);
    check_fails(zeros, sizeof(zeros), BR_UNKNOWN_ERROR);
}

static void test_decode_of_bombs_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        enum br_code code;
    } cases[] = {
        { 0x7FFFFFFF, 0x7FFFFFFF, BR_LIMIT_EXCEEDED },
        { 100000, 100000, BR_LIMIT_EXCEEDED },
        { 80000001, 1, BR_LIMIT_EXCEEDED },
        { 1, 80000001, BR_LIMIT_EXCEEDED },
        { 8000, 10000, BR_UNKNOWN_ERROR }, /* allowed, but impossible in so few bytes */
        { 9, 8, BR_UNKNOWN_ERROR },        /* a missing row */
        { 0, 7, BR_UNKNOWN_ERROR },
        { 0x80000001, 7, BR_UNKNOWN_ERROR },
    };
    static struct sample sample;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        make_sample(&sample, &formats[18], 9, 7, PNG_INTERLACE_NONE);
        patch_size(&sample, cases[i].width, cases[i].height);
        check_fails(sample.file, sample.size, cases[i].code);
    }
}

/* A text chunk that would decompress to more than the memory is not decompressed. */
static void test_decode_skips_what_is_not_pixels(void **state)
{
    (void)state;
    static struct sample sample;
    make_sample(&sample, &formats[18], 9, 7, PNG_INTERLACE_NONE);
    static uint8_t text[] = { 0,   0,   0,   9,   'z', 'T', 'X', 't', 'k', 0, 0,
                              'b', 'r', 'o', 'k', 'e', 'n', 0,   0,   0,   0 };
    png_save_uint_32(text + 17, (png_uint_32)crc32(0, text + 4, 13));
    size_t header_end = IHDR_AT + 17;
    memmove(sample.file + header_end + sizeof(text), sample.file + header_end,
            sample.size - header_end);
    memcpy(sample.file + header_end, text, sizeof(text));
    check_decodes(&sample, sample.size + sizeof(text));
}

/* Adds a chunk with its checksum. */
static void add_chunk(struct sample *sample, const char *type, const uint8_t *data, size_t size)
{
    uint8_t *start = sample->file + sample->size;
    png_save_uint_32(start, (png_uint_32)size);
    memcpy(start + 4, type, 4);
    if (size) {
        memcpy(start + 8, data, size);
    }
    png_save_uint_32(start + 8 + size, (png_uint_32)crc32(0, start + 4, (uInt)size + 4));
    sample->size += size + 12;
}

/* Makes an RGB file of 2x2 black pixels with the given filter in its second row, in two chunks. */
static void make_black(struct sample *sample, uint8_t filter, size_t raw_size)
{
    uint8_t header[13] = { 0, 0, 0, 2, 0, 0, 0, 2, 8, PNG_COLOR_TYPE_RGB };
    uint8_t raw[20] = { [7] = filter };
    uint8_t packed[100];
    uLongf packed_size = sizeof(packed);
    *sample = (struct sample){ .width = 2, .height = 2, .size = 8 };
    memcpy(sample->file, "\x89PNG\r\n\x1A\n", 8);
    assert_int_equal(compress(packed, &packed_size, raw, raw_size), Z_OK);
    add_chunk(sample, "IHDR", header, sizeof(header));
    add_chunk(sample, "IDAT", packed, 3);
    add_chunk(sample, "IDAT", packed + 3, packed_size - 3);
    add_chunk(sample, "IEND", NULL, 0);
    for (size_t i = 0; i < 4; i++) {
        sample->pixels[i * 4 + 3] = 255;
    }
}

static void test_decode_checks_the_rows(void **state)
{
    (void)state;
    static struct sample sample;
    for (uint8_t filter = 0; filter <= 4; filter++) {
        make_black(&sample, filter, 14);
        check_decodes(&sample, sample.size);
    }
    make_black(&sample, 5, 14);
    check_fails(sample.file, sample.size, BR_UNKNOWN_ERROR);
    make_black(&sample, 0, 13);
    check_fails(sample.file, sample.size, BR_UNKNOWN_ERROR);
}

/* Checks the rows without converting them to pixels first. */
static void check_rows(const struct sample *sample, bool is_plain)
{
    struct png_rows rows;
    uint8_t row[(MAX_SIDE + 1) * 4];
    assert_int_equal(png_plain_unpack(sample->file, sample->size, &rows), is_plain);
    for (int y = 0; y < rows.height; y++) {
        size_t size = (size_t)rows.width * 4;
        png_row_expand(&rows, y, row);
        assert_memory_equal(row, sample->pixels + (size_t)y * size, size);
    }
    assert_int_equal(rows.height, is_plain ? sample->height : 0);
    png_rows_finish(&rows);
}

static void check_plain(const struct sample *sample, bool is_plain)
{
    check_rows(sample, is_plain);
    struct br_image image = { 0 };
    assert_int_equal(png_plain_decode(sample->file, sample->size, &image), is_plain);
    if (is_plain) {
        assert_int_equal(image.width, sample->width);
        assert_int_equal(image.height, sample->height);
        assert_memory_equal(image.pixels, sample->pixels,
                            (size_t)image.width * (size_t)image.height * 4);
    } else {
        assert_null(image.pixels);
    }
    br_image_finish(&image);
}

static void test_plain_takes_every_filter(void **state)
{
    (void)state;
    static const int colours[] = { PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };
    static const int filters[] = { PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                                   PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS };
    static struct sample sample;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        for (int size = 1; size <= MAX_SIDE; size++) {
            for (int c = 0; c < 2; c++) {
                struct format format = { colours[c], 8, false, filters[i] };
                make_sample(&sample, &format, size, MAX_SIDE + 1 - size, PNG_INTERLACE_NONE);
                check_plain(&sample, true);
            }
        }
    }
}

static void test_plain_leaves_the_rest_to_libpng(void **state)
{
    (void)state;
    static struct sample sample;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        bool is_plain =
            formats[i].depth == 8 && channels_of(formats[i].colour) >= 3 && !formats[i].has_trns;
        make_sample(&sample, &formats[i], 9, 7, PNG_INTERLACE_NONE);
        check_plain(&sample, is_plain);
        make_sample(&sample, &formats[i], 9, 7, PNG_INTERLACE_ADAM7);
        check_plain(&sample, false);
    }
    make_sample(&sample, &(struct format){ PNG_COLOR_TYPE_RGB, 8, false, 0 }, 9, 7, 0);
    for (size_t size = sample.size; size > 0; size--) {
        sample.size--;
        check_plain(&sample, false);
    }
    static const uint32_t sizes[][2] = { { 5000, 5000 }, { 1u << 31, 1 }, { 1, 0xFFFFFFFF },
                                         { 4000, 4000 }, { 0, 7 },        { 9, 8 } };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        make_sample(&sample, &(struct format){ PNG_COLOR_TYPE_RGB, 8, false, 0 }, 9, 7, 0);
        patch_size(&sample, sizes[i][0], sizes[i][1]);
        check_plain(&sample, false);
    }
}

static void test_encode_and_decode_give_the_same_pixels(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct br_error err;
        struct br_image image;
        struct br_image again;
        unsigned char *file = NULL;
        size_t size = 0;
        bool is_opaque = i % 2;
        assert_true(image_create(1 + i, 1 + (int)random_number(50), &image, &err));
        for (size_t k = 0; k < image_stride(&image) * (size_t)image.height; k++) {
            image.pixels[k] = (uint8_t)(k % 4 == 3 && is_opaque ? 255 : random_number(256));
        }
        /* One pixel decides whether alpha is written. */
        image.pixels[image_stride(&image) * (size_t)image.height - 1] = is_opaque ? 255 : 254;
        assert_true(br_png_encode(&image, &file, &size, &err));
        assert_int_equal(file[IHDR_AT + 9], is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA);
        assert_true(br_png_decode(file, size, &again, &err));
        assert_int_equal(again.width, image.width);
        assert_int_equal(again.height, image.height);
        assert_memory_equal(again.pixels, image.pixels,
                            image_stride(&image) * (size_t)image.height);
        free(file);
        br_image_finish(&again);
        br_image_finish(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_of_every_format),
        cmocka_unit_test(test_decode_of_truncated_files_fails),
        cmocka_unit_test(test_decode_of_flipped_bits_fails),
        cmocka_unit_test(test_decode_ignores_what_follows_the_end),
        cmocka_unit_test(test_decode_of_no_png_fails),
        cmocka_unit_test(test_decode_of_bombs_is_refused),
        cmocka_unit_test(test_decode_skips_what_is_not_pixels),
        cmocka_unit_test(test_decode_checks_the_rows),
        cmocka_unit_test(test_plain_takes_every_filter),
        cmocka_unit_test(test_plain_leaves_the_rest_to_libpng),
        cmocka_unit_test(test_encode_and_decode_give_the_same_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
