/* Reads the size from the header of a JPEG; see <browser_runner/image.h> for its pixels. */
#ifndef IMAGING_JPEG_DECODE_H
#define IMAGING_JPEG_DECODE_H

#include <browser_runner/image.h>

bool jpeg_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                      struct br_error *err);

#endif
