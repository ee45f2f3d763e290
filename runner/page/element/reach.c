#include "runner/page/element/reach.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/box.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/target.h"

#include <math.h>
#include <string.h>

static const char mouse_method[] = "Input.dispatchMouseEvent";

static json_t *mouse_event(const char *type, double x, double y)
{
    return json_pack("{s:s, s:f, s:f}", "type", type, "x", x, "y", y);
}

/* Moves the mouse without waiting for it; the call must be received. */
static int64_t send_mouse(struct page *page, double x, double y, struct br_error *err)
{
    mouse_move(page, x, y);
    mouse_trace(page)->has_point = true;
    mouse_trace(page)->documents = page_mark(page).documents;
    mouse_trace(page)->x = x;
    mouse_trace(page)->y = y;
    return page_send(page, mouse_method, mouse_event("mouseMoved", x, y), err);
}

static bool move_mouse(struct page *page, double x, double y, struct br_error *err)
{
    int64_t id = send_mouse(page, x, y, err);
    return cdp_receive(page->client, id, mouse_method, NULL, err);
}

static json_t *point_argument(const struct frame_point *point)
{
    return json_pack("{s:f, s:f}", "x", point->x, "y", point->y);
}

/*
 * Checks the point, which is in the frame's viewport: nothing may have moved while the mouse was
 * moved there. is_there: the mouse is already there.
 */
static bool reach_point(struct page *page, const struct element *element, struct frame_point point,
                        bool is_there, struct frame_point *ret_in_page, struct br_error *err)
{
    struct frame *frame = element_frame(page, element);
    struct frame_point before = point;
    struct frame_point after = point;
    json_auto_t *hit = NULL;
    if (!frame_to_page(page, frame, &before, true, err) ||
        !(is_there || move_mouse(page, before.x, before.y, err)) ||
        !element_call(page, element, script_hit, point_argument(&point), &hit, err) ||
        !frame_to_page(page, frame, &after, true, err)) {
        return false;
    }
    *ret_in_page = after;
    return (fabs(after.x - before.x) < 1 && fabs(after.y - before.y) < 1) ||
           error_set(err, BR_TARGET_NOT_VISIBLE, "the frame of the element does not stop moving");
}

/* Records the element's area, measured in its frame, in which the point is at `at`. */
static void trace_area(struct page *page, const json_t *area, const struct frame_point *at,
                       const struct frame_point *in_page)
{
    mouse_trace(page)->has_area = area;
    mouse_trace(page)->scale = in_page->scale;
    mouse_trace(page)->area = (struct page_box){
        .x = in_page->x + (json_member_number(area, "x", 0) - at->x) * in_page->scale,
        .y = in_page->y + (json_member_number(area, "y", 0) - at->y) * in_page->scale,
        .width = json_member_number(area, "width", 0) * in_page->scale,
        .height = json_member_number(area, "height", 0) * in_page->scale,
    };
}

static json_t *input_argument(const struct reach *state, int attempt)
{
    const struct page_click *options = state->options;
    json_t *argument =
        json_pack("{s:s, s:b}", "alignment", patience_alignment(attempt, state->was_covered),
                  "staysPut", options->stays_put);
    if (options->has_offset) {
        json_object_set_new(argument, "offset",
                            json_pack("{s:f, s:f}", "x", options->x, "y", options->y));
        json_object_set_new(argument, "byChance", json_boolean(options->is_by_chance));
    }
    return argument;
}

bool reach_read_point(json_t *answer, struct frame_point *ret_point, struct br_error *err)
{
    return json_read(answer, "the element's place", err, "{s:F, s:F}", "x", &ret_point->x, "y",
                     &ret_point->y);
}

/*
 * Waits until the element is stable. Chrome moves the mouse at the next frame, and this check needs
 * a frame, too: so the mouse is sent first, and the frame in which it comes is that of the check.
 * Not in subframes, whose position requires further calls. *ret_is_there: the mouse has reached the
 * point.
 */
static bool await_steady(struct page *page, const struct element *element, json_t *argument,
                         struct frame_point *point, bool *ret_is_there, json_t **ret_answer,
                         struct br_error *err)
{
    struct br_error ignored;
    struct frame_point ahead = *point;
    bool is_sent = element_frame(page, element) == frame_main(page);
    if (is_sent) {
        json_object_update_new(argument, point_argument(&ahead));
    }
    int64_t mouse_id = is_sent ? send_mouse(page, ahead.x, ahead.y, &ignored) : -1;
    int64_t call_id = element_send(page, element, script_steady, json_incref(argument), err);
    bool is_steady = element_receive(page, call_id, ret_answer, err) &&
                     reach_read_point(*ret_answer, point, err);
    *ret_is_there = is_sent && cdp_receive(page->client, mouse_id, mouse_method, NULL, &ignored) &&
                    fabs(point->x - ahead.x) < 0.5 && fabs(point->y - ahead.y) < 0.5;
    return is_steady;
}

bool reach_once(struct page *page, const struct page_target *target, int attempt, void *data,
                struct br_error *err)
{
    struct reach *state = data;
    struct element *element = state->element;
    json_auto_t *argument = input_argument(state, attempt);
    json_auto_t *answer = NULL;
    struct frame_point point = { .scale = 1, .stays_put = state->options->stays_put };
    bool is_there = false;
    element_finish(element);
    bool is_reached =
        target_locate(page, target, &(struct job){ script_aim, argument }, element, err) &&
        reach_read_point(element->answer, &point, err) &&
        await_steady(page, element, argument, &point, &is_there, &answer, err);
    struct frame_point in_page = point;
    bool is_hit = is_there && json_member_bool(answer, "isHit", false);
    if (is_reached && !is_hit) {
        is_reached = reach_point(page, element, point, is_there, &in_page, err);
    }
    mouse_enter(page, point.x, point.y);
    trace_area(page, is_reached ? json_object_get(answer, "area") : NULL, &point, &in_page);
    state->was_covered = !is_reached && err->code == BR_TARGET_OBSCURED;
    return is_reached;
}

bool reach_check_place(struct page *page, const struct page_target *target, struct br_error *err)
{
    double width = 0;
    double height = 0;
    wire_viewport(page, &width, &height);
    if (target->x_min >= 0 && target->y_min >= 0 && target->x_max <= width &&
        target->y_max <= height) {
        return true;
    }
    error_set(err, BR_TARGET_NOT_VISIBLE,
              "x %g to %g, y %g to %g is not inside the viewport of %gx%g", target->x_min,
              target->x_max, target->y_min, target->y_max, width, height);
    return error_hint(err, "scroll first, or give a larger ⟨viewport⟩");
}

bool reach_place(struct page *page, const struct page_target *target, struct br_error *err)
{
    if (!reach_check_place(page, target, err)) {
        return false;
    }
    double x = (target->x_min + target->x_max) / 2;
    double y = (target->y_min + target->y_max) / 2;
    mouse_trace(page)->has_area = true;
    mouse_trace(page)->scale = 1;
    mouse_trace(page)->area = (struct page_box){ .x = target->x_min,
                                                 .y = target->y_min,
                                                 .width = target->x_max - target->x_min,
                                                 .height = target->y_max - target->y_min };
    page_log(page, BR_LOG_DEBUG, "click", "chose %g,%g in x %g to %g, y %g to %g", x, y,
             target->x_min, target->x_max, target->y_min, target->y_max);
    return move_mouse(page, x, y, err);
}
