/* Reads the size from the header of a PNG; see <browser_runner/image.h> for its pixels. */
#ifndef IMAGING_PNG_H
#define IMAGING_PNG_H

#include <browser_runner/image.h>

bool png_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                     struct br_error *err);

#endif
