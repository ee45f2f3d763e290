/* Pictures whose rows are read one after the other and not kept. */
#ifndef IMAGING_ROWS_H
#define IMAGING_ROWS_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Who takes the rows of a picture. */
struct row_taker {
    void *data;
    /* Once, before the rows; pixel_size is 3 (red, green, blue) or 4 (and alpha). */
    bool (*begin)(void *data, int width, int height, size_t pixel_size, struct br_error *err);
    /* Each row from the top. */
    void (*take)(void *data, const uint8_t *row);
};

/*
 * As png_plain_decode(), up to BR_IMAGE_MAX_PIXELS. *ret_is_plain is false when that cannot read
 * the file; some rows of it may have been taken. The result is false, with an error, when begin
 * failed.
 */
bool png_plain_read_rows(const void *bytes, size_t size, const struct row_taker *taker,
                         bool *ret_is_plain, struct br_error *err);

/*
 * The rows of a JPEG, opaque; it is decoded at a half, a quarter or an eighth of its size when that
 * is still at least as wide and high as asked for.
 */
bool jpeg_read_rows(const void *bytes, size_t size, int least_width, int least_height,
                    const struct row_taker *taker, struct br_error *err);

#endif
