/* The picture of a difference: drawn row by row, then encoded. */
#ifndef IMAGING_DIFF_PICTURE_H
#define IMAGING_DIFF_PICTURE_H

#include "imaging/diff_options.h"

/* A row of the first picture, to be drawn. */
struct diff_page {
    const uint8_t *pixels;
    const uint8_t *above; /* the row above, to detect equal rows; NULL: unknown */
    size_t pixel_size;    /* bytes; 3: no alpha */
};

/* Creates an empty picture; false if there is no memory. The caller finishes. */
bool diff_picture_init(struct image_diff_picture *picture, int width, int height, bool is_mask,
                       struct br_error *err);
void diff_picture_finish(struct image_diff_picture *picture);

/*
 * Draws row y without marks; must be called for each row. `page_width` pixels come from the first
 * picture (page NULL: none). Its row above may only be given if no marks were drawn on that.
 */
void diff_picture_draw_page(struct image_diff_picture *picture, int y, const struct diff_page *page,
                            int page_width);

/* Marks the pixels of row y by their states. */
void diff_picture_draw_marks(struct image_diff_picture *picture, int y, const uint8_t *states);

/*
 * Encodes the picture as PNG with a palette, which is small and fast: the first picture pale and
 * grey, differing pixels red, antialiased ones yellow, those of the strict pass orange, those of
 * one picture only blue, ignored ones grey-blue. Requires a picture. Caller frees with free().
 */
bool image_diff_picture_encode(const struct image_diff_picture *picture, unsigned char **ret_bytes,
                               size_t *ret_size, struct br_error *err);

/* Converts the same picture to pixels. The caller finishes *ret_image. */
bool image_diff_picture_paint(const struct image_diff_picture *picture, struct br_image *ret_image,
                              struct br_error *err);

#endif
