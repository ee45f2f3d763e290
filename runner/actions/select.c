#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/base/response.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/form.h"
#include "runner/page/element/named.h"

enum { MAX_OPTIONS = 100000 };

/* `label` exists for every action; here it is the option's. */
static const struct param params[] = {
    PARAM("value", TEXTS, "The option's value; or an array of values."),
    PARAM("option", TEXTS, "The option's label, or else its value; or an array of these.",
          .is_rare = true),
    PARAM("label", TEXTS,
          "The option's label, if neither value nor index is given; or an array of labels."),
    PARAM("index", INTEGERS, "The option's number, counted from 0; or an array of numbers.",
          .min = 0, .max = MAX_OPTIONS),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_AT_MOST_ONE, "value index option",
      .text = "takes only one of value, label, index and option" },
    { RULE_ANY, "value label index option node", .text = "needs value, label or index of an option",
      .hint = "or the node of the option itself, from a snapshot in JSON" },
    { 0 },
};

/*
 * Returns the parameter that names the options; NULL: none. The others have precedence over label.
 */
static const char *choice_of(const struct br_action *action)
{
    static const char *const ways[] = { "value", "index", "option", "label" };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (param_is_given(action, ways[i])) {
            return ways[i];
        }
    }
    return NULL;
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
        response_set_result(run->response, json_pack("{s:O}", "selected", selected));
    }
    return action_settle(run, before, false, err);
}

const struct action_type action_select = {
    .name = "select",
    .text =
        "Chooses an option of a list (a select element): by value, label or index, or the node of "
        "the option itself. In a multiple list, exactly the named options are chosen afterwards.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT,
    .word_kind = "combobox",
    .run = run_select,
};
