#include "runner/page/element/wheel.h"
#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

#include <stdlib.h>

enum { MAX_DELTA = 100000 };

static const struct param params[] = {
    PARAM("deltaX", NUMBER, "To the right, in CSS pixels. It or deltaY is required.",
          .min = -MAX_DELTA, .max = MAX_DELTA),
    PARAM("deltaY", NUMBER, "Down, in CSS pixels; one notch of a wheel is about 100.",
          .min = -MAX_DELTA, .max = MAX_DELTA),
    PARAM("modifiers", CHOICES, "Keys held down.", .choices = modifier_choices, .is_rare = true),
    PARAM("position", POINT, NULL, .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ANY, "deltaX deltaY", .text = "needs a deltaX or a deltaY that is not 0" },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    return param_number(action, "deltaX", 0) != 0 || param_number(action, "deltaY", 0) != 0 ||
           param_error(action, NULL, err, "needs a deltaX or a deltaY that is not 0");
}

static bool run_wheel(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    json_t *result = NULL;
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
    response_set_result(run->response, result);
    return is_done && action_settle(run, before, false, err);
}

const struct action_type action_wheel = {
    .name = "wheel",
    .text = "Turns the mouse wheel over an element or a place: scrolls what is there, unless the "
            "page handles the wheel itself, as maps do.",
    .params = params,
    .rules = rules,
    .names = NAMES_PLACE,
    .is_rare = true,
    .validate = validate,
    .run = run_wheel,
};
