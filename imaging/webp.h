/* The size of WebP files, which Chrome makes; their pixels are nobody's business here. */
#ifndef IMAGING_WEBP_H
#define IMAGING_WEBP_H

#include "runner/base/error.h"

#include <stddef.h>

/* From the first chunk of the file (RFC 9649). BR_UNKNOWN_ERROR for what is no WebP. */
bool webp_read_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                    struct br_error *err);

#endif
