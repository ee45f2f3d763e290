#include "runner/page/picture/stillness.h"

#include "runner/base/json.h"
#include "runner/page/core/box.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/mouse.h"
#include "runner/page/picture/capture.h"

#include <math.h>

enum {
    APART_MS = 100,  /* between the two pictures without a click */
    BRIEF_MS = 500,  /* shorter animations are waited for */
    MAX_POINTS = 64, /* at which the page is asked for moving elements */
    END_MS = 500,    /* for the page to show the caret again, whatever time is left */
};

static bool call(struct page *page, json_t *argument, json_t **ret_answer, struct br_error *err)
{
    return page_call_function(page, script_still, argument, ret_answer, err);
}

/* Calls the script in each frame of the page. */
static bool call_in_frames(struct page *page, const char *mode, struct br_error *err)
{
    json_auto_t *argument = json_pack("{s:s}", "mode", mode);
    json_auto_t *answer = NULL;
    if (!frames_update(page, err) || !call(page, json_incref(argument), &answer, err)) {
        return false;
    }
    frames_call_others(page, script_still, argument);
    return true;
}

bool stillness_begin(struct page *page, struct br_error *err)
{
    return call_in_frames(page, "begin", err);
}

void stillness_end(struct page *page)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    if (page_is_alive(page)) {
        page_set_deadline(page, deadline_in_ms(END_MS));
        call_in_frames(page, "end", &ignored);
        page_set_deadline(page, before);
    }
}

/* Returns whole pixels around a box from the page, whose numbers are not trusted. */
static struct image_rect pixels_around(const json_t *box, double scale)
{
    static const double limit = 1e6;
    double left = json_member_number(box, "x", 0) * scale;
    double top = json_member_number(box, "y", 0) * scale;
    double right = left + json_member_number(box, "width", 0) * scale;
    double bottom = top + json_member_number(box, "height", 0) * scale;
    struct image_rect rect = {
        .x = (int)fmax(floor(left), -limit),
        .y = (int)fmax(floor(top), -limit),
    };
    rect.width = (int)fmin(ceil(right), limit) - rect.x;
    rect.height = (int)fmin(ceil(bottom), limit) - rect.y;
    return rect;
}

/*
 * Gets the boxes of moving elements, except those at the click position. Takes ownership of
 * argument.
 */
static bool ask_boxes(struct page *page, json_t *argument, json_t **ret_answer,
                      struct br_error *err)
{
    json_object_set_new(argument, "x", json_real(mouse_at(page).x));
    json_object_set_new(argument, "y", json_real(mouse_at(page).y));
    return call(page, argument, ret_answer, err);
}

static json_t *settle_argument(void)
{
    return json_pack("{s:s, s:i}", "mode", "settle", "patience", BRIEF_MS);
}

static void leave_out(struct stillness *stillness, const json_t *answer)
{
    size_t index;
    json_t *box;
    json_array_foreach (json_object_get(answer, "boxes"), index, box) {
        struct image_rect rect = pixels_around(box, stillness->scale);
        image_mask_add(&stillness->mask, &rect);
    }
}

/* Returns the centres of excluded tiles in CSS pixels; of too many, evenly distributed ones. */
static json_t *points_of(const struct image_mask *mask, size_t count, double scale)
{
    json_t *points = json_array();
    size_t step = count / MAX_POINTS + 1;
    size_t seen = 0;
    for (int i = 0; i < mask->columns * mask->rows; i++) {
        if (mask->tiles[i] && seen++ % step == 0) {
            int column = i % mask->columns;
            int row = i / mask->columns;
            json_array_append_new(points,
                                  json_pack("{s:f, s:f}", "x", (column + 0.5) * IMAGE_TILE / scale,
                                            "y", (row + 0.5) * IMAGE_TILE / scale));
        }
    }
    return points;
}

/*
 * Finds the moving elements in these tiles, and excludes them with the tiles and their neighbours.
 */
static bool leave_out_tiles(struct page *page, struct stillness *stillness,
                            struct image_mask *moving, size_t count, struct br_error *err)
{
    json_auto_t *answer = NULL;
    json_t *points = points_of(moving, count, stillness->scale);
    json_t *argument = json_pack("{s:s, s:o}", "mode", "around", "points", points);
    if (!ask_boxes(page, argument, &answer, err)) {
        return false;
    }
    image_mask_grow(moving);
    image_mask_join(&stillness->mask, moving);
    leave_out(stillness, answer);
    return true;
}

/* Excludes what differs between two pictures without input. */
static bool leave_out_moving(struct page *page, struct stillness *stillness,
                             const struct br_image *earlier, struct br_error *err)
{
    const struct br_image *before = &stillness->before;
    struct image_mask moving;
    if (earlier->width != before->width || earlier->height != before->height) {
        return error_set(err, BR_STALE_NODE, "the viewport changed its size before the click");
    }
    image_mask_init(&moving, before->width, before->height);
    size_t count = image_mask_add_changed(&moving, earlier, before);
    bool is_done = !count || leave_out_tiles(page, stillness, &moving, count, err);
    image_mask_finish(&moving);
    return is_done;
}

static bool observe(struct page *page, struct stillness *stillness, struct br_error *err)
{
    struct br_image earlier = { 0 };
    json_auto_t *animated = NULL;
    if (!ask_boxes(page, settle_argument(), &animated, err) ||
        !page_capture_pixels(page, &earlier, err)) {
        return false;
    }
    double width = 0;
    double height = 0;
    wire_viewport(page, &width, &height);
    stillness->scale = (double)earlier.width / width;
    image_mask_init(&stillness->mask, earlier.width, earlier.height);
    leave_out(stillness, animated);
    bool is_done = page_pause(page, APART_MS, err) &&
                   page_capture_pixels(page, &stillness->before, err) &&
                   leave_out_moving(page, stillness, &earlier, err);
    br_image_finish(&earlier);
    return is_done;
}

bool stillness_observe(struct page *page, struct stillness *ret_stillness, struct br_error *err)
{
    struct stillness stillness = { 0 };
    if (!observe(page, &stillness, err)) {
        stillness_finish(&stillness);
        return false;
    }
    *ret_stillness = stillness;
    return true;
}

void stillness_finish(struct stillness *stillness)
{
    br_image_finish(&stillness->before);
    image_mask_finish(&stillness->mask);
}

/* Waits for changes that end by themselves. *ret_has_waited: there were some. */
static bool settle(struct page *page, bool *ret_has_waited, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!ask_boxes(page, settle_argument(), &answer, err)) {
        return false;
    }
    *ret_has_waited = json_member_bool(answer, "hasWaited", false);
    return true;
}

static bool compare_once(struct page *page, const struct stillness *stillness,
                         struct image_change *ret_change, struct br_error *err)
{
    struct br_image now;
    if (!page_capture_pixels(page, &now, err)) {
        return false;
    }
    *ret_change = image_compare(&stillness->before, &now, &stillness->mask);
    br_image_finish(&now);
    return true;
}

bool stillness_compare(struct page *page, const struct stillness *stillness,
                       struct image_change *ret_change, struct page_box *ret_box,
                       struct br_error *err)
{
    struct image_change change;
    bool has_waited = false;
    if (!compare_once(page, stillness, &change, err) ||
        (change.pixels > 0 && (!settle(page, &has_waited, err) ||
                               (has_waited && !compare_once(page, stillness, &change, err))))) {
        return false;
    }
    *ret_change = change;
    *ret_box = (struct page_box){
        .x = change.box.x / stillness->scale,
        .y = change.box.y / stillness->scale,
        .width = change.box.width / stillness->scale,
        .height = change.box.height / stillness->scale,
    };
    return true;
}
