#include "runner/session/drawing.h"

#include "imaging/draw.h"
#include "runner/page/core/box.h"
#include "runner/page/element/mouse.h"

#include <math.h>
#include <string.h>

static const struct image_colour blue = { 0x1F, 0x5F, 0xE0 };
static const struct image_colour green = { 0x00, 0xA0, 0x40 };
static const struct image_colour red = { 0xE0, 0x10, 0x30 };

/* Sizes in pixels at a scale of 1; larger in pictures with more pixels per CSS pixel. */
enum { LINE = 2, ARM = 13, ROOM = 3 /* distance between the changed area and its frame */ };

static int mark_size(int length, double scale)
{
    return scale > 1 ? (int)lround(length * scale) : length;
}

static int to_pixels(double length, double scale)
{
    return (int)fmin(fmax(round(length * scale), -100000), 100000);
}

static struct image_rect rect_of(const struct page_box *box, double scale)
{
    struct image_rect rect = { .x = to_pixels(box->x, scale), .y = to_pixels(box->y, scale) };
    rect.width = to_pixels(box->x + box->width, scale) - rect.x;
    rect.height = to_pixels(box->y + box->height, scale) - rect.y;
    return rect;
}

static void draw_point(struct br_image *image, double x, double y, double scale)
{
    image_draw_cross(image, to_pixels(x, scale), to_pixels(y, scale), mark_size(ARM, scale),
                     mark_size(LINE, scale), red);
}

static void draw(struct br_image *image, const struct page_trace *trace, double scale)
{
    const struct page_verdict *verdict = &trace->verdict;
    int line = mark_size(LINE, scale);
    if (trace->has_area) {
        struct image_rect area = rect_of(&trace->area, scale);
        image_draw_frame(image, &area, line, blue);
    }
    if (trace->is_verified && verdict->fraction > 0) {
        const struct page_box *box = &verdict->changed;
        struct page_box roomy = { .x = box->x - ROOM,
                                  .y = box->y - ROOM,
                                  .width = box->width + 2 * ROOM,
                                  .height = box->height + 2 * ROOM };
        struct image_rect changed = rect_of(&roomy, scale);
        image_draw_frame(image, &changed, line, green);
    }
    for (int i = 0; trace->is_verified && i < verdict->tries; i++) {
        draw_point(image, verdict->points[i].x, verdict->points[i].y, scale);
    }
    draw_point(image, trace->x, trace->y, scale);
}

bool drawing_make(const struct br_capture *capture, const struct page_trace *trace,
                  unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    struct br_image image;
    bool is_png = strcmp(capture->media_type, "image/png") == 0;
    if (!(is_png ? br_png_decode : br_jpeg_decode)(capture->bytes, capture->size, &image, err)) {
        return false;
    }
    draw(&image, trace, capture->scale);
    bool is_done = br_png_encode(&image, ret_bytes, ret_size, err);
    br_image_finish(&image);
    return is_done;
}
