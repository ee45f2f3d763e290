#include "runner/actions/actions.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"
#include "runner/page/picture/verify.h"

#include "runner/base/json.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    { .name = "button", .kind = PARAM_CHOICE, .choices = button_choices },
    { .name = "clickCount", .kind = PARAM_INTEGER, .min = 1, .max = 3 },
    { .name = "modifiers", .kind = PARAM_CHOICES, .choices = modifier_choices },
    { .name = "position", .kind = PARAM_POINT },
    { .name = "waitForNavigation", .kind = PARAM_BOOLEAN },
    { .name = "visualVerify", .kind = PARAM_BOOLEAN },
    { .name = "visualThreshold", .kind = PARAM_NUMBER, .min = 0, .max = 1 },
    { .name = "visualSeed", .kind = PARAM_INTEGER, .min = 0, .max = UINT32_MAX },
    { 0 },
};

/* The parameters of a verification that is not asked for are a mistake. */
static bool check_click(const struct br_action *action, struct br_error *err)
{
    static const char *const names[] = { "visualThreshold", "visualSeed" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (param_is_given(action, names[i]) && !param_boolean(action, "visualVerify", false)) {
            return param_error(action, names[i], err, "needs visualVerify");
        }
    }
    return action_check_place(action, err);
}

static bool click_verified(struct action_run *run, const struct page_target *target,
                           const struct page_click *click, struct br_error *err)
{
    struct page_verify verify = {
        .threshold = param_number(run->action, "visualThreshold", 0),
        .seed = (uint32_t)param_integer(run->action, "visualSeed", arc4random()),
    };
    return page_click_verified(run->page, target, click, &verify, err);
}

static bool run_click(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_click click = action_click_place(run->action);
    click.button = param_text(run->action, "button", click.button);
    click.count = (int)param_integer(run->action, "clickCount", click.count);
    click.modifiers = action_modifier_bits(run->action);
    bool must_navigate = param_boolean(run->action, "waitForNavigation", false);
    struct page_mark before = page_mark(run->page);
    bool is_verified = param_boolean(run->action, "visualVerify", false);
    return (is_verified ? click_verified(run, &target, &click, err)
                        : page_click(run->page, &target, &click, err)) &&
           action_settle(run, before, must_navigate, err);
}

const struct action_type action_click = {
    .name = "click",
    .params = params,
    .names = NAMES_PLACE,
    .validate = check_click,
    .run = run_click,
};
