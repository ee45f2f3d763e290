#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

static const struct param params[] = {
    PARAM("position", POINT, NULL, .is_rare = true),
    { 0 },
};

static bool run_hover(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_click place = action_click_place(run->action);
    struct page_mark before = page_mark(run->page);
    return page_hover(run->page, &target, &place, err) && action_settle(run, before, false, err);
}

const struct action_type action_hover = {
    .name = "hover",
    .text =
        "Moves the mouse to an element, a point, or a point within ranges, and leaves it there.",
    .params = params,
    .names = NAMES_PLACE,
    .run = run_hover,
};
