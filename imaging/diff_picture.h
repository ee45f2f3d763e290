/* The picture of a difference: drawn row by row, and made a file. */
#ifndef IMAGING_DIFF_PICTURE_H
#define IMAGING_DIFF_PICTURE_H

#include "imaging/diff_options.h"

/* A row of the first picture, for drawing. */
struct diff_page {
    const uint8_t *pixels;
    const uint8_t *above; /* the row above, to see whether it is the same; NULL: not known */
    size_t pixel_size;    /* bytes; 3: there is no alpha */
};

/* A picture yet to be drawn; false when there is no memory. The caller finishes. */
bool diff_picture_init(struct image_diff_picture *picture, int width, int height, bool is_mask,
                       struct br_error *err);
void diff_picture_finish(struct image_diff_picture *picture);

/*
 * Draws row y without marks; each row has to be. The first picture has `page_width` pixels of it
 * (page NULL: none of them). Its row above may be told only where that was left without a mark.
 */
void diff_picture_draw_page(struct image_diff_picture *picture, int y, const struct diff_page *page,
                            int page_width);

/* Marks what the states of row y say. */
void diff_picture_draw_marks(struct image_diff_picture *picture, int y, const uint8_t *states);

/*
 * The picture as PNG (palette, small and quick to make): the first picture pale and grey, red what
 * differs, yellow what is forgiven, orange what the strict pass adds, blue what only one picture
 * has, grey-blue what was left out. Needs a picture. Caller frees with free().
 */
bool image_diff_picture_encode(const struct image_diff_picture *picture, unsigned char **ret_bytes,
                               size_t *ret_size, struct br_error *err);

/* The same as pixels. The caller finishes *ret_image. */
bool image_diff_picture_paint(const struct image_diff_picture *picture, struct br_image *ret_image,
                              struct br_error *err);

#endif
