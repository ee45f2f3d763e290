#include "imaging/crop.h"

#include <string.h>

/* Returns how much of the span is between 0 and limit; moves the start to 0 if it is negative. */
static int span_clip(int *start, int length, int limit)
{
    int64_t end = (int64_t)*start + length;
    if (end > limit) {
        end = limit;
    }
    if (*start < 0) {
        *start = 0;
    }
    return end > *start ? (int)(end - *start) : 0;
}

struct image_rect image_rect_clip(const struct image_rect *rect, int width, int height)
{
    struct image_rect clipped = *rect;
    clipped.width = span_clip(&clipped.x, rect->width, width);
    clipped.height = span_clip(&clipped.y, rect->height, height);
    if (clipped.width == 0 || clipped.height == 0) {
        return (struct image_rect){ 0 };
    }
    return clipped;
}

bool image_crop(const struct br_image *image, const struct image_rect *rect,
                struct br_image *ret_image, struct br_error *err)
{
    if (rect->x < 0 || rect->y < 0 || rect->width <= 0 || rect->height <= 0 ||
        rect->width > image->width - rect->x || rect->height > image->height - rect->y) {
        return error_set(err, BR_UNKNOWN_ERROR,
                         "The rectangle %dx%d at %d,%d is not inside a picture of %dx%d",
                         rect->width, rect->height, rect->x, rect->y, image->width, image->height);
    }
    struct br_image part;
    if (!image_create(rect->width, rect->height, &part, err)) {
        return false;
    }
    image_paste(&part, -rect->x, -rect->y, image);
    *ret_image = part;
    return true;
}

void image_paste(struct br_image *target, int x, int y, const struct br_image *source)
{
    struct image_rect whole = { x, y, source->width, source->height };
    struct image_rect rect = image_rect_clip(&whole, target->width, target->height);
    size_t size = (size_t)rect.width * IMAGE_BYTES_PER_PIXEL;
    for (int row = 0; row < rect.height; row++) {
        const uint8_t *from = image_row(source, rect.y - y + row);
        memcpy(image_row(target, rect.y + row) + (size_t)rect.x * IMAGE_BYTES_PER_PIXEL,
               from + (size_t)(rect.x - x) * IMAGE_BYTES_PER_PIXEL, size);
    }
}
