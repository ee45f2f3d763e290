#include "runner/page/withheld.h"

#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"

#include <math.h>

/* How a frame is drawn in the picture: where its upper left corner is, and a pixel of each axis. */
struct drawing {
    double x, y;
    double across_x, across_y, down_x, down_y;
};

/* One look for what is withheld, in all frames. */
struct search {
    json_t *boxes;
    json_t *before;   /* object: the boxes of the look before, by their keys */
    double left, top; /* where the picture begins in the viewport */
};

static struct page_box box_of(const json_t *one)
{
    return (struct page_box){
        .x = json_member_number(one, "x", 0),
        .y = json_member_number(one, "y", 0),
        .width = json_member_number(one, "width", 0),
        .height = json_member_number(one, "height", 0),
    };
}

/* The box around two. */
static struct page_box join(struct page_box a, struct page_box b)
{
    double left = fmin(a.x, b.x);
    double top = fmin(a.y, b.y);
    return (struct page_box){
        .x = left,
        .y = top,
        .width = fmax(a.x + a.width, b.x + b.width) - left,
        .height = fmax(a.y + a.height, b.y + b.height) - top,
    };
}

/* The box around the corners of one of a frame, wherever that turns them to. */
static struct page_box draw(const struct drawing *drawing, struct page_box box)
{
    struct page_box drawn = { 0 };
    for (int i = 0; i < 4; i++) {
        double x = box.x + (i % 2 ? box.width : 0);
        double y = box.y + (i / 2 ? box.height : 0);
        struct page_box corner = {
            .x = drawing->x + drawing->across_x * x + drawing->down_x * y,
            .y = drawing->y + drawing->across_y * x + drawing->down_y * y,
        };
        drawn = i ? join(drawn, corner) : corner;
    }
    return drawn;
}

/* What has moved since the look before was anywhere between when the picture was taken. */
static void add_boxes(struct search *search, const struct frame *frame, const json_t *found,
                      const struct drawing *drawing)
{
    size_t index;
    json_t *one;
    json_array_foreach (found, index, one) {
        const char *part = json_member_string(one, "key");
        CLEANUP_FREE char *key = xasprintf("%s %s", frame->id, part ? part : "");
        struct page_box box = draw(drawing, box_of(one));
        const json_t *last = json_object_get(search->before, key);
        box = last ? join(box, box_of(last)) : box;
        json_array_append_new(search->boxes,
                              json_pack("{s:s, s:f, s:f, s:f, s:f}", "key", key, "x", box.x, "y",
                                        box.y, "width", box.width, "height", box.height));
    }
}

/* By three points: transforms keep lines parallel, a perspective aside. */
static bool find_drawing(struct page *page, struct frame *frame, const struct search *search,
                         struct drawing *ret_drawing, struct br_error *err)
{
    enum { FAR = 1000 };
    struct frame_point corner = { 0 };
    struct frame_point across = { .x = FAR };
    struct frame_point down = { .y = FAR };
    if (!frame_to_page(page, frame, &corner, false, err) ||
        !frame_to_page(page, frame, &across, false, err) ||
        !frame_to_page(page, frame, &down, false, err)) {
        return false;
    }
    *ret_drawing = (struct drawing){
        .x = corner.x - search->left,
        .y = corner.y - search->top,
        .across_x = (across.x - corner.x) / FAR,
        .across_y = (across.y - corner.y) / FAR,
        .down_x = (down.x - corner.x) / FAR,
        .down_y = (down.y - corner.y) / FAR,
    };
    return true;
}

/* What is withheld in a frame, as it says. PAGE_… where it has gone, TIMEOUT where it says nothing.
 */
static bool ask_frame(struct page *page, struct frame *frame, json_t **ret_answer,
                      struct br_error *err)
{
    if (frame_is_silent(page, frame)) {
        return error_set(err, BR_TIMEOUT, "the frame %s does not answer", frame->url);
    }
    struct deadline before = frame_begin(page);
    bool is_done = frame_call(page, frame, script_withheld, NULL, NULL, ret_answer, err);
    frame_end(page, frame, before, is_done ? NULL : err);
    return is_done;
}

/* One box, of all that the frame shows: nobody knows what it withholds. */
static bool cover_frame(struct page *page, const struct frame *frame, json_t **ret_answer,
                        struct br_error *err)
{
    double width = 0;
    double height = 0;
    if (!frame_get_size(page, frame, &width, &height, err)) {
        return false;
    }
    page_log(page, BR_LOG_WARNING, "screenshot",
             "the frame %s does not answer: it is painted over, as it may show what data-no-ai "
             "keeps from models",
             frame->url);
    *ret_answer =
        json_pack("{s:[{s:s, s:f, s:f}]}", "boxes", "key", "all", "width", width, "height", height);
    return true;
}

/* Whether it stands in one that is painted over as a whole, and cannot say where. */
static bool is_in_silent_frame(struct page *page, const struct frame *frame)
{
    while ((frame = frame_find(page, frame->parent_id))) {
        if (frame_is_silent(page, frame)) {
            return true;
        }
    }
    return false;
}

/* A frame that has gone meanwhile is in no picture. */
static bool find_in_frame(struct page *page, struct frame *frame, struct search *search,
                          struct br_error *err)
{
    struct drawing drawing;
    json_auto_t *answer = NULL;
    if (is_in_silent_frame(page, frame)) {
        return true;
    }
    bool is_done = ask_frame(page, frame, &answer, err) ||
                   (err->code == BR_TIMEOUT && cover_frame(page, frame, &answer, err));
    const json_t *found = json_object_get(answer, "boxes");
    if (is_done && json_array_size(found)) {
        is_done = find_drawing(page, frame, search, &drawing, err);
        add_boxes(search, frame, is_done ? found : NULL, &drawing);
    }
    return is_done || err->code != BR_TIMEOUT;
}

/* The boxes that are known by now, by their keys. */
static json_t *index_boxes(const json_t *boxes)
{
    json_t *known = json_object();
    size_t index;
    json_t *one;
    json_array_foreach (boxes, index, one) {
        json_object_set(known, json_member_string(one, "key"), one);
    }
    return known;
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
    json_auto_t *before = index_boxes(boxes);
    struct search search = {
        .boxes = boxes,
        .before = before,
        .left = box ? box->x - json_member_number(answer, "left", 0) : 0,
        .top = box ? box->y - json_member_number(answer, "top", 0) : 0,
    };
    const struct drawing upright = {
        .x = -search.left,
        .y = -search.top,
        .across_x = 1,
        .down_y = 1,
    };
    add_boxes(&search, &page->frames[0], json_object_get(answer, "boxes"), &upright);
    for (size_t i = 1; i < page->frame_count; i++) {
        if (!find_in_frame(page, &page->frames[i], &search, err)) {
            return false;
        }
    }
    return true;
}
