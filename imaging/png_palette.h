/* Fast encoder for PNG files with at most 256 colours. */
#ifndef IMAGING_PNG_PALETTE_H
#define IMAGING_PNG_PALETTE_H

#include "imaging/image.h"

struct png_palette {
    size_t count;            /* 1 to 256 */
    uint8_t colours[256][4]; /* red, green, blue, alpha */
};

/*
 * Encodes `height` rows; each has a byte 0 (PNG's filter: none), then one byte per pixel, an index
 * below the count. Caller frees with free().
 */
bool png_palette_encode(const uint8_t *rows, int width, int height,
                        const struct png_palette *palette, unsigned char **ret_bytes,
                        size_t *ret_size, struct br_error *err);

#endif
