/* Reads picture files of an unknown format. */
#ifndef IMAGING_DECODE_H
#define IMAGING_DECODE_H

#include "imaging/image.h"

#include <browser_runner/image.h>

/* Decodes PNG and JPEG, recognised by their first bytes. The caller finishes *ret_image. */
bool image_decode(const void *bytes, size_t size, struct br_image *ret_image, struct br_error *err);

/* Reads the size from the file's header, without decoding pixels. The same limits apply. */
bool image_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                       struct br_error *err);

/* Returns whether the file begins like a JPEG. */
bool image_is_jpeg(const void *bytes, size_t size);

/* The same for one format. */
bool png_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                     struct br_error *err);
bool jpeg_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                      struct br_error *err);

#endif
