/* Files of large pictures to pixels of small ones. */
#ifndef IMAGING_SHRINK_H
#define IMAGING_SHRINK_H

#include "imaging/image.h"

/*
 * As image_decode() and br_image_scale() after it, without ever having all pixels in memory: rows
 * of PNG files as Chrome writes them, and of JPEG files, are added up and dropped as they are read.
 * Of a JPEG that is much larger the pixels may differ a little: it is decoded at a part of its
 * size. BR_UNKNOWN_ERROR when the picture is smaller. The caller finishes *ret_image.
 */
bool image_decode_scaled(const void *bytes, size_t size, int width, int height,
                         struct br_image *ret_image, struct br_error *err);

#endif
