/*
 * Reads any bytes as a PNG: first unchanged, then with corrected checksums, so that the code after
 * the checksums is reached. A readable picture must be the same after writing and reading it again,
 * and the two readers must agree.
 */
#include "imaging/decode.h"
#include "imaging/image.h"
#include "imaging/png_plain.h"
#include "imaging/shrink.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Larger pictures only take time. */
#define MAX_PIXELS (256 * 256)

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

/*
 * A signature of 8 bytes precedes the chunks. A chunk has a length, a type, data, and the checksum
 * of type and data.
 */
static void repair_checksums(uint8_t *bytes, size_t size)
{
    size_t offset = 8;
    while (offset <= size && size - offset >= 12) {
        size_t length = png_get_uint_32(bytes + offset);
        if (length > size - offset - 12) {
            return;
        }
        uLong crc = crc32(0, bytes + offset + 4, (uInt)length + 4);
        png_save_uint_32(bytes + offset + 8 + length, (png_uint_32)crc);
        offset += length + 12;
    }
}

/* Checks that both functions of the fast reader return the same pixels. */
static void compare_rows(const uint8_t *bytes, size_t size, const struct br_image *image)
{
    struct png_rows rows;
    check(png_plain_unpack(bytes, size, &rows));
    uint8_t *row = malloc(image_stride(image));
    for (int y = 0; y < image->height; y++) {
        png_row_expand(&rows, y, row);
        check(memcmp(row, image_row(image, y), image_stride(image)) == 0);
    }
    free(row);
    png_rows_finish(&rows);
}

/*
 * What the fast reader accepts, libpng must read, too. An added chunk that only libpng accepts
 * makes br_png_decode() use libpng.
 */
static void compare_readers(const uint8_t *bytes, size_t size)
{
    static const uint8_t chunk[] = { 0, 0, 0, 0, 't', 'e', 'S', 't', 0, 0, 0, 0 };
    enum { HEADER_END = 33 };
    struct br_error err;
    struct br_image plain = { 0 };
    struct br_image image = { 0 };
    if (!png_plain_decode(bytes, size, &plain)) {
        check(!plain.pixels);
        return;
    }
    compare_rows(bytes, size, &plain);
    uint8_t *other = malloc(size + sizeof(chunk));
    memcpy(other, bytes, HEADER_END);
    memcpy(other + HEADER_END, chunk, sizeof(chunk));
    memcpy(other + HEADER_END + sizeof(chunk), bytes + HEADER_END, size - HEADER_END);
    repair_checksums(other, size + sizeof(chunk));
    /* zlib refuses a few malformed streams that libdeflate accepts. */
    if (br_png_decode(other, size + sizeof(chunk), &image, &err)) {
        size_t length = image_stride(&image) * (size_t)image.height;
        check(plain.width == image.width && plain.height == image.height);
        check(memcmp(plain.pixels, image.pixels, length) == 0);
    }
    free(other);
    br_image_finish(&image);
    br_image_finish(&plain);
}

/* Checks that the size in the header is the size of the decoded picture. */
static void check_size(const uint8_t *bytes, size_t size, const struct br_image *image)
{
    struct br_error err;
    int width = 0;
    int height = 0;
    check(image_decode_size(bytes, size, &width, &height, &err));
    check(width == image->width && height == image->height);
}

/* Checks that scaling row by row during decoding equals scaling the whole picture. */
static void check_scaled(const uint8_t *bytes, size_t size, const struct br_image *image)
{
    struct br_error err;
    struct br_image expected;
    struct br_image scaled;
    int width = (image->width + 2) / 3;
    int height = (image->height + 1) / 2;
    check(br_image_scale(image, width, height, &expected, &err));
    check(image_decode_scaled(bytes, size, width, height, &scaled, &err));
    check(memcmp(scaled.pixels, expected.pixels, image_stride(&scaled) * (size_t)height) == 0);
    br_image_finish(&scaled);
    br_image_finish(&expected);
}

static void read_and_write(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    struct br_image image = { 0 };
    if (!br_png_decode(bytes, size, &image, &err)) {
        check(err.code == BR_UNKNOWN_ERROR || err.code == BR_LIMIT_EXCEEDED);
        check(err.message[0] != '\0' && !image.pixels);
        return;
    }
    check_size(bytes, size, &image);
    size_t length = image_stride(&image) * (size_t)image.height;
    if (length <= MAX_PIXELS * IMAGE_BYTES_PER_PIXEL) {
        struct br_image again = { 0 };
        unsigned char *file = NULL;
        size_t file_size = 0;
        check(br_png_encode(&image, &file, &file_size, &err));
        check(br_png_decode(file, file_size, &again, &err));
        check(again.width == image.width && again.height == image.height);
        check(memcmp(again.pixels, image.pixels, length) == 0);
        br_image_finish(&again);
        free(file);
        check_scaled(bytes, size, &image);
    }
    br_image_finish(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_and_write(bytes, size);
    uint8_t *repaired = malloc(size ? size : 1);
    memcpy(repaired, bytes, size);
    repair_checksums(repaired, size);
    read_and_write(repaired, size);
    compare_readers(repaired, size);
    free(repaired);
    return 0;
}
