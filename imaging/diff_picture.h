/* Drawing what differs, row by row. */
#ifndef IMAGING_DIFF_PICTURE_H
#define IMAGING_DIFF_PICTURE_H

#include "imaging/diff_pixels.h"

/* An empty picture; false when there is no memory. The caller finishes. */
bool diff_picture_init(struct image_diff_picture *picture, int width, int height, bool is_mask,
                       struct br_error *err);
void diff_picture_finish(struct image_diff_picture *picture);

/*
 * Draws row y. The first picture has `page_width` pixels of it, at `page` (NULL: none of them), and
 * the states are those of the row.
 */
void diff_picture_draw_row(struct image_diff_picture *picture, int y, const uint8_t *page,
                           int page_width, const uint8_t *states, bool is_clean);

#endif
