/*
 * Reads any bytes as a JPEG. A readable picture must be writable, readable again and shrinkable,
 * both after and during reading.
 */
#include "imaging/decode.h"
#include "imaging/image.h"
#include "imaging/shrink.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Larger pictures only take time. */
#define MAX_PIXELS (256 * 256)

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
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

static void write_and_read(const struct br_image *image)
{
    struct br_error err;
    struct br_image again;
    struct br_image half;
    struct br_jpeg_options options = BR_JPEG_OPTIONS_INIT;
    unsigned char *file = NULL;
    size_t size = 0;
    options.quality = 1 + (image->width * 7 + image->height) % 100;
    options.chroma = image->width % 2 ? BR_CHROMA_444 : BR_CHROMA_420;
    check(br_jpeg_encode(image, &options, &file, &size, &err));
    check(br_jpeg_decode(file, size, &again, &err));
    check(again.width == image->width && again.height == image->height);
    check(br_image_scale(&again, (again.width + 1) / 2, (again.height + 1) / 2, &half, &err));
    br_image_finish(&half);
    br_image_finish(&again);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    struct br_image image = { 0 };
    if (!br_jpeg_decode(bytes, size, &image, &err)) {
        check(err.code == BR_UNKNOWN_ERROR || err.code == BR_LIMIT_EXCEEDED);
        check(err.message[0] != '\0' && !image.pixels);
        return 0;
    }
    check_size(bytes, size, &image);
    if ((int64_t)image.width * image.height <= MAX_PIXELS) {
        struct br_image scaled;
        write_and_read(&image);
        check(image_decode_scaled(bytes, size, (image.width + 9) / 10, (image.height + 2) / 3,
                                  &scaled, &err));
        br_image_finish(&scaled);
    }
    br_image_finish(&image);
    return 0;
}
