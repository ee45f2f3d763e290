/* Parts of pictures: an element out of its page, strips put together to a tall page. */
#ifndef IMAGING_CROP_H
#define IMAGING_CROP_H

#include "imaging/image.h"

struct image_rect {
    int x, y, width, height;
};

/*
 * A copy of the rectangle. One that is empty or not wholly inside the picture is BR_UNKNOWN_ERROR:
 * whoever rounds a page's coordinates clips them too. The caller finishes *ret_image.
 */
bool image_crop(const struct br_image *image, const struct image_rect *rect,
                struct br_image *ret_image, struct br_error *err);

/* The part of the rectangle that lies in a picture of that size; 0 wide and high when none does. */
struct image_rect image_rect_clip(const struct image_rect *rect, int width, int height);

/*
 * Copies the source over the target with its top left corner at x, y (alpha is copied too, not
 * blended). What hangs over an edge is left out.
 */
void image_paste(struct br_image *target, int x, int y, const struct br_image *source);

#endif
