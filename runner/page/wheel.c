#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/input.h"
#include "runner/page/scripts.h"

/* Where the mouse is, in the frame that the element is in. */
struct wheel_place {
    struct frame *frame;
    double x, y;
};

static bool call_script(struct page *page, const char *phase, const struct wheel_place *place,
                        json_t **ret_answer, struct br_error *err)
{
    json_auto_t *argument =
        json_pack("{s:s, s:f, s:f}", "phase", phase, "x", place->x, "y", place->y);
    return frame_call(page, place->frame, script_wheel, argument, NULL, ret_answer, err);
}

static bool turn(struct page *page, const struct page_wheel *wheel, struct br_error *err)
{
    page_act(page);
    return page_command(page, "Input.dispatchMouseEvent",
                        json_pack("{s:s, s:f, s:f, s:f, s:f, s:i}", "type", "mouseWheel", "x",
                                  page->mouse_x, "y", page->mouse_y, "deltaX", wheel->delta_x,
                                  "deltaY", wheel->delta_y, "modifiers", wheel->modifiers),
                        NULL, err);
}

static bool nothing_happened(const struct page *page, const json_t *answer, struct br_error *err)
{
    error_set(err, BR_TARGET_DISABLED,
              "nothing took the wheel at %g,%g, where %s is: nothing was scrolled", page->mouse_x,
              page->mouse_y, json_member_string(answer, "over"));
    return error_hint(err, "it may be at its end already, or something else scrolls");
}

bool page_wheel(struct page *page, const struct page_target *target, const struct page_click *place,
                const struct page_wheel *wheel, json_t **ret_result, struct br_error *err)
{
    json_auto_t *nothing = NULL;
    json_auto_t *answer = NULL;
    struct br_error ignored;
    if (!page_hover(page, target, place, err)) {
        return false;
    }
    struct wheel_place at = { page->frames, page->mouse_x, page->mouse_y };
    if (page_target_is_element(target) && frame_acting(page) != page->frames) {
        at.frame = frame_acting(page);
        at.x = page->inner_x;
        at.y = page->inner_y;
    }
    if (!call_script(page, "watch", &at, &nothing, err) || !turn(page, wheel, err)) {
        return false;
    }
    if (!call_script(page, "end", &at, &answer, &ignored)) {
        return true; /* the page has gone on to another one by it */
    }
    const json_t *scrolled = json_object_get(answer, "scrolled");
    bool is_handled = json_member_bool(answer, "isHandled", false);
    if (!is_handled && !json_array_size(scrolled) &&
        !json_member_bool(answer, "isUnknown", false)) {
        return nothing_happened(page, answer, err);
    }
    *ret_result = json_pack("{s:b, s:O*}", "handled", is_handled, "scrolled", scrolled);
    return true;
}
