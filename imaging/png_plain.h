/* The fast road for Chrome's screenshots; png_plain.c is built only when there is libdeflate. */
#ifndef IMAGING_PNG_PLAIN_H
#define IMAGING_PNG_PLAIN_H

#include <browser_runner/image.h>
#include <stdbool.h>
#include <stddef.h>

/* No deflate stream unpacks to more than this many times its size: 258 bytes for two bits. */
#define PNG_MAX_RATIO 1032

/*
 * Decodes a PNG of 8-bit RGB or RGBA, not interlaced, not too large, with no chunks but IHDR, IDAT
 * and IEND. Returns false, without an error, for every other file and for every damaged one:
 * libpng then has the last word. The caller finishes *ret_image.
 */
bool png_plain_decode(const void *bytes, size_t size, struct br_image *ret_image);

#endif
