#include "imaging/decode.h"

#include <string.h>

/* A format and the first bytes of its files. */
static const struct format {
    const char *start;
    size_t start_size;
    bool (*decode)(const void *bytes, size_t size, struct br_image *ret_image,
                   struct br_error *err);
    bool (*decode_size)(const void *bytes, size_t size, int *ret_width, int *ret_height,
                        struct br_error *err);
} formats[] = {
    { "\x89PNG\r\n\x1A\n", 8, br_png_decode, png_decode_size },
    { "\xFF\xD8\xFF", 3, br_jpeg_decode, jpeg_decode_size },
};

static const struct format *find_format(const void *bytes, size_t size, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (size >= formats[i].start_size &&
            memcmp(bytes, formats[i].start, formats[i].start_size) == 0) {
            return &formats[i];
        }
    }
    error_set(err, BR_UNKNOWN_ERROR, "This is neither a PNG nor a JPEG");
    return NULL;
}

bool image_decode(const void *bytes, size_t size, struct br_image *ret_image, struct br_error *err)
{
    const struct format *format = find_format(bytes, size, err);
    return format && format->decode(bytes, size, ret_image, err);
}

bool image_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                       struct br_error *err)
{
    const struct format *format = find_format(bytes, size, err);
    return format && format->decode_size(bytes, size, ret_width, ret_height, err);
}

bool image_is_jpeg(const void *bytes, size_t size)
{
    struct br_error ignored;
    const struct format *format = find_format(bytes, size, &ignored);
    return format && format->decode == br_jpeg_decode;
}
