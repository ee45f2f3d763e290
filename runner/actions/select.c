#include "runner/actions/actions.h"

#include "runner/base/error.h"

enum { MAX_OPTIONS = 100000 };

/* `label`, which every action has, is here the option's. */
static const struct param params[] = {
    { .name = "value", .kind = PARAM_TEXT },
    { .name = "index", .kind = PARAM_INTEGER, .min = 0, .max = MAX_OPTIONS },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    bool has_value = param_is_given(action, "value");
    bool has_index = param_is_given(action, "index");
    if (has_value && has_index) {
        return param_error(action, NULL, err, "takes one of value, label, index; not several");
    }
    if (has_value || has_index || param_is_given(action, "label") ||
        param_is_given(action, "node")) {
        return true;
    }
    param_error(action, NULL, err, "needs value, label or index of an option");
    return error_hint(err, "or the node of the option itself, as a snapshot in JSON has it");
}

static bool run_select(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    struct page_target target;
    if (!action_find_target(run, action, &target, err)) {
        return false;
    }
    bool has_index = param_is_given(action, "index");
    struct page_choice choice = {
        .value = param_text(action, "value", NULL),
        .label = has_index ? NULL : param_text(action, "label", NULL),
        .index = (int)param_integer(action, "index", PAGE_NO_INDEX),
    };
    struct page_mark before = page_mark(run->page);
    return page_select(run->page, &target, &choice, err) && action_settle(run, before, false, err);
}

const struct action_type action_select = {
    .name = "select",
    .params = params,
    .names = NAMES_ELEMENT,
    .validate = validate,
    .run = run_select,
};
