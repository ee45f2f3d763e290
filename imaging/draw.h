/* Marks on pictures: rectangles and crosses, clipped to the picture, and filled areas for masks. */
#ifndef IMAGING_DRAW_H
#define IMAGING_DRAW_H

#include "imaging/crop.h"

struct image_colour {
    uint8_t red, green, blue;
};

/* Fills the rectangle, opaque. */
void image_fill(struct br_image *image, const struct image_rect *rect, struct image_colour colour);

/*
 * Frames the rectangle from outside, `thickness` pixels wide, with a white line around it and
 * inside of it, so that it shows on any ground.
 */
void image_draw_frame(struct br_image *image, const struct image_rect *rect, int thickness,
                      struct image_colour colour);

/*
 * A cross around the pixel x, y, whose arms end `arm` pixels from it and leave the quarter next to
 * it free; the same white lines.
 */
void image_draw_cross(struct br_image *image, int x, int y, int arm, int thickness,
                      struct image_colour colour);

#endif
