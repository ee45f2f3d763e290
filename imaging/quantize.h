/* Reduces a picture to at most 256 colours. */
#ifndef IMAGING_QUANTIZE_H
#define IMAGING_QUANTIZE_H

#include "imaging/image.h"

#include <stdbool.h>

struct colours {
    size_t count;        /* 1 to 256 */
    uint8_t rgb[256][3]; /* red, green, blue */
};

/*
 * Returns the colours of a picture over white, and for each pixel, row by row, the index of its
 * colour. Keeps the colours if there are at most 256; merges similar ones otherwise (median cut).
 * LIMIT_EXCEEDED when there is no memory. Caller frees *ret_indexes.
 */
bool image_quantize(const struct br_image *image, struct colours *ret_colours,
                    uint8_t **ret_indexes, struct br_error *err);

#endif
