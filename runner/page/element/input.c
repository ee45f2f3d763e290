#include "runner/page/element/input.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/observe/stream.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/box.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/keyboard.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/place.h"
#include "runner/page/element/press.h"
#include "runner/page/element/show.h"
#include "runner/page/element/target.h"
#include "runner/page/element/typing.h"

#include <math.h>
#include <string.h>

static const char mouse_method[] = "Input.dispatchMouseEvent";

static json_t *mouse_event(const char *type, double x, double y)
{
    return json_pack("{s:s, s:f, s:f}", "type", type, "x", x, "y", y);
}

/* Does not wait for it to be there; the call is to be received. */
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

/* One press and release; both are on their way before the first is answered. */
static bool press_button(struct page *page, const struct page_click *options, int count,
                         struct br_error *err)
{
    static const char *const types[] = { "mousePressed", "mouseReleased" };
    int64_t ids[2];
    page_act(page);
    for (size_t i = 0; i < 2; i++) {
        json_t *params = mouse_event(types[i], mouse_at(page).x, mouse_at(page).y);
        json_object_set_new(params, "button", json_string(options->button));
        json_object_set_new(params, "clickCount", json_integer(count));
        json_object_set_new(params, "modifiers", json_integer(options->modifiers));
        ids[i] = page_send(page, mouse_method, json_incref(params), err);
        if (i == 1 && ids[0] >= 0 && ids[1] < 0) {
            /* A cancel has come in between: nobody waits any more, but it is let go. */
            page_post(page, mouse_method, json_incref(params));
        }
        json_decref(params);
    }
    bool is_pressed = cdp_receive(page->client, ids[0], mouse_method, NULL, err);
    struct br_error later;
    return cdp_receive(page->client, ids[1], mouse_method, NULL, is_pressed ? err : &later) &&
           is_pressed;
}

static json_t *point_argument(const struct frame_point *point)
{
    return json_pack("{s:f, s:f}", "x", point->x, "y", point->y);
}

struct reach {
    const struct page_click *options;
    struct element *element;
    bool was_covered; /* at the last try */
};

/*
 * The point is one of the frame's viewport; while the mouse came there, nothing may have moved.
 * With is_there it was sent there already.
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
           error_set(err, BR_TARGET_NOT_VISIBLE, "the frame of the element does not stand still");
}

/* Where the element is: it was measured in its frame, where the point is at `at`. */
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

const char *input_alignment(int attempt, bool was_covered)
{
    static const char *const alignments[] = { "nearest", "center", "end", "start" };
    size_t count = sizeof(alignments) / sizeof(alignments[0]);
    return alignments[was_covered ? (size_t)attempt % count : 0];
}

static json_t *input_argument(const struct reach *state, int attempt)
{
    const struct page_click *options = state->options;
    json_t *argument =
        json_pack("{s:s}", "alignment", input_alignment(attempt, state->was_covered));
    if (options->has_offset) {
        json_object_set_new(argument, "offset",
                            json_pack("{s:f, s:f}", "x", options->x, "y", options->y));
    }
    return argument;
}

static bool read_point(json_t *answer, struct frame_point *ret_point, struct br_error *err)
{
    return json_read(answer, "the element's place", err, "{s:F, s:F}", "x", &ret_point->x, "y",
                     &ret_point->y);
}

/*
 * Waits until the element stands still. Chrome moves the mouse with the next frame, and that takes
 * a frame, too: the mouse is on its way meanwhile. Not in frames, whose place takes calls to know.
 * *ret_is_there: it has come to the point.
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
    int64_t call_id = element_send(page, element, script_steady, json_incref(argument), err);
    int64_t mouse_id = is_sent ? send_mouse(page, ahead.x, ahead.y, &ignored) : -1;
    bool is_steady =
        element_receive(page, call_id, ret_answer, err) && read_point(*ret_answer, point, err);
    *ret_is_there = is_sent && cdp_receive(page->client, mouse_id, mouse_method, NULL, &ignored) &&
                    fabs(point->x - ahead.x) < 0.5 && fabs(point->y - ahead.y) < 0.5;
    return is_steady;
}

/* Moves the mouse to the element and makes sure that it would still be hit there. */
static bool reach(struct page *page, const struct page_target *target, int attempt, void *data,
                  struct br_error *err)
{
    struct reach *state = data;
    struct element *element = state->element;
    json_auto_t *argument = input_argument(state, attempt);
    json_auto_t *answer = NULL;
    struct frame_point point = { .scale = 1 };
    bool is_there = false;
    element_finish(element);
    bool is_reached =
        target_locate(page, target, &(struct job){ script_aim, argument }, element, err) &&
        read_point(element->answer, &point, err) &&
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
    return error_hint(err, "scroll first, or give a larger ⟨viewport⟩");
}

static bool reach_place(struct page *page, const struct page_target *target, struct br_error *err)
{
    if (!input_check_place(page, target, err)) {
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

bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct element *ret_element,
                 struct br_error *err)
{
    struct reach state = { .options = options, .element = ret_element };
    return page_target_is_element(target) ? target_try(page, target, reach, &state, err)
                                          : reach_place(page, target, err);
}

bool page_hover(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    if (!input_hover(page, target, options, &element, err)) {
        return false;
    }
    show_mouse(page, false);
    return true;
}

bool input_click_here(struct page *page, const struct element *element,
                      const struct page_click *options, struct br_error *err)
{
    if (element->object_id) {
        page_log(page, BR_LOG_DEBUG, "click", "clicks at %g,%g", mouse_at(page).x,
                 mouse_at(page).y);
    }
    show_mouse(page, true);
    press_begin(page, element);
    for (int count = 1; count <= options->count; count++) {
        if (!press_button(page, options, count, err)) {
            return false;
        }
        if (element->object_id && !element_frame(page, element)->world_id) {
            break; /* the element's document has gone: what is there now is not meant */
        }
    }
    return press_end(page, element, err);
}

bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    return input_hover(page, target, options, &element, err) &&
           input_click_here(page, &element, options, err);
}

bool input_operate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err)
{
    struct frame_point point;
    element_finish(ret_element);
    if (!target_locate(page, target, job, ret_element, err)) {
        return false;
    }
    if (!json_object_get(ret_element->answer, "x")) {
        return true;
    }
    /* In a frame it has only been looked at so far. */
    json_t *reached = json_copy(job->options);
    json_object_set_new(reached, "isReached", json_true());
    json_auto_t *looked = TAKE(ret_element->answer);
    bool is_there = read_point(looked, &point, err) &&
                    frame_to_page(page, element_frame(page, ret_element), &point, true, err);
    if (!is_there) {
        json_decref(reached);
        return false;
    }
    return element_call(page, ret_element, job->function, reached, &ret_element->answer, err);
}

struct focus {
    bool is_editable, is_cleared;
    bool was_covered; /* at the last try */
    struct element *element;
};

static bool focus_once(struct page *page, const struct page_target *target, int attempt, void *data,
                       struct br_error *err)
{
    struct focus *focus = data;
    json_auto_t *options =
        json_pack("{s:b, s:b, s:s}", "editable", focus->is_editable, "clear", focus->is_cleared,
                  "alignment", input_alignment(attempt, focus->was_covered));
    bool is_done =
        input_operate(page, target, &(struct job){ script_focus, options }, focus->element, err);
    focus->was_covered = !is_done && err->code == BR_TARGET_OBSCURED;
    return is_done;
}

bool page_focus(struct page *page, const struct page_target *target, bool is_editable,
                bool is_cleared, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    struct focus focus = { is_editable, is_cleared, false, &element };
    if (!target_try(page, target, focus_once, &focus, err)) {
        return false;
    }
    if (json_member_bool(element.answer, "isToBeClicked", false)) {
        struct page_click click = { .button = "left", .count = 1 };
        return page_click(page, target, &click, err) && typing_enter_editor(page, is_cleared, err);
    }
    bool is_editor = json_member_bool(element.answer, "isEditor", false);
    bool holds_text = json_member_bool(element.answer, "holdsText", false);
    if (is_cleared && holds_text &&
        !(page_press(page, "Delete", err) && typing_check_empty(page, &element, err))) {
        return false;
    }
    typing_set_field(page, is_editable ? &element : NULL);
    return !is_editor || typing_enter_editor(page, is_cleared, err);
}
