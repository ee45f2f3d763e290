#include "runner/actions/actions.h"

#include "runner/base/json.h"

static const struct param params[] = {
    { .name = "position", .kind = PARAM_POINT },
    { 0 },
};

static bool run_hover(struct action_run *run, struct br_error *err)
{
    struct page_target target = action_target(run->action);
    const json_t *position = json_object_get(run->action->params, "position");
    struct page_click place = {
        .has_offset = position,
        .x = json_member_number(position, "x", 0),
        .y = json_member_number(position, "y", 0),
    };
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
