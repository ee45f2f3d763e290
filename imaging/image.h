/* Creates pictures. The struct and its public functions are in <browser_runner/image.h>. */
#ifndef IMAGING_IMAGE_H
#define IMAGING_IMAGE_H

#include "runner/base/error.h"

#include <browser_runner/image.h>

#define IMAGE_BYTES_PER_PIXEL 4

/*
 * Checks a size before allocation: BR_UNKNOWN_ERROR for an empty picture, BR_LIMIT_EXCEEDED for one
 * over BR_IMAGE_MAX_PIXELS. A valid size has fewer than 2^31 bytes.
 */
bool image_check_size(uint64_t width, uint64_t height, struct br_error *err);

/* Creates a picture of transparent black. The caller finishes *ret_image. */
bool image_create(int width, int height, struct br_image *ret_image, struct br_error *err);

/*
 * Allocates large memory, in huge pages where available, which is several times faster. Its content
 * is undefined. NULL if there is none. Caller frees with free().
 */
void *image_memory(size_t size);

/* Returns the bytes from one row to the next. */
size_t image_stride(const struct br_image *image);

uint8_t *image_row(const struct br_image *image, int y);

/* Returns whether all pixels of a row of `width` pixels have alpha 255. */
bool image_row_is_opaque(const uint8_t *row, int width);
bool image_is_opaque(const struct br_image *image);

#endif
