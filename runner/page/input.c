#include "runner/page/input.h"

#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"
#include "runner/page/target.h"

#include <math.h>
#include <string.h>

/* Where an element is put when it is scrolled into view: another way each time it was covered,
 * since headers and bars stick to the edges. */
static const char *const alignments[] = { "nearest", "center", "end", "start" };

static json_t *mouse_event(const char *type, double x, double y)
{
    return json_pack("{s:s, s:f, s:f}", "type", type, "x", x, "y", y);
}

/* Does not wait for it to be there; the call is to be received. */
static int64_t send_mouse(struct page *page, double x, double y, struct br_error *err)
{
    page->mouse_x = x;
    page->mouse_y = y;
    page->trace.has_point = true;
    page->trace.documents = page->mark.documents;
    page->trace.x = x;
    page->trace.y = y;
    return cdp_send(page->client, page->session_id, "Input.dispatchMouseEvent",
                    mouse_event("mouseMoved", x, y), err);
}

static bool move_mouse(struct page *page, double x, double y, struct br_error *err)
{
    int64_t id = send_mouse(page, x, y, err);
    return cdp_receive(page->client, id, "Input.dispatchMouseEvent", NULL, err);
}

/* One press and release; both are on their way before the first is answered. */
static bool press_button(struct page *page, const struct page_click *options, int count,
                         struct br_error *err)
{
    static const char *const types[] = { "mousePressed", "mouseReleased" };
    int64_t ids[2];
    page_act(page);
    for (size_t i = 0; i < 2; i++) {
        json_t *params = mouse_event(types[i], page->mouse_x, page->mouse_y);
        json_object_set_new(params, "button", json_string(options->button));
        json_object_set_new(params, "clickCount", json_integer(count));
        json_object_set_new(params, "modifiers", json_integer(options->modifiers));
        ids[i] = cdp_send(page->client, page->session_id, "Input.dispatchMouseEvent", params, err);
    }
    bool is_pressed = cdp_receive(page->client, ids[0], "Input.dispatchMouseEvent", NULL, err);
    struct br_error later;
    return cdp_receive(page->client, ids[1], "Input.dispatchMouseEvent", NULL,
                       is_pressed ? err : &later) &&
           is_pressed;
}

struct reach {
    const struct page_click *options;
    bool was_covered; /* at the last try */
};

/*
 * The point is one of the frame's viewport; while the mouse came there, nothing may have moved.
 * With is_there it was sent there already.
 */
static bool reach_point(struct page *page, const struct page_target *target,
                        struct frame_point point, bool is_there, struct frame_point *ret_in_page,
                        struct br_error *err)
{
    struct frame_point before = point;
    struct frame_point after = point;
    json_auto_t *hit = NULL;
    json_t *more = json_pack("{s:f, s:f}", "x", point.x, "y", point.y);
    if (!frame_to_page(page, frame_acting(page), &before, true, err) ||
        !(is_there || move_mouse(page, before.x, before.y, err))) {
        json_decref(more);
        return false;
    }
    if (!target_locate(page, target, "hit", more, &hit, err) ||
        !frame_to_page(page, frame_acting(page), &after, true, err)) {
        return false;
    }
    *ret_in_page = after;
    return (fabs(after.x - before.x) < 1 && fabs(after.y - before.y) < 1) ||
           error_set(err, BR_TARGET_NOT_VISIBLE, "the frame of the element does not stand still");
}

/* Where the element is: it was measured in its frame, where the point is at `at`. */
static void trace_area(struct page *page, const json_t *area, const struct frame_point *at,
                       const struct frame_point *in_page)
{
    page->trace.has_area = area;
    page->trace.scale = in_page->scale;
    page->trace.area = (struct page_box){
        .x = in_page->x + (json_member_number(area, "x", 0) - at->x) * in_page->scale,
        .y = in_page->y + (json_member_number(area, "y", 0) - at->y) * in_page->scale,
        .width = json_member_number(area, "width", 0) * in_page->scale,
        .height = json_member_number(area, "height", 0) * in_page->scale,
    };
}

/*
 * Chrome moves the mouse with the next frame, and whether the element stands still takes a frame,
 * too: the mouse is on its way while that is watched. Not in frames, whose place takes calls to
 * know.
 */
struct ahead {
    int64_t call_id; /* -1: it was not sent */
    struct frame_point point;
};

static struct ahead send_ahead(struct page *page, const struct page_target *target, json_t *more)
{
    struct ahead ahead = { .call_id = -1 };
    struct br_error not_ready;
    json_auto_t *answer = NULL;
    if (page->frame_count > 1 || target->frame || target->role) {
        return ahead;
    }
    json_t *asked = json_copy(more);
    json_object_set_new(asked, "isAhead", json_true());
    if (target_locate(page, target, "input", asked, &answer, &not_ready) &&
        json_read(answer, "the element's place", &not_ready, "{s:F, s:F}", "x", &ahead.point.x, "y",
                  &ahead.point.y)) {
        ahead.call_id = send_mouse(page, ahead.point.x, ahead.point.y, &not_ready);
    }
    return ahead;
}

/* Whether the mouse is at the point by now. */
static bool has_arrived_ahead(struct page *page, const struct ahead *ahead,
                              const struct frame_point *point)
{
    struct br_error ignored;
    return ahead->call_id >= 0 &&
           cdp_receive(page->client, ahead->call_id, "Input.dispatchMouseEvent", NULL, &ignored) &&
           fabs(point->x - ahead->point.x) < 0.5 && fabs(point->y - ahead->point.y) < 0.5;
}

/* Moves the mouse to the element and makes sure that it would still be hit there. */
static bool reach(struct page *page, const struct page_target *target, int attempt, void *data,
                  struct br_error *err)
{
    size_t count = sizeof(alignments) / sizeof(alignments[0]);
    struct reach *state = data;
    json_auto_t *answer = NULL;
    struct frame_point point = { 0 };
    struct frame_point in_page = { .scale = 1 };
    const char *alignment = alignments[state->was_covered ? (size_t)attempt % count : 0];
    json_t *more = json_pack("{s:s}", "alignment", alignment);
    if (state->options->has_offset) {
        json_object_set_new(
            more, "offset",
            json_pack("{s:f, s:f}", "x", state->options->x, "y", state->options->y));
    }
    struct ahead ahead = send_ahead(page, target, more);
    bool is_ready =
        target_locate(page, target, "input", more, &answer, err) &&
        json_read(answer, "the element's place", err, "{s:F, s:F}", "x", &point.x, "y", &point.y);
    bool is_there = has_arrived_ahead(page, &ahead, &point);
    bool is_reached = is_ready && reach_point(page, target, point, is_there, &in_page, err);
    trace_area(page, is_reached ? json_object_get(answer, "area") : NULL, &point, &in_page);
    state->was_covered = !is_reached && err->code == BR_TARGET_OBSCURED;
    return is_reached;
}

bool input_check_place(const struct page *page, const struct page_target *target,
                       struct br_error *err)
{
    if (target->x_min >= 0 && target->y_min >= 0 && target->x_max <= page->options.viewport_width &&
        target->y_max <= page->options.viewport_height) {
        return true;
    }
    error_set(err, BR_TARGET_NOT_VISIBLE,
              "x %g to %g, y %g to %g is not inside the viewport of %dx%d", target->x_min,
              target->x_max, target->y_min, target->y_max, page->options.viewport_width,
              page->options.viewport_height);
    return error_hint(err, "scroll first, or give a larger --viewport");
}

static bool reach_place(struct page *page, const struct page_target *target, struct br_error *err)
{
    if (!input_check_place(page, target, err)) {
        return false;
    }
    double x = (target->x_min + target->x_max) / 2;
    double y = (target->y_min + target->y_max) / 2;
    page->trace.has_area = true;
    page->trace.scale = 1;
    page->trace.area = (struct page_box){ .x = target->x_min,
                                          .y = target->y_min,
                                          .width = target->x_max - target->x_min,
                                          .height = target->y_max - target->y_min };
    page_log(page, BR_LOG_DEBUG, "click", "chose %g,%g in x %g to %g, y %g to %g", x, y,
             target->x_min, target->x_max, target->y_min, target->y_max);
    return move_mouse(page, x, y, err);
}

/* The proof that the click reached the element. A page that has gone on to another one has no more
 * to say about it. */
static bool check_arrival(struct page *page, struct br_error *err)
{
    struct br_error ignored;
    json_auto_t *nothing = json_object();
    json_auto_t *answer = NULL;
    if (!frame_call(page, frame_acting(page), script_arrived, nothing, NULL, &answer, &ignored)) {
        return true;
    }
    return target_answer_is_fine(answer, err);
}

bool page_hover(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err)
{
    struct reach state = { .options = options };
    return page_target_is_element(target) ? target_try(page, target, reach, &state, err)
                                          : reach_place(page, target, err);
}

/*
 * False when the document that was looked at had gone before a click on it was answered. Where a
 * click leads to another document, that comes later: Chrome answers first.
 */
static bool check_document(struct page *page, struct br_error *err)
{
    if (frame_acting(page)->world_id) {
        return true;
    }
    error_set(err, BR_STALE_NODE, "the document of the element went away before the click came");
    return error_hint(err, "what has come in its place may have taken the click");
}

bool input_click_here(struct page *page, const struct page_target *target,
                      const struct page_click *options, struct br_error *err)
{
    bool is_element = page_target_is_element(target);
    if (is_element) {
        page_log(page, BR_LOG_DEBUG, "click", "clicks at %g,%g", page->mouse_x, page->mouse_y);
    }
    for (int count = 1; count <= options->count; count++) {
        if (!press_button(page, options, count, err) ||
            (is_element && count == 1 && !check_document(page, err))) {
            return false;
        }
    }
    return !is_element || check_arrival(page, err);
}

bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err)
{
    return page_hover(page, target, options, err) && input_click_here(page, target, options, err);
}

struct focus {
    bool is_editable, is_cleared, holds_text;
};

static bool focus_once(struct page *page, const struct page_target *target, int attempt, void *data,
                       struct br_error *err)
{
    struct focus *focus = data;
    json_auto_t *answer = NULL;
    (void)attempt;
    json_t *more = json_pack("{s:b, s:b, s:s}", "editable", focus->is_editable, "clear",
                             focus->is_cleared, "alignment", "nearest");
    if (!target_locate(page, target, "focus", more, &answer, err)) {
        return false;
    }
    focus->holds_text = json_member_bool(answer, "holdsText", false);
    return true;
}

bool page_focus(struct page *page, const struct page_target *target, bool is_editable,
                bool is_cleared, struct br_error *err)
{
    struct focus focus = { .is_editable = is_editable, .is_cleared = is_cleared };
    if (!target_try(page, target, focus_once, &focus, err)) {
        return false;
    }
    return !is_cleared || !focus.holds_text ||
           (page_press(page, "Delete", err) && page_check_empty(page, err));
}
