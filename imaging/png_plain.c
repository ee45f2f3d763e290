#include "imaging/png_plain.h"

#include "imaging/deflate.h"
#include "imaging/image.h"
#include "imaging/rows.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Everything is decompressed at once; above this size libpng, row by row, needs less memory. */
#define MAX_PIXELS ((uint64_t)20 * 1000 * 1000)

enum {
    SIGNATURE_SIZE = 8,
    CHUNK_OVERHEAD = 12, /* length and type before the data, checksum after it */
    HEADER_SIZE = 13,
    ZLIB_HEADER_SIZE = 2,
    ZLIB_CHECKSUM_SIZE = 4,
};

/* The alpha of a pixel that is read as an integer. */
#define OPAQUE UINT32_C(0xFF000000)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "another order of bytes");

enum filter {
    FILTER_NONE,
    FILTER_SUB,
    FILTER_UP,
    FILTER_AVERAGE,
    FILTER_PAETH,
};

struct chunk {
    const uint8_t *type;
    const uint8_t *data;
    size_t size;
};

struct plain {
    int width, height;
    size_t pixel_size; /* bytes: 3 or 4 */
    size_t stride;     /* bytes of a row, without its filter */
    uint8_t *packed;   /* the data of all IDAT chunks */
    size_t packed_size;
    uint8_t *rows; /* two unfiltered rows, the current and the previous one, and a spare byte */
};

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads the chunk at *offset and moves behind it; false at the end and for a wrong checksum. */
static bool chunk_next(const uint8_t *bytes, size_t size, size_t *offset, struct chunk *chunk)
{
    if (size - *offset < CHUNK_OVERHEAD) {
        return false;
    }
    const uint8_t *start = bytes + *offset;
    chunk->size = read_u32(start);
    if (chunk->size > size - *offset - CHUNK_OVERHEAD) {
        return false;
    }
    chunk->type = start + 4;
    chunk->data = start + 8;
    *offset += chunk->size + CHUNK_OVERHEAD;
    return libdeflate_crc32(0, chunk->type, chunk->size + 4) == read_u32(chunk->data + chunk->size);
}

static bool chunk_is(const struct chunk *chunk, const char *type)
{
    return memcmp(chunk->type, type, 4) == 0;
}

static bool read_header(struct plain *plain, const struct chunk *chunk, uint64_t max_pixels)
{
    const uint8_t *data = chunk->data;
    if (!chunk_is(chunk, "IHDR") || chunk->size != HEADER_SIZE) {
        return false;
    }
    uint64_t width = read_u32(data);
    uint64_t height = read_u32(data + 4);
    if (width == 0 || height == 0 || width > max_pixels || width * height > max_pixels) {
        return false;
    }
    /* 8 bits; RGB or RGBA; the standard compression and filters, no interlacing. */
    if (data[8] != 8 || (data[9] != 2 && data[9] != 6) || data[10] || data[11] || data[12]) {
        return false;
    }
    plain->width = (int)width;
    plain->height = (int)height;
    plain->pixel_size = data[9] == 2 ? 3 : 4;
    plain->stride = plain->pixel_size * (size_t)width;
    return true;
}

/* Reads the whole file without decompressing it. */
static bool read_chunks(struct plain *plain, const uint8_t *bytes, size_t size, uint64_t max_pixels)
{
    size_t offset = SIGNATURE_SIZE;
    struct chunk chunk;
    if (size < SIGNATURE_SIZE || memcmp(bytes, "\x89PNG\r\n\x1A\n", SIGNATURE_SIZE) != 0 ||
        !chunk_next(bytes, size, &offset, &chunk) || !read_header(plain, &chunk, max_pixels)) {
        return false;
    }
    plain->packed = malloc(size);
    while (plain->packed && chunk_next(bytes, size, &offset, &chunk)) {
        if (chunk_is(&chunk, "IEND")) {
            return chunk.size == 0;
        }
        if (!chunk_is(&chunk, "IDAT")) {
            return false;
        }
        memcpy(plain->packed + plain->packed_size, chunk.data, chunk.size);
        plain->packed_size += chunk.size;
    }
    return false;
}

static void add_up(uint8_t *restrict row, const uint8_t *restrict last, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        row[i] = (uint8_t)(row[i] + last[i]);
    }
}

/* The channels of a pixel, and wider numbers to add to them. */
typedef uint8_t channels __attribute__((vector_size(8)));
typedef int16_t numbers __attribute__((vector_size(16)));

/* Reads four bytes even if the pixel has three. */
static inline numbers load_pixel(const uint8_t *pixel)
{
    channels bytes = { 0 };
    memcpy(&bytes, pixel, 4);
    return __builtin_convertvector(bytes, numbers);
}

/* Writes the pixel, and returns it without overflow. */
static inline numbers store_pixel(uint8_t *pixel, size_t pixel_size, numbers values)
{
    channels bytes = __builtin_convertvector(values & 0xFF, channels);
    memcpy(pixel, &bytes, pixel_size);
    return values & 0xFF;
}

static inline numbers magnitude(numbers values)
{
    numbers sign = values >> 15;
    return (values ^ sign) - sign;
}

/* Returns whichever of left, up and corner is nearest to left + up - corner. */
static inline numbers paeth(numbers left, numbers up, numbers corner)
{
    numbers to_left = magnitude(up - corner);
    numbers to_up = magnitude(left - corner);
    numbers to_corner = magnitude(up - corner + left - corner);
    numbers is_up = to_up <= to_corner;
    numbers is_left = (to_left <= to_up) & (to_left <= to_corner);
    numbers other = (up & is_up) | (corner & ~is_up);
    return (left & is_left) | (other & ~is_left);
}

static inline void add_left(uint8_t *row, size_t size, size_t pixel_size)
{
    numbers left = { 0 };
    for (size_t i = 0; i < size; i += pixel_size) {
        left = store_pixel(row + i, pixel_size, load_pixel(row + i) + left);
    }
}

static inline void add_average(uint8_t *row, const uint8_t *last, size_t size, size_t pixel_size)
{
    numbers left = { 0 };
    for (size_t i = 0; i < size; i += pixel_size) {
        numbers mean = (left + load_pixel(last + i)) >> 1;
        left = store_pixel(row + i, pixel_size, load_pixel(row + i) + mean);
    }
}

static inline void add_paeth(uint8_t *row, const uint8_t *last, size_t size, size_t pixel_size)
{
    numbers left = { 0 };
    numbers corner = { 0 };
    for (size_t i = 0; i < size; i += pixel_size) {
        numbers up = load_pixel(last + i);
        numbers nearest = paeth(left, up, corner);
        left = store_pixel(row + i, pixel_size, load_pixel(row + i) + nearest);
        corner = up;
    }
}

/* Inline, so that each pixel size gets its own code. Reads one byte beyond both rows. */
static inline bool unfilter_pixels(uint8_t filter, uint8_t *row, const uint8_t *last, size_t size,
                                   size_t pixel_size)
{
    switch (filter) {
    case FILTER_NONE:
        return true;
    case FILTER_SUB:
        add_left(row, size, pixel_size);
        return true;
    case FILTER_UP:
        add_up(row, last, size);
        return true;
    case FILTER_AVERAGE:
        add_average(row, last, size, pixel_size);
        return true;
    case FILTER_PAETH:
        add_paeth(row, last, size, pixel_size);
        return true;
    default:
        return false;
    }
}

static bool unfilter(const struct plain *plain, uint8_t filter, uint8_t *row, const uint8_t *last)
{
    return plain->pixel_size == 3 ? unfilter_pixels(filter, row, last, plain->stride, 3)
                                  : unfilter_pixels(filter, row, last, plain->stride, 4);
}

/* Expands red, green and blue to red, green, blue and 255. Reads one byte beyond the row. */
static void add_alpha(const uint8_t *restrict row, int width, uint8_t *restrict out)
{
    for (size_t x = 0; x < (size_t)width; x++) {
        uint32_t pixel;
        memcpy(&pixel, row + x * 3, 4);
        pixel |= OPAQUE;
        memcpy(out + x * 4, &pixel, 4);
    }
}

/* RFC 1950: deflate with a window of at most 32 KiB, no dictionary. */
static bool is_zlib_header(const uint8_t *bytes)
{
    return (bytes[0] & 0x0F) == 8 && bytes[0] >> 4 <= 7 && (bytes[1] & 0x20) == 0 &&
           (bytes[0] << 8 | bytes[1]) % 31 == 0;
}

/* Ignores the checksum at the end: the chunks' checksums cover the same bytes. */
static bool inflate_rows(const struct plain *plain, uint8_t *raw, size_t raw_size)
{
    const size_t frame = ZLIB_HEADER_SIZE + ZLIB_CHECKSUM_SIZE;
    if (plain->packed_size < frame || !is_zlib_header(plain->packed)) {
        return false;
    }
    return deflate_unpack(plain->packed + ZLIB_HEADER_SIZE, plain->packed_size - frame, raw,
                          raw_size);
}

/*
 * Decompresses to the end of the pixels' memory and moves row by row to its start. A finished row
 * never overwrites a pending one: pending rows are not longer, and end where the memory ends.
 */
static bool unpack(struct plain *plain, uint8_t *pixels, size_t capacity, size_t raw_size)
{
    uint8_t *raw = pixels + capacity - raw_size;
    bool ok = inflate_rows(plain, raw, raw_size);
    uint8_t *row = plain->rows;
    uint8_t *last = plain->rows + plain->stride;
    for (int y = 0; ok && y < plain->height; y++) {
        uint8_t filter = *raw++;
        memcpy(row, raw, plain->stride);
        raw += plain->stride;
        ok = unfilter(plain, filter, row, last);
        uint8_t *out = pixels + (size_t)y * (size_t)plain->width * 4;
        if (plain->pixel_size == 3) {
            add_alpha(row, plain->width, out);
        } else {
            memcpy(out, row, plain->stride);
        }
        uint8_t *swap = last;
        last = row;
        row = swap;
    }
    return ok;
}

/*
 * Returns the bytes of all rows with their filters; 0 if the compressed data cannot contain that
 * many.
 */
static size_t size_of_rows(const struct plain *plain)
{
    size_t size = (plain->stride + 1) * (size_t)plain->height;
    return size <= plain->packed_size * PNG_MAX_RATIO ? size : 0;
}

static bool make_pixels(struct plain *plain, struct br_image *ret_image)
{
    size_t raw_size = size_of_rows(plain);
    size_t capacity = (size_t)plain->width * (size_t)plain->height * 4;
    if (raw_size == 0) {
        return false;
    }
    if (capacity < raw_size) {
        capacity = raw_size;
    }
    plain->rows = calloc(1, 2 * plain->stride + 1);
    uint8_t *pixels = malloc(capacity);
    if (!plain->rows || !pixels || !unpack(plain, pixels, capacity, raw_size)) {
        free(pixels);
        return false;
    }
    *ret_image =
        (struct br_image){ .width = plain->width, .height = plain->height, .pixels = pixels };
    return true;
}

bool png_plain_decode(const void *bytes, size_t size, struct br_image *ret_image)
{
    struct plain plain = { 0 };
    bool ok = read_chunks(&plain, bytes, size, MAX_PIXELS) && make_pixels(&plain, ret_image);
    free(plain.packed);
    free(plain.rows);
    return ok;
}

static bool make_rows(struct plain *plain, struct png_rows *rows)
{
    /* Expanding a row reads one byte beyond its end. */
    size_t raw_size = size_of_rows(plain);
    rows->memory = raw_size ? image_memory(raw_size + 1) : NULL;
    plain->rows = calloc(1, plain->stride + 1);
    if (!rows->memory || !plain->rows || !inflate_rows(plain, rows->memory, raw_size)) {
        return false;
    }
    rows->width = plain->width;
    rows->height = plain->height;
    rows->pixel_size = plain->pixel_size;
    rows->stride = plain->stride + 1;
    rows->first = (const uint8_t *)rows->memory + 1;
    const uint8_t *last = plain->rows;
    bool ok = true;
    for (int y = 0; ok && y < rows->height; y++) {
        uint8_t *row = (uint8_t *)rows->memory + (size_t)y * rows->stride + 1;
        ok = unfilter(plain, row[-1], row, last);
        last = row;
    }
    return ok;
}

bool png_plain_unpack(const void *bytes, size_t size, struct png_rows *ret_rows)
{
    struct plain plain = { 0 };
    *ret_rows = (struct png_rows){ 0 };
    bool ok = read_chunks(&plain, bytes, size, BR_IMAGE_MAX_PIXELS) && make_rows(&plain, ret_rows);
    free(plain.packed);
    free(plain.rows);
    if (!ok) {
        png_rows_finish(ret_rows);
    }
    return ok;
}

void png_rows_finish(struct png_rows *rows)
{
    free(rows->memory);
    *rows = (struct png_rows){ 0 };
}

/* Decompresses the next `size` bytes; false if there are fewer. */
static bool inflate_part(z_stream *stream, uint8_t *out, size_t size)
{
    stream->next_out = out;
    stream->avail_out = (uInt)size;
    int result = Z_OK;
    while (result == Z_OK && stream->avail_out > 0) {
        result = inflate(stream, Z_NO_FLUSH);
    }
    return stream->avail_out == 0;
}

static bool is_at_end(z_stream *stream)
{
    uint8_t byte;
    stream->next_out = &byte;
    stream->avail_out = 1;
    return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_out == 1;
}

/* Reads each row with its filter; then there must be no more data. */
static bool pass_rows(const struct plain *plain, z_stream *stream, const struct row_taker *taker)
{
    uint8_t *row = plain->rows;
    uint8_t *last = plain->rows + plain->stride + 1;
    for (int y = 0; y < plain->height; y++) {
        if (!inflate_part(stream, row, plain->stride + 1) ||
            !unfilter(plain, row[0], row + 1, last + 1)) {
            return false;
        }
        taker->take(taker->data, row + 1);
        uint8_t *swap = last;
        last = row;
        row = swap;
    }
    return is_at_end(stream);
}

static bool read_rows(struct plain *plain, const struct row_taker *taker)
{
    z_stream stream = { .next_in = plain->packed, .avail_in = (uInt)plain->packed_size };
    /* The row before the first one is zero; expanding a row reads one byte beyond its end. */
    plain->rows = calloc(2, plain->stride + 2);
    if (!plain->rows || plain->packed_size > UINT_MAX || inflateInit(&stream) != Z_OK) {
        return false;
    }
    bool ok = pass_rows(plain, &stream, taker);
    inflateEnd(&stream);
    return ok;
}

bool png_plain_read_rows(const void *bytes, size_t size, const struct row_taker *taker,
                         bool *ret_is_plain, struct br_error *err)
{
    struct plain plain = { 0 };
    *ret_is_plain = read_chunks(&plain, bytes, size, BR_IMAGE_MAX_PIXELS) && size_of_rows(&plain);
    bool ok = !*ret_is_plain ||
              taker->begin(taker->data, plain.width, plain.height, plain.pixel_size, err);
    *ret_is_plain = ok && *ret_is_plain && read_rows(&plain, taker);
    free(plain.packed);
    free(plain.rows);
    return ok;
}

void png_row_expand(const struct png_rows *rows, int y, uint8_t *ret_row)
{
    if (rows->pixel_size == 3) {
        add_alpha(png_row(rows, y), rows->width, ret_row);
    } else {
        memcpy(ret_row, png_row(rows, y), rows->stride - 1);
    }
}
