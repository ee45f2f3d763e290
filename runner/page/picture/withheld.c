#include "runner/page/picture/withheld.h"

#include "runner/base/json.h"
#include "runner/page/core/box.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/place.h"
#include "runner/page/picture/request.h"

#include <math.h>
#include <string.h>

enum { LOOK_TRIES = 3 /* while documents are replaced */ };

/* How a frame is drawn in the picture: its origin, and the vectors of one pixel in x and y. */
struct drawing {
    double x, y;
    double across_x, across_y, down_x, down_y;
};

/* State of evaluating a search. */
struct search {
    json_t *boxes;
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

/* Returns the bounding box of two boxes. */
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

/* Returns the bounding box of a frame's box after the transform. */
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

static void add_boxes(struct search *search, const struct frame *frame, const json_t *found,
                      const struct drawing *drawing)
{
    size_t index;
    json_t *one;
    json_array_foreach (found, index, one) {
        const char *part = json_member_string(one, "key");
        CLEANUP_FREE char *key = xasprintf("%s %s", frame->id, part ? part : "");
        struct page_box box = draw(drawing, box_of(one));
        json_array_append_new(search->boxes,
                              json_pack("{s:s, s:f, s:f, s:f, s:f}", "key", key, "x", box.x, "y",
                                        box.y, "width", box.width, "height", box.height));
    }
}

/* Computes the transform from three points: it is affine, except for a perspective. */
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

/* Returns one box for the whole frame: what it withholds is unknown. */
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
             "hides from models",
             frame->url);
    *ret_answer =
        json_pack("{s:[{s:s, s:f, s:f}]}", "boxes", "key", "all", "width", width, "height", height);
    return true;
}

/*
 * Returns whether it is inside a frame that is painted over as a whole, and whose position is
 * unknown.
 */
static bool is_in_silent_frame(struct page *page, const struct frame *frame)
{
    while ((frame = frame_find(page, frame->parent_id))) {
        if (frame_is_silent(page, frame)) {
            return true;
        }
    }
    return false;
}

/* Sends the call to a frame, unless that is known to be silent. */
static int64_t ask_frame(struct page *page, struct frame *frame)
{
    struct br_error err;
    int64_t call_id = -1;
    if (frame_is_silent(page, frame)) {
        return -1;
    }
    struct deadline before = frame_begin(page);
    bool is_ready = frame_ensure_world(page, frame, &err);
    if (is_ready) {
        call_id = frame_send_call(page, frame, script_withheld, NULL, &err);
    }
    frame_end(page, frame, before, is_ready ? NULL : &err);
    return call_id;
}

/*
 * Receives a frame's withheld areas, an array; the caller decrefs. *ret_is_gone if its document was
 * replaced. TIMEOUT if it does not reply.
 */
static bool take_frame(struct page *page, struct frame *frame, int64_t call_id, json_t **ret_answer,
                       bool *ret_is_gone, struct br_error *err)
{
    struct deadline before = frame_begin(page);
    bool is_told = call_id >= 0 ? frame_receive_call(page, frame, call_id, ret_answer, err)
                   : frame_is_silent(page, frame)
                       ? error_set(err, BR_TIMEOUT, "the frame %s does not answer", frame->url)
                       : error_set(err, BR_STALE_NODE, "the frame %s does not exist", frame->url);
    frame_end(page, frame, before, is_told ? NULL : err);
    *ret_is_gone = !is_told && page_was_left(err);
    if (*ret_is_gone) {
        frame->world_id = 0;
    }
    return is_told;
}

/* Finds the withheld areas of a subframe; a silent one is covered completely. */
static bool find_in_frame(struct page *page, struct frame *frame, int64_t call_id,
                          struct search *search, bool *ret_is_gone, struct br_error *err)
{
    struct drawing drawing;
    json_auto_t *answer = NULL;
    bool is_done = take_frame(page, frame, call_id, &answer, ret_is_gone, err);
    if (is_in_silent_frame(page, frame)) {
        return true;
    }
    is_done = is_done || (err->code == BR_TIMEOUT && cover_frame(page, frame, &answer, err));
    const json_t *found = json_object_get(answer, "boxes");
    if (is_done && json_array_size(found)) {
        is_done = find_drawing(page, frame, search, &drawing, err);
        add_boxes(search, frame, is_done ? found : NULL, &drawing);
    }
    /* A removed frame is not in the picture. */
    return is_done || err->code != BR_TIMEOUT;
}

bool withheld_ask(struct page *page, const struct page_capture *options, struct withheld_look *look,
                  struct br_error *err)
{
    *look = (struct withheld_look){ 0 };
    if (options->shows_withheld) {
        return true;
    }
    if (!frames_update(page, err) || !frame_ensure_world(page, frame_main(page), err)) {
        return false;
    }
    frames_ensure_worlds(page);
    struct frame *frames = frame_main(page);
    int64_t main_call = frame_send_call(page, frames, script_withheld, NULL, err);
    if (main_call < 0) {
        return false;
    }
    look->calls = xcalloc(frames_count(page), sizeof(*look->calls));
    look->count = frames_count(page);
    for (size_t i = 0; i < look->count; i++) {
        look->calls[i].frame_id = xstrdup(frames[i].id);
        look->calls[i].id = i == 0 ? main_call : ask_frame(page, &frames[i]);
    }
    return true;
}

/* Receives the answer of the main frame, which has the position of the picture. */
static bool take_main(struct page *page, const struct page_box *box, int64_t call_id,
                      struct search *search, bool *ret_is_gone, struct br_error *err)
{
    json_auto_t *answer = NULL;
    struct frame *frame = frame_main(page);
    if (!frame_receive_call(page, frame, call_id, &answer, err)) {
        *ret_is_gone = page_was_left(err);
        frame->world_id = *ret_is_gone ? 0 : frame->world_id;
        return false;
    }
    search->left = box ? box->x - json_member_number(answer, "left", 0) : 0;
    search->top = box ? box->y - json_member_number(answer, "top", 0) : 0;
    const struct drawing upright = {
        .x = -search->left,
        .y = -search->top,
        .across_x = 1,
        .down_y = 1,
    };
    add_boxes(search, frame, json_object_get(answer, "boxes"), &upright);
    return true;
}

bool withheld_take(struct page *page, const struct page_box *box, struct withheld_look *look,
                   json_t **ret_boxes, bool *ret_is_gone, struct br_error *err)
{
    struct search search = { .boxes = json_array() };
    bool is_done = true;
    *ret_is_gone = false;
    for (size_t i = 0; i < look->count; i++) {
        const struct withheld_call *call = &look->calls[i];
        struct frame *frame = frame_find(page, call->frame_id);
        bool is_gone = !frame;
        if (is_gone || !is_done) {
            cdp_forget(page->client, call->id);
        } else {
            is_done = i == 0 ? take_main(page, box, call->id, &search, &is_gone, err)
                             : find_in_frame(page, frame, call->id, &search, &is_gone, err);
        }
        *ret_is_gone |= is_gone;
        free(call->frame_id);
    }
    free(look->calls);
    *look = (struct withheld_look){ 0 };
    *ret_boxes = search.boxes;
    return is_done;
}

void withheld_drop(struct page *page, struct withheld_look *look)
{
    for (size_t i = 0; i < look->count; i++) {
        cdp_forget(page->client, look->calls[i].id);
        free(look->calls[i].frame_id);
    }
    free(look->calls);
    *look = (struct withheld_look){ 0 };
}

bool withheld_find(struct page *page, const struct page_capture *options,
                   const struct page_box *box, json_t **ret_boxes, struct br_error *err)
{
    bool is_done = false;
    bool is_gone = true;
    *ret_boxes = NULL;
    for (int i = 0; i < LOOK_TRIES && is_gone; i++) {
        struct withheld_look look;
        json_decref(TAKE(*ret_boxes));
        if (withheld_ask(page, options, &look, err)) {
            is_done = withheld_take(page, box, &look, ret_boxes, &is_gone, err);
        } else {
            is_gone = page_was_left(err);
        }
    }
    return is_done;
}

/* Indexes the boxes by key; caller decrefs. */
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

void withheld_join(const json_t *before, json_t *boxes)
{
    json_auto_t *known = index_boxes(before);
    size_t index;
    json_t *one;
    json_array_foreach (boxes, index, one) {
        const json_t *last = json_object_get(known, json_member_string(one, "key"));
        if (last) {
            struct page_box box = join(box_of(last), box_of(one));
            json_t *moved = json_pack("{s:f, s:f, s:f, s:f}", "x", box.x, "y", box.y, "width",
                                      box.width, "height", box.height);
            json_object_update(one, moved);
            json_decref(moved);
        }
    }
    json_array_extend(boxes, (json_t *)before);
}
