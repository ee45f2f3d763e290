/*
 * Draws marks on pictures: rectangles and crosses, clipped to the picture, and filled areas for
 * masks.
 */
#ifndef IMAGING_DRAW_H
#define IMAGING_DRAW_H

#include "imaging/crop.h"

struct image_colour {
    uint8_t red, green, blue;
};

/* Fills the rectangle with an opaque colour. */
void image_fill(struct br_image *image, const struct image_rect *rect, struct image_colour colour);

/*
 * Draws a frame around the rectangle, `thickness` pixels wide, with white lines on both sides so
 * that it is visible on any background.
 */
void image_draw_frame(struct br_image *image, const struct image_rect *rect, int thickness,
                      struct image_colour colour);

/*
 * Draws a cross around the pixel x, y. Its arms end `arm` pixels away and leave the inner quarter
 * free; with the same white lines.
 */
void image_draw_cross(struct br_image *image, int x, int y, int arm, int thickness,
                      struct image_colour colour);

#endif
