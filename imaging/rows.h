/* Reads pictures row by row, without storing them. */
#ifndef IMAGING_ROWS_H
#define IMAGING_ROWS_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Receives the rows of a picture. */
struct row_taker {
    void *data;
    /* Called once before the rows; pixel_size is 3 (red, green, blue) or 4 (and alpha). */
    bool (*begin)(void *data, int width, int height, size_t pixel_size, struct br_error *err);
    /* Called for each row from the top. */
    void (*take)(void *data, const uint8_t *row);
};

/*
 * Reads a file like png_plain_decode(), up to BR_IMAGE_MAX_PIXELS. *ret_is_plain is false if it
 * cannot be read that way; some of its rows may have been delivered. Returns false with an error if
 * begin failed.
 */
bool png_plain_read_rows(const void *bytes, size_t size, const struct row_taker *taker,
                         bool *ret_is_plain, struct br_error *err);

/*
 * Reads the rows of a JPEG, opaque; decodes it at a half, a quarter or an eighth of its size if
 * that is still at least as wide and high as requested.
 */
bool jpeg_read_rows(const void *bytes, size_t size, int least_width, int least_height,
                    const struct row_taker *taker, struct br_error *err);

#endif
