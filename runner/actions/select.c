#include "runner/actions/actions.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/form.h"
#include "runner/page/element/named.h"

#include "runner/base/error.h"

enum { MAX_OPTIONS = 100000 };

/* `label`, which every action has, is here the option's. */
static const struct param params[] = {
    { .name = "value", .kind = PARAM_TEXTS },
    { .name = "label", .kind = PARAM_TEXTS },
    { .name = "index", .kind = PARAM_INTEGERS, .min = 0, .max = MAX_OPTIONS },
    { 0 },
};

/* What names the options; NULL: nothing does. value and index come before label. */
static const char *choice_of(const struct br_action *action)
{
    static const char *const ways[] = { "value", "index", "label" };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (param_is_given(action, ways[i])) {
            return ways[i];
        }
    }
    return NULL;
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    if (param_is_given(action, "value") && param_is_given(action, "index")) {
        return param_error(action, NULL, err, "takes one of value, label, index; not several");
    }
    if (choice_of(action) || param_is_given(action, "node")) {
        return true;
    }
    param_error(action, NULL, err, "needs value, label or index of an option");
    return error_hint(err, "or the node of the option itself, as a snapshot in JSON has it");
}

static bool run_select(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    struct page_target target;
    json_auto_t *selected = NULL;
    if (!action_find_target(run, action, &target, err)) {
        return false;
    }
    const char *by = choice_of(action);
    json_t *named = by ? json_object_get(action->params, by) : NULL;
    json_auto_t *wanted = json_is_array(named) ? json_incref(named) : json_pack("[O*]", named);
    struct page_choice choice = { .by = by, .wanted = wanted };
    struct page_mark before = page_mark(run->page);
    if (!page_select(run->page, &target, &choice, &selected, err)) {
        return false;
    }
    if (selected) {
        json_auto_t *result = json_pack("{s:O}", "selected", selected);
        run->response->result = json_dumps(result, JSON_COMPACT);
    }
    return action_settle(run, before, false, err);
}

const struct action_type action_select = {
    .name = "select",
    .params = params,
    .names = NAMES_ELEMENT,
    .validate = validate,
    .run = run_select,
};
