#include "runner/page/picture/labels.h"

#include "imaging/label.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/wire.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/stable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Scroll positions are whole pixels in some sources, and fractions in others. */
#define SCROLL_TOLERANCE 1.01

/* A smaller rest, as at the edge of a tile, cannot be recognised. */
enum { LEAST_SHOWN = 8 /* CSS pixels */ };

static const char *loader_of_page(struct page *page)
{
    struct frame *frame = frame_main(page);
    const char *loader_id = frame ? page_frame_loader(page, frame->id) : NULL;
    return loader_id ? loader_id : "";
}

bool labels_begin(struct page *page, struct labels_moment *ret_moment, struct br_error *err)
{
    json_auto_t *reply = NULL;
    double offset_x = 0;
    double offset_y = 0;
    struct labels_moment *moment = ret_moment;
    *moment = (struct labels_moment){ 0 };
    if (!page_command(page, "Page.getLayoutMetrics", NULL, &reply, err) ||
        !json_read(reply, "Page.getLayoutMetrics", err, "{s:{s:F, s:F, s:F, s:F}}",
                   "cssVisualViewport", "pageX", &moment->scroll_x, "pageY", &moment->scroll_y,
                   "offsetX", &offset_x, "offsetY", &offset_y)) {
        return false;
    }
    moment->scroll_x -= offset_x;
    moment->scroll_y -= offset_y;
    moment->loader_id = xstrdup(loader_of_page(page));
    return true;
}

void labels_moment_finish(struct labels_moment *moment)
{
    free(TAKE(moment->loader_id));
}

bool labels_find(struct page *page, const struct page_capture *options, const struct page_box *box,
                 const struct labels_moment *before, struct picture *picture, bool *ret_is_same,
                 struct br_error *err)
{
    struct picture_labels *labels = &picture->labels;
    bool is_found = options->labels->find(options->labels->data, page, box, labels, err);
    if (!is_found && !page_was_left(err)) {
        return false;
    }
    *ret_is_same = is_found && strcmp(before->loader_id, loader_of_page(page)) == 0 &&
                   fabs(before->scroll_x - labels->scroll_x) < SCROLL_TOLERANCE &&
                   fabs(before->scroll_y - labels->scroll_y) < SCROLL_TOLERANCE;
    if (!*ret_is_same) {
        picture_labels_finish(labels);
    }
    return true;
}

static struct page_box *cut_content(const struct picture_labels *of, double left, double top)
{
    struct page_box *content = xcalloc(of->content_count + 1, sizeof(*content));
    for (size_t i = 0; i < of->content_count; i++) {
        content[i] = of->content[i];
        content[i].x -= left;
        content[i].y -= top;
    }
    return content;
}

static bool is_shown(double start, double length, double picture_length)
{
    double shown = fmin(start + length, picture_length) - fmax(start, 0);
    return shown >= fmin(length, LEAST_SHOWN);
}

void labels_cut(const struct picture *whole, struct picture *part)
{
    const struct picture_labels *of = &whole->labels;
    double left = part->box.x - whole->box.x;
    double top = part->box.y - whole->box.y;
    struct picture_labels *labels = &part->labels;
    labels->content = cut_content(of, left, top);
    labels->content_count = of->content_count;
    labels->labels = xcalloc(of->count + 1, sizeof(*labels->labels));
    for (size_t i = 0; i < of->count; i++) {
        struct picture_label label = of->labels[i];
        label.box.x -= left;
        label.box.y -= top;
        if (is_shown(label.box.x, label.box.width, part->box.width) &&
            is_shown(label.box.y, label.box.height, part->box.height)) {
            labels->labels[labels->count++] = label;
        }
    }
}

/* Rounds to whole pixels inside the picture. */
static struct image_rect rect_of(const struct br_image *image, const struct page_box *box,
                                 double scale)
{
    int left = (int)fmin(fmax(round(box->x * scale), 0), image->width);
    int top = (int)fmin(fmax(round(box->y * scale), 0), image->height);
    int right = (int)fmin(fmax(round((box->x + box->width) * scale), left), image->width);
    int bottom = (int)fmin(fmax(round((box->y + box->height) * scale), top), image->height);
    return (struct image_rect){ left, top, right - left, bottom - top };
}

void labels_draw(struct br_image *image, struct picture *picture)
{
    struct picture_labels *from = &picture->labels;
    if (from->count == 0) {
        return;
    }
    double scale = image->width / picture->box.width;
    CLEANUP_FREE struct image_label *labels = xcalloc(from->count + 1, sizeof(*labels));
    CLEANUP_FREE struct image_rect *content = xcalloc(from->content_count + 1, sizeof(*content));
    for (size_t i = 0; i < from->content_count; i++) {
        content[i] = rect_of(image, &from->content[i], scale);
    }
    for (size_t i = 0; i < from->count; i++) {
        labels[i].box = rect_of(image, &from->labels[i].box, scale);
        snprintf(labels[i].text, sizeof(labels[i].text), "e%u", from->labels[i].id);
    }
    const struct image_label_ground ground = {
        .width = image->width,
        .height = image->height,
        .scale = (int)fmax(round(scale), 1), /* pictures that are scaled down keep readable tags */
        .content = content,
        .content_count = from->content_count,
    };
    image_label_place(labels, from->count, &ground);
    image_label_draw(image, labels, from->count, ground.scale);
    for (size_t i = 0; i < from->count; i++) {
        from->labels[i].is_drawn = labels[i].has_tag;
    }
}
