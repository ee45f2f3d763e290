#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/form.h"
#include "runner/page/element/named.h"

static const struct param params[] = {
    PARAM("checked", BOOLEAN, "False unchecks.", .default_value = "true"),
    { 0 },
};

static bool run_check(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_mark before = page_mark(run->page);
    return page_check(run->page, &target, param_boolean(run->action, "checked", true), err) &&
           action_settle(run, before, false, err);
}

const struct action_type action_check = {
    .name = "check",
    .text = "Sets a checkbox, radio button or switch to a state; clicks it only if it is in the "
            "other one.",
    .params = params,
    .names = NAMES_ELEMENT,
    .run = run_check,
};
