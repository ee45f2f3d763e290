#include "runner/page/withheld.h"

#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"

#include <math.h>

/* Adds a frame's boxes, whose upper left corner is at x, y of the picture. */
static void add_boxes(json_t *boxes, const json_t *found, double x, double y, double scale)
{
    size_t index;
    json_t *one;
    json_array_foreach (found, index, one) {
        json_array_append_new(boxes,
                              json_pack("{s:f, s:f, s:f, s:f}", "x",
                                        x + json_member_number(one, "x", 0) * scale, "y",
                                        y + json_member_number(one, "y", 0) * scale, "width",
                                        json_member_number(one, "width", 0) * scale, "height",
                                        json_member_number(one, "height", 0) * scale));
    }
}

/* Of a frame that nobody named: one that does not answer, or has gone, is passed over. */
static void find_in_frame(struct page *page, struct frame *frame, double left, double top,
                          json_t *boxes)
{
    struct br_error why;
    struct frame_point corner = { 0 };
    json_auto_t *answer = NULL;
    if (frame_is_silent(page, frame)) {
        return;
    }
    struct deadline before = frame_begin(page);
    bool is_done = frame_call(page, frame, script_withheld, NULL, NULL, &answer, &why);
    const json_t *found = json_object_get(answer, "boxes");
    if (is_done && json_array_size(found)) {
        is_done = frame_to_page(page, frame, &corner, false, &why);
        add_boxes(boxes, is_done ? found : NULL, corner.x - left, corner.y - top, corner.scale);
    }
    frame_end(page, frame, before, is_done ? NULL : &why);
}

bool withheld_find(struct page *page, const struct page_capture *options,
                   const struct page_box *box, json_t *boxes, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (options->shows_withheld) {
        return true;
    }
    if (!frames_update(page, err) ||
        !page_call_function(page, script_withheld, NULL, &answer, err)) {
        return false;
    }
    /* Where the picture begins in the viewport. */
    double left = box ? box->x - json_member_number(answer, "left", 0) : 0;
    double top = box ? box->y - json_member_number(answer, "top", 0) : 0;
    add_boxes(boxes, json_object_get(answer, "boxes"), -left, -top, 1);
    for (size_t i = 1; i < page->frame_count; i++) {
        find_in_frame(page, &page->frames[i], left, top, boxes);
    }
    return true;
}
