/* base64 with the alphabet of RFC 4648 section 4: padded, without line breaks. */
#ifndef IMAGING_BASE64_H
#define IMAGING_BASE64_H

#include "runner/base/error.h"

#include <stddef.h>

/* Returns the number of characters for `size` bytes. */
size_t base64_encoded_size(size_t size);

/* Writes base64_encoded_size(size) characters to `text`, without a terminating NUL. */
void base64_encode(const void *bytes, size_t size, char *text);

/*
 * Decodes strictly: any other character, missing or misplaced padding, and unused bits that are not
 * zero are BR_UNKNOWN_ERROR. *ret_bytes is never NULL. Caller frees.
 */
bool base64_decode(const char *text, size_t length, unsigned char **ret_bytes, size_t *ret_size,
                   struct br_error *err);

#endif
