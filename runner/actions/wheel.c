#include "runner/page/element/wheel.h"
#include "runner/actions/actions.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

#include "runner/base/json.h"

#include <stdlib.h>

enum { MAX_DELTA = 100000 };

static const struct param params[] = {
    { .name = "deltaX", .kind = PARAM_NUMBER, .min = -MAX_DELTA, .max = MAX_DELTA },
    { .name = "deltaY", .kind = PARAM_NUMBER, .min = -MAX_DELTA, .max = MAX_DELTA },
    { .name = "modifiers", .kind = PARAM_CHOICES, .choices = modifier_choices },
    { .name = "position", .kind = PARAM_POINT },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    if (param_number(action, "deltaX", 0) == 0 && param_number(action, "deltaY", 0) == 0) {
        return param_error(action, NULL, err, "needs a deltaX or a deltaY that is not 0");
    }
    return action_check_place(action, err);
}

static bool run_wheel(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    json_auto_t *result = NULL;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_click place = action_click_place(run->action);
    struct page_wheel wheel = {
        .delta_x = param_number(run->action, "deltaX", 0),
        .delta_y = param_number(run->action, "deltaY", 0),
        .modifiers = action_modifier_bits(run->action),
    };
    struct page_mark before = page_mark(run->page);
    bool is_done = page_wheel(run->page, &target, &place, &wheel, &result, err);
    run->response->result = result ? json_dumps(result, JSON_COMPACT) : NULL;
    return is_done && action_settle(run, before, false, err);
}

const struct action_type action_wheel = {
    .name = "wheel",
    .params = params,
    .names = NAMES_PLACE,
    .validate = validate,
    .run = run_wheel,
};
