/* Decodes large picture files directly to small pictures. */
#ifndef IMAGING_SHRINK_H
#define IMAGING_SHRINK_H

#include "imaging/image.h"

/*
 * As image_decode() followed by br_image_scale(), but without holding all pixels in memory: rows of
 * JPEG files, and of PNG files as written by Chrome, are summed up as they are read. The pixels of
 * a much larger JPEG may differ slightly, since it is decoded at a fraction of its size. Fails with
 * BR_UNKNOWN_ERROR if the picture is smaller. The caller finishes *ret_image.
 */
bool image_decode_scaled(const void *bytes, size_t size, int width, int height,
                         struct br_image *ret_image, struct br_error *err);

#endif
