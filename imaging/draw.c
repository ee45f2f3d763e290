#include "imaging/draw.h"

#include "imaging/image.h"

static const struct image_colour white = { 255, 255, 255 };

void image_fill(struct br_image *image, const struct image_rect *rect, struct image_colour colour)
{
    struct image_rect part = image_rect_clip(rect, image->width, image->height);
    for (int y = part.y; y < part.y + part.height; y++) {
        uint8_t *pixel = image_row(image, y) + (size_t)part.x * IMAGE_BYTES_PER_PIXEL;
        for (int x = 0; x < part.width; x++, pixel += IMAGE_BYTES_PER_PIXEL) {
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
            pixel[3] = 0xFF;
        }
    }
}

static struct image_rect grown(const struct image_rect *rect, int by)
{
    return (struct image_rect){
        .x = rect->x - by,
        .y = rect->y - by,
        .width = rect->width + 2 * by,
        .height = rect->height + 2 * by,
    };
}

/* Draws a line of `thickness` pixels around the rectangle. */
static void frame(struct br_image *image, const struct image_rect *rect, int thickness,
                  struct image_colour colour)
{
    struct image_rect outer = grown(rect, thickness);
    int lower = rect->y + rect->height;
    int right = rect->x + rect->width;
    const struct image_rect sides[] = {
        { outer.x, outer.y, outer.width, thickness },
        { outer.x, lower, outer.width, thickness },
        { outer.x, rect->y, thickness, rect->height },
        { right, rect->y, thickness, rect->height },
    };
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        image_fill(image, &sides[i], colour);
    }
}

void image_draw_frame(struct br_image *image, const struct image_rect *rect, int thickness,
                      struct image_colour colour)
{
    struct image_rect line = grown(rect, 1);
    struct image_rect around = grown(&line, thickness);
    frame(image, rect, 1, white);
    frame(image, &line, thickness, colour);
    frame(image, &around, 1, white);
}

void image_draw_cross(struct br_image *image, int x, int y, int arm, int thickness,
                      struct image_colour colour)
{
    int gap = arm / 4;
    int half = thickness / 2;
    const struct image_rect bars[] = {
        { x - arm, y - half, arm - gap, thickness },
        { x + gap + 1, y - half, arm - gap, thickness },
        { x - half, y - arm, thickness, arm - gap },
        { x - half, y + gap + 1, thickness, arm - gap },
    };
    for (size_t i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
        frame(image, &bars[i], 1, white);
        image_fill(image, &bars[i], colour);
    }
}
