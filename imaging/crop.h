/* Parts of pictures: cutting an element out of its page, assembling strips into a tall page. */
#ifndef IMAGING_CROP_H
#define IMAGING_CROP_H

#include "imaging/image.h"

struct image_rect {
    int x, y, width, height;
};

/*
 * Copies the rectangle. Fails with BR_UNKNOWN_ERROR if it is empty or not entirely inside the
 * picture: callers that round page coordinates have to clip them. The caller finishes *ret_image.
 */
bool image_crop(const struct br_image *image, const struct image_rect *rect,
                struct br_image *ret_image, struct br_error *err);

/* Clips the rectangle to a picture of that size; width and height are 0 if nothing is left. */
struct image_rect image_rect_clip(const struct image_rect *rect, int width, int height);

/*
 * Copies the source onto the target with its top left corner at x, y; alpha is copied, not blended.
 * Parts beyond an edge are dropped.
 */
void image_paste(struct br_image *target, int x, int y, const struct br_image *source);

#endif
