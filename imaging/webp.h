/* Reads the size of WebP files, which Chrome encodes; their pixels are never needed here. */
#ifndef IMAGING_WEBP_H
#define IMAGING_WEBP_H

#include "runner/base/error.h"

#include <stddef.h>

/* Reads it from the first chunk of the file (RFC 9649). BR_UNKNOWN_ERROR for any other file. */
bool webp_read_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                    struct br_error *err);

#endif
