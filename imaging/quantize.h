/* Few colours in the place of many, for what takes no more than 256. */
#ifndef IMAGING_QUANTIZE_H
#define IMAGING_QUANTIZE_H

#include "imaging/image.h"

#include <stdbool.h>

struct colours {
    size_t count;        /* 1 to 256 */
    uint8_t rgb[256][3]; /* red, green, blue */
};

/*
 * The colours of a picture, which is laid over white, and for each of its pixels, row by row, the
 * number of its colour. A picture of 256 colours or less keeps them all; of others those that are
 * alike become one (median cut). LIMIT_EXCEEDED when there is no memory. Caller frees *ret_indexes.
 */
bool image_quantize(const struct br_image *image, struct colours *ret_colours,
                    uint8_t **ret_indexes, struct br_error *err);

#endif
