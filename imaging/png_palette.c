#include "imaging/png_palette.h"

#include "imaging/deflate.h"
#include "imaging/output.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 8, TYPE_PALETTE = 3 };

static void put_u32(uint8_t *bytes, uint32_t number)
{
    bytes[0] = (uint8_t)(number >> 24);
    bytes[1] = (uint8_t)(number >> 16);
    bytes[2] = (uint8_t)(number >> 8);
    bytes[3] = (uint8_t)number;
}

/* Writes length, type, data and checksum. */
static bool add_chunk(struct output *output, const char *type, const void *data, size_t size)
{
    uint8_t number[4];
    put_u32(number, (uint32_t)size);
    uint32_t checksum = libdeflate_crc32(libdeflate_crc32(0, type, 4), data, size);
    bool ok = output_add(output, number, 4) && output_add(output, type, 4) &&
              output_add(output, data, size);
    put_u32(number, checksum);
    return ok && output_add(output, number, 4);
}

static bool add_header(struct output *output, int width, int height)
{
    uint8_t header[13] = { 0 };
    put_u32(header, (uint32_t)width);
    put_u32(header + 4, (uint32_t)height);
    header[8] = BITS;
    header[9] = TYPE_PALETTE;
    return output_add(output, "\x89PNG\r\n\x1A\n", 8) &&
           add_chunk(output, "IHDR", header, sizeof(header));
}

static bool add_palette(struct output *output, const struct png_palette *palette)
{
    uint8_t colours[256 * 3];
    uint8_t alphas[256];
    bool is_opaque = true;
    for (size_t i = 0; i < palette->count; i++) {
        memcpy(colours + i * 3, palette->colours[i], 3);
        alphas[i] = palette->colours[i][3];
        is_opaque = is_opaque && alphas[i] == 0xFF;
    }
    return add_chunk(output, "PLTE", colours, palette->count * 3) &&
           (is_opaque || add_chunk(output, "tRNS", alphas, palette->count));
}

static bool add_rows(struct output *output, const uint8_t *rows, size_t size, size_t stride)
{
    uint8_t *packed = malloc(deflate_rows_bound(size));
    size_t packed_size = packed ? deflate_rows(rows, size, stride, packed) : 0;
    bool ok = packed && add_chunk(output, "IDAT", packed, packed_size);
    free(packed);
    return ok;
}

bool png_palette_encode(const uint8_t *rows, int width, int height,
                        const struct png_palette *palette, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err)
{
    struct output output = { 0 };
    size_t stride = (size_t)width + 1;
    if (!add_header(&output, width, height) || !add_palette(&output, palette) ||
        !add_rows(&output, rows, stride * (size_t)height, stride) ||
        !add_chunk(&output, "IEND", "", 0)) {
        free(output.bytes);
        return error_set(err, BR_LIMIT_EXCEEDED, "PNG: no memory for a picture of %dx%d", width,
                         height);
    }
    *ret_bytes = output.bytes;
    *ret_size = output.size;
    return true;
}
