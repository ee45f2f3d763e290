#include "runner/page/element/drop.h"

#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/input.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/show.h"

enum { COPY = 1 /* in the protocol's DragData.dragOperationsMask */ };

static bool call_script(struct page *page, const struct element *area, const char *phase,
                        json_t **ret_answer, struct br_error *err)
{
    json_auto_t *argument = json_pack("{s:s}", "phase", phase);
    return frame_call(page, element_frame(page, area), script_drop, argument, NULL, ret_answer,
                      err);
}

static bool dispatch(struct page *page, const char *type, const json_t *paths, struct br_error *err)
{
    return page_command(page, "Input.dispatchDragEvent",
                        json_pack("{s:s, s:f, s:f, s:{s:[], s:O, s:i}}", "type", type, "x",
                                  mouse_at(page).x, "y", mouse_at(page).y, "data", "items", "files",
                                  paths, "dragOperationsMask", COPY),
                        NULL, err);
}

static bool fail_untaken(const struct page *page, struct br_error *err)
{
    error_set(err, BR_TARGET_DISABLED, "nothing accepts dropped files at %g,%g", mouse_at(page).x,
              mouse_at(page).y);
    return error_hint(err, "if a click on it opens a file chooser, `click` it, and answer with "
                           "`upload` without an element");
}

bool drop_files(struct page *page, const struct page_target *target, const json_t *paths,
                struct br_error *err)
{
    CLEANUP_ELEMENT struct element area = { 0 };
    struct page_click place = { .button = "left", .count = 1 };
    json_auto_t *watched = NULL;
    json_auto_t *over = NULL;
    json_auto_t *end = NULL;
    struct br_error later;
    page_act(page);
    /* Pages decide by the last move over them. */
    if (!input_hover(page, target, &place, &area, err) ||
        !call_script(page, &area, "watch", &watched, err) ||
        !dispatch(page, "dragEnter", paths, err) || !dispatch(page, "dragOver", paths, err) ||
        !dispatch(page, "dragOver", paths, err) || !call_script(page, &area, "over", &over, err)) {
        return false;
    }
    show_mouse(page, true);
    if (!json_member_bool(over, "isTaken", false)) {
        dispatch(page, "dragCancel", paths, &later);
        return fail_untaken(page, err);
    }
    if (!dispatch(page, "drop", paths, err)) {
        return false;
    }
    if (!call_script(page, &area, "end", &end, err)) {
        return frame_has_gone(page, err);
    }
    return json_member_bool(end, "isTaken", true) || fail_untaken(page, err);
}
