#include "runner/page/element/input.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/observe/stream.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/heard.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/keyboard.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/press.h"
#include "runner/page/element/show.h"
#include "runner/page/element/target.h"
#include "runner/page/element/typing.h"

#include <math.h>
#include <string.h>

enum { CLICK_TRIES = 5 /* while the page replaces the element between press and release */ };

static const char mouse_method[] = "Input.dispatchMouseEvent";

/* What a page sees of a press without a click; the value of a list or a slider changes with it. */
static const char *const press_events[] = { "pointerdown", "mousedown", "pointerup", "mouseup",
                                            "touchstart",  "touchend",  "focus",     "select",
                                            "beforeinput", "input",     "change",    NULL };

/* Sends a press and a release; both are sent before the first reply. */
static bool press_button(struct page *page, const struct page_click *options, int count,
                         struct br_error *err)
{
    static const char *const types[] = { "mousePressed", "mouseReleased" };
    int64_t ids[2];
    page_act(page);
    for (size_t i = 0; i < 2; i++) {
        json_t *params =
            json_pack("{s:s, s:f, s:f, s:s, s:i, s:i}", "type", types[i], "x", mouse_at(page).x,
                      "y", mouse_at(page).y, "button", options->button, "clickCount", count,
                      "modifiers", options->modifiers);
        ids[i] = page_send(page, mouse_method, json_incref(params), err);
        if (i == 1 && ids[0] >= 0 && ids[1] < 0) {
            /* After a cancel nothing is awaited any more, but the button must be released. */
            page_post(page, mouse_method, json_incref(params));
        }
        json_decref(params);
    }
    bool is_pressed = cdp_receive(page->client, ids[0], mouse_method, NULL, err);
    struct br_error later;
    return cdp_receive(page->client, ids[1], mouse_method, NULL, is_pressed ? err : &later) &&
           is_pressed;
}

bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct element *ret_element,
                 struct br_error *err)
{
    struct reach state = { .options = options, .element = ret_element };
    return page_target_is_element(target) ? patience_try(page, target, reach_once, &state, err)
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
            break; /* the element's document was replaced: another element must not be clicked */
        }
    }
    return press_end(page, element, err);
}

/* Returns whether the page may react to a press of the target without a click. */
static bool hears_press(struct page *page, const struct page_target *target)
{
    struct br_error ignored;
    struct page_node node;
    if (!page_locate_node(page, target, &node, &ignored)) {
        return true;
    }
    CLEANUP_ELEMENT struct element element = { .frame_id = xstrdup(node.frame_id),
                                               .backend_id = node.backend_id };
    return page_hears(page, &element, press_events);
}

bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    for (int i = 0; i < CLICK_TRIES; i++) {
        if (i > 0) {
            page_log(page, BR_LOG_INFO, "click",
                     "it is clicked again: nothing in the page listens to a press alone");
        }
        if (!input_hover(page, target, options, &element, err) ||
            !input_click_here(page, &element, options, err)) {
            return false;
        }
        if (!press_was_cut(page) || hears_press(page, target)) {
            press_warn_of_cut(page); /* the page may have replaced the element because of it */
            return true;
        }
    }
    error_set(err, BR_STALE_NODE,
              "the page replaced the element after each press: no click reached it");
    return error_hint(err, "wait until the page no longer replaces it");
}

bool input_operate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err)
{
    struct frame_point point = { 0 };
    element_finish(ret_element);
    if (!target_locate(page, target, job, ret_element, err)) {
        return false;
    }
    if (!json_object_get(ret_element->answer, "x")) {
        return true;
    }
    /* In a frame it was only examined so far. */
    json_t *reached = json_copy(job->options);
    json_object_set_new(reached, "isReached", json_true());
    json_auto_t *looked = TAKE(ret_element->answer);
    bool is_there = reach_read_point(looked, &point, err) &&
                    frame_to_page(page, element_frame(page, ret_element), &point, true, err);
    if (!is_there) {
        json_decref(reached);
        return false;
    }
    return element_call(page, ret_element, job->function, reached, &ret_element->answer, err);
}

struct focus {
    bool is_editable, is_cleared;
    bool was_covered; /* in the last try */
    struct element *element;
};

static bool focus_once(struct page *page, const struct page_target *target, int attempt, void *data,
                       struct br_error *err)
{
    struct focus *focus = data;
    json_auto_t *options =
        json_pack("{s:b, s:b, s:s}", "editable", focus->is_editable, "clear", focus->is_cleared,
                  "alignment", patience_alignment(attempt, focus->was_covered));
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
    if (!patience_try(page, target, focus_once, &focus, err)) {
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
