#include "runner/page/element/drag.h"

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
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/reach.h"
#include "runner/page/element/show.h"
#include "runner/page/element/target.h"

#include <string.h>

enum {
    START_MS = 1000, /* time limit for the browser's drag to start, after the page has allowed it */
    BEGIN_PX = 5,    /* more than Chrome tolerates in a click */
    PACE_MS = 60,    /* pause between steps for pages that need it */
    MOVE_MS = 3000,  /* limit of these pauses together */
    MAX_STIRS = 8,   /* moves while the page does not come to rest */
};

/* State of a drag. */
struct drag {
    const struct page_target *target;  /* the destination */
    const struct page_click *place;    /* the offset in it */
    struct element source, end;        /* the dragged element, and the one dropped on */
    double from_x, from_y, to_x, to_y; /* in the page's viewport */
    const char *button;                /* of the mouse: "left", "middle", "right" */
    int modifiers;                     /* as in struct page_click */
    int hold_ms;    /* time between the press and the first move, for pages that wait for a long
                       press */
    int pace_ms;    /* pause between steps, for pages that do not track the mouse continuously */
    bool is_native; /* the browser drags data; otherwise the page follows the mouse */
};

/* Calls the script for a side, "source" or "target", in that side's frame. */
static bool call_script(struct page *page, const struct drag *drag, const char *side,
                        const char *phase, json_t **ret_answer, struct br_error *err)
{
    bool is_source = strcmp(side, "source") == 0;
    const struct element *element = is_source ? &drag->source : &drag->end;
    struct frame *frame =
        element->frame_id ? frame_find(page, element->frame_id) : frame_main(page);
    json_auto_t *held = strcmp(phase, "watch") == 0 ? element_objects(element) : NULL;
    json_auto_t *argument =
        json_pack("{s:s, s:s, s:i}", "side", side, "phase", phase, "paceMs", drag->pace_ms);
    return frame ? frame_call(page, frame, script_drag, argument, held, ret_answer, err)
                 : error_set(err, BR_TARGET_NOT_FOUND, "the frame of the drag no longer exists");
}

static bool watch(struct page *page, const struct drag *drag, const char *side,
                  struct br_error *err)
{
    json_auto_t *answer = NULL;
    return call_script(page, drag, side, "watch", &answer, err);
}

static bool find_target_once(struct page *page, const struct page_target *target, int attempt,
                             void *data, struct br_error *err)
{
    struct drag *drag = data;
    struct frame_point point = { 0 };
    (void)attempt;
    json_auto_t *options = json_pack("{s:s}", "alignment", "nearest");
    if (drag->place->has_offset) {
        json_object_set_new(options, "offset",
                            json_pack("{s:f, s:f}", "x", drag->place->x, "y", drag->place->y));
    }
    element_finish(&drag->end);
    if (!target_locate(page, target, &(struct job){ script_steady, options }, &drag->end, err) ||
        !json_read(drag->end.answer, "the element's place", err, "{s:F, s:F}", "x", &point.x, "y",
                   &point.y) ||
        !frame_to_page(page, element_frame(page, &drag->end), &point, false, err)) {
        return false;
    }
    drag->to_x = point.x;
    drag->to_y = point.y;
    return true;
}

/* Finds the destination; the dragged element may cover it, so it need not be hit. */
static bool find_target(struct page *page, struct drag *drag, struct br_error *err)
{
    const struct page_target *target = drag->target;
    if (page_target_is_element(target)) {
        return patience_try(page, target, find_target_once, drag, err);
    }
    drag->to_x = (target->x_min + target->x_max) / 2;
    drag->to_y = (target->y_min + target->y_max) / 2;
    return reach_check_place(page, target, err);
}

/* What happens to the mouse, or to the dragged data. */
enum step { PRESS, MOVE, ENTER, DROP, CANCEL };

/* Returns the bit in MouseEvent.buttons. */
static int button_bit(const char *button)
{
    return strcmp(button, "left") == 0 ? 1 : strcmp(button, "right") == 0 ? 2 : 4;
}

/* Returns the command of a step and its parameters; the caller decrefs. */
static json_t *step_event(const struct page *page, const struct drag *drag, enum step step,
                          const char **ret_method)
{
    static const struct {
        const char *mouse, *drag; /* event types of the two kinds of drag */
    } types[] = {
        [PRESS] = { "mousePressed", NULL },
        [MOVE] = { "mouseMoved", "dragOver" },
        [ENTER] = { NULL, "dragEnter" },
        [DROP] = { "mouseReleased", "drop" },
        [CANCEL] = { "mouseReleased", "dragCancel" },
    };
    *ret_method = drag->is_native ? "Input.dispatchDragEvent" : "Input.dispatchMouseEvent";
    json_t *params = json_pack(
        "{s:s, s:f, s:f, s:i}", "type", drag->is_native ? types[step].drag : types[step].mouse, "x",
        mouse_at(page).x, "y", mouse_at(page).y, "modifiers", drag->modifiers);
    if (drag->is_native) {
        json_object_set(params, "data", page->drag_data);
    } else {
        bool is_held = step == PRESS || step == MOVE;
        json_object_set_new(params, "button", json_string(drag->button));
        json_object_set_new(params, "buttons",
                            json_integer(is_held ? button_bit(drag->button) : 0));
        json_object_set_new(params, "clickCount", json_integer(1));
    }
    return params;
}

static bool dispatch(struct page *page, const struct drag *drag, enum step step,
                     struct br_error *err)
{
    const char *method;
    json_t *params = step_event(page, drag, step, &method);
    return page_command(page, method, params, NULL, err);
}

/* As dispatch(), but not sent if the action was cancelled. */
static bool release(struct page *page, const struct drag *drag, enum step step, bool *ret_is_sent,
                    struct br_error *err)
{
    const char *method;
    json_t *params = step_event(page, drag, step, &method);
    int64_t id = page_send(page, method, params, err);
    *ret_is_sent = id >= 0;
    return cdp_receive(page->client, id, method, NULL, err);
}

/*
 * Cancels the drag without waiting. It may be unknown whether the browser has started its own drag:
 * if so it ignores mouse buttons, if not it ignores the end of a drag. Sends both, since a page
 * with an unfinished drag would receive no more input.
 */
static void cancel_drag(struct page *page, struct drag *drag)
{
    const char *method;
    if (!page->drag_data) {
        page->drag_data = json_pack("{s:[], s:i}", "items", "dragOperationsMask", 1);
    }
    for (int is_native = 0; is_native <= 1; is_native++) {
        drag->is_native = is_native;
        json_t *params = step_event(page, drag, CANCEL, &method);
        page_post(page, method, params);
    }
}

static bool has_drag_data(void *data)
{
    const struct page *page = data;
    return page->drag_data;
}

/* Returns whether the move has started a drag of the browser, which then reports the data. */
static bool check_start(struct page *page, struct drag *drag, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!call_script(page, drag, "source", "ask", &answer, err)) {
        return false;
    }
    if (!json_member_bool(answer, "hasBegun", false) ||
        json_member_bool(answer, "isPrevented", false)) {
        return true;
    }
    if (!cdp_wait(page->client, has_drag_data, page, "the dragging to begin",
                  deadline_in_ms(START_MS), err)) {
        return false;
    }
    drag->is_native = true;
    return dispatch(page, drag, ENTER, err);
}

static bool move_to(struct page *page, struct drag *drag, double x, double y, struct br_error *err)
{
    mouse_move(page, x, y);
    return dispatch(page, drag, MOVE, err) && (drag->is_native || check_start(page, drag, err));
}

/* Moves a few pixels, so that the browser recognises a drag before anything is scrolled. */
static bool begin(struct page *page, struct drag *drag, struct br_error *err)
{
    return move_to(page, drag, drag->from_x + 2, drag->from_y + 2, err) &&
           move_to(page, drag, drag->from_x + BEGIN_PX, drag->from_y + BEGIN_PX, err);
}

/*
 * Lists make room for the dragged element, and ignore the mouse meanwhile: waits for moving
 * elements, as a person would, and moves the mouse until nothing changes any more.
 */
static bool await_rest(struct page *page, struct drag *drag, struct br_error *err)
{
    double aside = drag->to_x > drag->from_x ? -1 : 1;
    bool is_at_rest = false;
    for (int i = 0; i < MAX_STIRS && !is_at_rest; i++) {
        json_auto_t *first = NULL;
        json_auto_t *second = NULL;
        if (!call_script(page, drag, "target", "rest", &first, err) ||
            !move_to(page, drag, drag->to_x + aside, drag->to_y, err) ||
            !call_script(page, drag, "target", "rest", &second, err) ||
            !move_to(page, drag, drag->to_x, drag->to_y, err)) {
            return false;
        }
        is_at_rest = i > 0 && json_member_bool(first, "isSame", false) &&
                     json_member_bool(second, "isSame", false);
    }
    return true;
}

/* Reads how far the target has moved; its frame reports its own pixels. */
static bool read_moved(struct page *page, const struct drag *drag, const json_t *answer,
                       struct frame_point *ret_moved, struct br_error *err)
{
    const json_t *moved = json_object_get(answer, "moved");
    struct frame *frame = element_frame(page, &drag->end);
    struct frame_point from = { 0 };
    struct frame_point to = {
        .x = json_member_number(moved, "x", 0),
        .y = json_member_number(moved, "y", 0),
    };
    if (frame->parent_id && (to.x != 0 || to.y != 0) &&
        (!frame_to_page(page, frame, &from, false, err) ||
         !frame_to_page(page, frame, &to, false, err))) {
        return false;
    }
    *ret_moved = (struct frame_point){ .x = to.x - from.x, .y = to.y - from.y };
    return true;
}

static bool move(struct page *page, struct drag *drag, int steps, struct br_error *err)
{
    const double to_x = drag->to_x;
    const double to_y = drag->to_y;
    for (int i = 1; i <= steps; i++) {
        json_auto_t *answer = NULL;
        struct frame_point moved;
        if (!move_to(page, drag, drag->from_x + (drag->to_x - drag->from_x) * i / steps,
                     drag->from_y + (drag->to_y - drag->from_y) * i / steps, err) ||
            !call_script(page, drag, "target", "step", &answer, err) ||
            !read_moved(page, drag, answer, &moved, err)) {
            return false;
        }
        /*
         * The dragged element has passed the target, or a gap before the target has closed. A
         * target that it pushes along makes room for it: then the destination stays.
         */
        if (i < steps && moved.x * (to_x - drag->from_x) + moved.y * (to_y - drag->from_y) < 0) {
            drag->to_x = to_x + moved.x;
            drag->to_y = to_y + moved.y;
        }
    }
    /* A frame of another process has not seen the drag enter. */
    if (drag->is_native && element_frame(page, &drag->source) != element_frame(page, &drag->end) &&
        !dispatch(page, drag, ENTER, err)) {
        return false;
    }
    /* Pages decide by the last of these events whether they accept the drop. */
    return dispatch(page, drag, MOVE, err) && await_rest(page, drag, err);
}

/*
 * Checks whether the page reacted to the mouse moving between the places with the button pressed.
 * Adds to the result.
 */
static bool check_mouse(struct page *page, const struct drag *drag, const json_t *source,
                        const json_t *target, json_t *result, struct br_error *err)
{
    static const char handle[] = "the draggable part may be inside it, such as a handle";
    static const char hold[] = "what waits for a longer press takes hold, such as 500";
    if (json_member_bool(source, "isDraggable", false) && strcmp(drag->button, "left") == 0 &&
        !json_member_bool(source, "hasBegun", false)) {
        return error_set(err, BR_TARGET_OBSCURED, "the drag at %g,%g did not begin", drag->from_x,
                         drag->from_y);
    }
    if (!json_member_bool(target, "isReleased", false) &&
        !json_member_bool(source, "isReleased", false)) {
        return error_set(err, BR_TARGET_OBSCURED, "the page did not receive the end of the drag");
    }
    if (json_member_bool(source, "isReacting", false) ||
        json_member_bool(target, "isReacting", false)) {
        return true;
    }
    if (json_member_bool(source, "hasSelected", false)) {
        page_log(page, BR_LOG_INFO, "drag", "the drag has selected text and changed nothing: %s",
                 drag->hold_ms ? handle : hold);
        json_object_set_new(result, "onlySelected", json_true());
        return true;
    }
    bool is_taken = json_member_bool(source, "isTaken", false);
    error_set(err, BR_TARGET_DISABLED, "nothing has changed by the drag from %g,%g to %g,%g%s",
              drag->from_x, drag->from_y, mouse_at(page).x, mouse_at(page).y,
              json_member_bool(source, "isPrevented", false) ? ": the page has prevented its start"
              : is_taken ? ": the page has handled the press, but does nothing with it"
                         : "");
    return error_hint(err, "%s%s%s", handle, drag->hold_ms ? "" : "; ", drag->hold_ms ? "" : hold);
}

static bool check_drop(const struct page *page, const json_t *target, struct br_error *err)
{
    if (json_member_bool(target, "isDropped", false)) {
        return true;
    }
    if (json_member_bool(target, "isDroppedElsewhere", false)) {
        return error_set(err, BR_TARGET_OBSCURED, "the drop came to another element at %g,%g",
                         mouse_at(page).x, mouse_at(page).y);
    }
    error_set(err, BR_TARGET_DISABLED, "nothing accepted the drop at %g,%g", mouse_at(page).x,
              mouse_at(page).y);
    return error_hint(err, "a page accepts drops in its handler of dragover");
}

/* Checks whether and where the drop arrived; a document that was left by it cannot tell. */
static bool check_end(struct page *page, const struct drag *drag, json_t **ret_result,
                      struct br_error *err)
{
    json_auto_t *source = NULL;
    json_auto_t *target = NULL;
    bool is_told = call_script(page, drag, "target", "end", &target, err) &&
                   call_script(page, drag, "source", "end", &source, err);
    if (!is_told && !frame_has_gone(page, err)) {
        return false;
    }
    const json_t *receiver = json_object_get(target, "receiver");
    *ret_result = json_pack("{s:o, s:o, s:O*, s:O*}", "x", json_number(mouse_at(page).x, 100), "y",
                            json_number(mouse_at(page).y, 100), "receiver", receiver, "source",
                            json_object_get(source, "source"));
    if (!is_told || json_member_bool(target, "isLeft", false) ||
        json_member_bool(source, "isLeft", false)) {
        return true;
    }
    return drag->is_native ? check_drop(page, target, err)
                           : check_mouse(page, drag, source, target, *ret_result, err);
}

static void stop_intercepting(struct page *page)
{
    page_post(page, "Input.setInterceptDrags", json_pack("{s:b}", "enabled", 0));
    json_decref(page->drag_data);
    page->drag_data = NULL;
}

/* Drags from pressing the button on; the button is released in any case. */
static bool press_and_drag(struct page *page, struct drag *drag, int steps, json_t **ret_result,
                           struct br_error *err)
{
    struct br_error later;
    page_act(page);
    bool is_moved = dispatch(page, drag, PRESS, err) &&
                    (drag->hold_ms == 0 || page_pause(page, drag->hold_ms, err)) &&
                    begin(page, drag, err) && find_target(page, drag, err) &&
                    watch(page, drag, "target", err) && move(page, drag, steps, err);
    show_mouse(page, is_moved);
    bool is_sent;
    bool is_released =
        release(page, drag, is_moved ? DROP : CANCEL, &is_sent, is_moved ? err : &later);
    if (!is_sent) {
        cancel_drag(page, drag);
    }
    return is_moved && is_released && check_end(page, drag, ret_result, err);
}

bool page_drag(struct page *page, const struct page_target *source,
               const struct page_click *source_place, const struct page_target *target,
               const struct page_click *target_place, const struct page_drag_manner *manner,
               json_t **ret_result, struct br_error *err)
{
    const int steps = manner->steps;
    struct drag drag = { .target = target,
                         .place = target_place,
                         .hold_ms = manner->hold_ms,
                         .button = source_place->button,
                         .modifiers = source_place->modifiers,
                         .pace_ms = steps > MOVE_MS / PACE_MS ? MOVE_MS / steps : PACE_MS };
    /* Both must exist before the button is pressed; either may scroll the other away. */
    bool is_done =
        find_target(page, &drag, err) &&
        input_hover(page, source, source_place, &drag.source, err) &&
        page_command(page, "Input.setInterceptDrags", json_pack("{s:b}", "enabled", 1), NULL, err);
    if (is_done) {
        drag.from_x = mouse_at(page).x;
        drag.from_y = mouse_at(page).y;
        is_done = watch(page, &drag, "source", err) &&
                  press_and_drag(page, &drag, steps, ret_result, err);
        stop_intercepting(page);
    }
    element_finish(&drag.source);
    element_finish(&drag.end);
    return is_done;
}

bool drag_on_event(struct page *page, const char *method, const json_t *params)
{
    if (strcmp(method, "Input.dragIntercepted") != 0) {
        return false;
    }
    json_decref(page->drag_data);
    page->drag_data = json_incref(json_object_get(params, "data"));
    return true;
}

void drag_finish(struct page *page)
{
    json_decref(page->drag_data);
}
