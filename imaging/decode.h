/* Reading picture files without knowing their format beforehand. */
#ifndef IMAGING_DECODE_H
#define IMAGING_DECODE_H

#include "imaging/image.h"

/* Decodes PNG and JPEG, told apart by their first bytes. The caller finishes *ret_image. */
bool image_decode(const void *bytes, size_t size, struct br_image *ret_image, struct br_error *err);

/* The size that the file claims; its pixels are not looked at. The same limits hold. */
bool image_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                       struct br_error *err);

/* Whether the file begins as a JPEG does. */
bool image_is_jpeg(const void *bytes, size_t size);

#endif
