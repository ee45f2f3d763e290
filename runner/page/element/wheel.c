#include "runner/page/element/wheel.h"

#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/input.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/place.h"

enum { MAX_PLACES = 20 /* nesting of frames */ };

/*
 * The mouse's positions: in the innermost known frame and in its ancestors, which are scrolled when
 * the inner ones have reached their end.
 */
struct wheel_places {
    struct {
        char *frame_id;
        double x, y;
    } places[MAX_PLACES];
    size_t count;
};

static void finish_places(struct wheel_places *at)
{
    for (size_t i = 0; i < at->count; i++) {
        free(at->places[i].frame_id);
    }
}

static void add_place(struct wheel_places *at, const struct frame *frame, double x, double y)
{
    at->places[at->count].frame_id = xstrdup(frame->id);
    at->places[at->count].x = x;
    at->places[at->count++].y = y;
}

/* A point of the page is only known in the main frame. */
static bool find_places(struct page *page, const struct element *element,
                        struct wheel_places *ret_at, struct br_error *err)
{
    struct frame *frame = element_frame(page, element);
    bool is_inner = frame->parent_id;
    struct frame_point point = {
        .x = is_inner ? mouse_inside(page).x : mouse_at(page).x,
        .y = is_inner ? mouse_inside(page).y : mouse_at(page).y,
    };
    add_place(ret_at, frame, point.x, point.y);
    while (frame->parent_id && ret_at->count < MAX_PLACES) {
        if (!frame_to_parent(page, frame, &point, false, &frame, err)) {
            return false;
        }
        add_place(ret_at, frame, point.x, point.y);
    }
    return true;
}

static bool call_script(struct page *page, const char *phase, const struct wheel_places *at,
                        size_t index, json_t **ret_answer, struct br_error *err)
{
    struct frame *frame = frame_find(page, at->places[index].frame_id);
    json_auto_t *argument = json_pack("{s:s, s:f, s:f}", "phase", phase, "x", at->places[index].x,
                                      "y", at->places[index].y);
    return frame
               ? frame_call(page, frame, script_wheel, argument, NULL, ret_answer, err)
               : error_set(err, BR_TARGET_NOT_FOUND, "the frame under the mouse no longer exists");
}

static bool watch(struct page *page, const struct wheel_places *at, struct br_error *err)
{
    for (size_t i = 0; i < at->count; i++) {
        json_auto_t *nothing = NULL;
        if (!call_script(page, "watch", at, i, &nothing, err)) {
            return false;
        }
    }
    return true;
}

static bool turn(struct page *page, const struct page_wheel *wheel, struct br_error *err)
{
    page_act(page);
    return page_command(page, "Input.dispatchMouseEvent",
                        json_pack("{s:s, s:f, s:f, s:f, s:f, s:i}", "type", "mouseWheel", "x",
                                  mouse_at(page).x, "y", mouse_at(page).y, "deltaX", wheel->delta_x,
                                  "deltaY", wheel->delta_y, "modifiers", wheel->modifiers),
                        NULL, err);
}

/* If no effect was seen, something that reports none, such as a plugin, may have handled it. */
static bool judge_nothing(struct page *page, const json_t *answer, struct br_error *err)
{
    const char *over = json_member_string(answer, "over");
    if (json_member_bool(answer, "isUnknown", false)) {
        page_log(page, BR_LOG_WARNING, "input",
                 "%s at %g,%g does not tell whether it handled the wheel", over ? over : "what is",
                 mouse_at(page).x, mouse_at(page).y);
        return true;
    }
    error_set(err, BR_TARGET_DISABLED,
              "nothing handled the wheel at %g,%g, where %s is: nothing was scrolled",
              mouse_at(page).x, mouse_at(page).y, over);
    return error_hint(err, "it may be at its end already, or something else scrolls");
}

/* *ret_result stays NULL if the page was left because of it. */
static bool judge(struct page *page, const struct wheel_places *at, json_t **ret_result,
                  struct br_error *err)
{
    json_auto_t *scrolled = json_array();
    json_auto_t *innermost = NULL;
    for (size_t i = 0; i < at->count; i++) {
        json_auto_t *answer = NULL;
        if (!call_script(page, "end", at, i, &answer, err)) {
            return frame_has_gone(page, err);
        }
        if (json_member_bool(answer, "isLeft", false)) {
            return true;
        }
        json_array_extend(scrolled, json_object_get(answer, "scrolled"));
        innermost = innermost ? innermost : TAKE(answer);
    }
    bool is_handled = json_member_bool(innermost, "isHandled", false);
    *ret_result = json_pack("{s:b, s:O}", "handled", is_handled, "scrolled", scrolled);
    return is_handled || json_array_size(scrolled) || judge_nothing(page, innermost, err);
}

bool page_wheel(struct page *page, const struct page_target *target, const struct page_click *place,
                const struct page_wheel *wheel, json_t **ret_result, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    struct wheel_places at = { 0 };
    json_t *result = NULL;
    bool is_done = input_hover(page, target, place, &element, err) &&
                   find_places(page, &element, &at, err) && watch(page, &at, err) &&
                   turn(page, wheel, err) && judge(page, &at, &result, err);
    finish_places(&at);
    if (!is_done) {
        json_decref(result);
        return false;
    }
    *ret_result = result;
    return true;
}
