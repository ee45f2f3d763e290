/* Drawing what differs, row by row. */
#ifndef IMAGING_DIFF_PICTURE_H
#define IMAGING_DIFF_PICTURE_H

#include "imaging/diff_run.h"

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

#endif
