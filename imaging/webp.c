#include "imaging/webp.h"

#include <stdint.h>
#include <string.h>

/* Offset of the first chunk's data, and end of the bytes that are read. */
enum { DATA = 20, END = 30 };

static int number(const uint8_t *bytes, int count)
{
    int value = 0;
    for (int i = count - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Lossy: after the frame tag and the start code, 14 bits each. */
static bool read_lossy(const uint8_t *data, int *ret_width, int *ret_height)
{
    *ret_width = number(data + 6, 2) & 0x3FFF;
    *ret_height = number(data + 8, 2) & 0x3FFF;
    return memcmp(data + 3, "\x9D\x01\x2A", 3) == 0;
}

/* Lossless: after the signature, 14 bits each, minus one. */
static bool read_lossless(const uint8_t *data, int *ret_width, int *ret_height)
{
    uint32_t bits = (uint32_t)number(data + 1, 3) | (uint32_t)data[4] << 24;
    *ret_width = (int)(bits & 0x3FFF) + 1;
    *ret_height = (int)(bits >> 14 & 0x3FFF) + 1;
    return data[0] == 0x2F;
}

/* Extended: after flags and reserved bytes, 24 bits each, minus one. */
static bool read_extended(const uint8_t *data, int *ret_width, int *ret_height)
{
    *ret_width = number(data + 4, 3) + 1;
    *ret_height = number(data + 7, 3) + 1;
    return true;
}

bool webp_read_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                    struct br_error *err)
{
    static const struct {
        const char *name;
        bool (*read)(const uint8_t *data, int *ret_width, int *ret_height);
    } kinds[] = { { "VP8 ", read_lossy }, { "VP8L", read_lossless }, { "VP8X", read_extended } };
    const uint8_t *start = bytes;
    bool is_webp =
        size >= END && memcmp(start, "RIFF", 4) == 0 && memcmp(start + 8, "WEBP", 4) == 0;
    for (size_t i = 0; is_webp && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (memcmp(start + 12, kinds[i].name, 4) == 0 &&
            kinds[i].read(start + DATA, ret_width, ret_height) && *ret_width > 0 &&
            *ret_height > 0) {
            return true;
        }
    }
    return error_set(err, BR_UNKNOWN_ERROR, "WebP: the file has no header");
}
