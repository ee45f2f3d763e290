#include "runner/actions/actions.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

static const struct param params[] = {
    { .name = "position", .kind = PARAM_POINT },
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
    .params = params,
    .names = NAMES_PLACE,
    .validate = action_check_place,
    .run = run_hover,
};
