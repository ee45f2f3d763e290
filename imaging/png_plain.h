/* Fast decoder for Chrome's screenshots. */
#ifndef IMAGING_PNG_PLAIN_H
#define IMAGING_PNG_PLAIN_H

#include <browser_runner/image.h>
#include <stdbool.h>
#include <stddef.h>

/* The maximum expansion of a deflate stream: 258 bytes for two bits. */
#define PNG_MAX_RATIO 1032

/*
 * Decodes a PNG of 8-bit RGB or RGBA, not interlaced, not too large, with no chunks but IHDR, IDAT
 * and IEND. Returns false without an error for any other file and for any damaged one: libpng then
 * decides. The caller finishes *ret_image.
 */
bool png_plain_decode(const void *bytes, size_t size, struct br_image *ret_image);

/* The unfiltered rows of such a file, with the file's bytes per pixel. */
struct png_rows {
    int width, height;
    size_t pixel_size; /* 3: red, green, blue; 4: and alpha */
    size_t stride;     /* bytes from one row to the next */
    const uint8_t *first;
    void *memory; /* owned */
};

/* As png_plain_decode(), up to BR_IMAGE_MAX_PIXELS. The caller finishes. */
bool png_plain_unpack(const void *bytes, size_t size, struct png_rows *ret_rows);
void png_rows_finish(struct png_rows *rows);

static inline const uint8_t *png_row(const struct png_rows *rows, int y)
{
    return rows->first + (size_t)y * rows->stride;
}

/* Writes row y as red, green, blue and alpha. */
void png_row_expand(const struct png_rows *rows, int y, uint8_t *ret_row);

#endif
