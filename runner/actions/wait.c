#include "runner/page/element/wait.h"
#include "runner/actions/actions.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

#include "runner/base/error.h"

#include <string.h>

enum { MAX_WAIT_MS = 60 * 60 * 1000 };

static const char *const states[] = {
    [PAGE_VISIBLE] = "visible",
    [PAGE_HIDDEN] = "hidden",
    [PAGE_ATTACHED] = "attached",
    [PAGE_DETACHED] = "detached",
    NULL,
};

static const struct param params[] = {
    { .name = "state", .kind = PARAM_CHOICE, .choices = states },
    { .name = "text", .kind = PARAM_NAME },
    { .name = "url", .kind = PARAM_NAME },
    { .name = "expression", .kind = PARAM_NAME, .use = USE_SCRIPT },
    { .name = "networkIdle", .kind = PARAM_BOOLEAN },
    { .name = "ms", .kind = PARAM_INTEGER, .min = 0, .max = MAX_WAIT_MS },
    { 0 },
};

static const char *const conditions[] = { "text", "url", "expression", "networkIdle", "ms" };

static bool validate(const struct br_action *action, struct br_error *err)
{
    int given = action_names_element(action);
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        given += param_is_given(action, conditions[i]);
    }
    if (given != 1) {
        return param_error(
            action, NULL, err,
            "takes one of node, selector, testId, role, targets, text, url, expression, "
            "networkIdle, ms");
    }
    if (param_is_given(action, "networkIdle") && !param_boolean(action, "networkIdle", true)) {
        param_error(action, "networkIdle", err, "is false: there is nothing to wait for");
        return error_hint(err, "write it as true, or leave it out");
    }
    return !param_is_given(action, "state") || action_names_element(action) ||
           param_error(action, "state", err, "is that of an element, and none is named");
}

static bool run_wait(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    const char *text = param_text(action, "text", NULL);
    const char *url = param_text(action, "url", NULL);
    const char *expression = param_text(action, "expression", NULL);
    if (action_names_element(action)) {
        struct page_target target;
        int state = param_choice(action, "state", states, PAGE_VISIBLE);
        if (!action_find_target(run, action, &target, err)) {
            return err->code == BR_STALE_NODE && (state == PAGE_HIDDEN || state == PAGE_DETACHED);
        }
        return page_wait_element(run->page, &target, (enum page_element_state)state, err);
    }
    if (text) {
        return page_wait_text(run->page, text, err);
    }
    if (url) {
        return page_wait_url(run->page, url, err);
    }
    if (expression) {
        return page_wait_expression(run->page, expression, err);
    }
    if (param_boolean(action, "networkIdle", false)) {
        return page_wait_network_idle(run->page, 0, err);
    }
    return page_pause(run->page, param_integer(action, "ms", 0), err);
}

const struct action_type action_wait = {
    .name = "wait",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .validate = validate,
    .run = run_wait,
};
