#include "runner/page/element/wait.h"
#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

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
    PARAM("state", CHOICE, "The state of the element to wait for.", .choices = states,
          .default_value = "visible", .is_rare = true),
    PARAM("text", NAME, "Waits until this text is visible."),
    PARAM("url", NAME, "Waits until the page has this URL."),
    PARAM("expression", NAME, "Waits until this JavaScript expression is true.", .use = USE_SCRIPT),
    PARAM("networkIdle", BOOLEAN, "Waits until no request is pending."),
    PARAM("ms", INTEGER, "Waits for this many milliseconds.", .min = 0, .max = MAX_WAIT_MS),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "networkIdle", .when = "networkIdle", .is = "false",
      .text = "is false: there is nothing to wait for", .hint = "write it as true, or omit it" },
    { RULE_ONE, "@element text url expression networkIdle ms",
      .text = "takes one of node, selector, element, testId, role, targets, text, url, "
              "expression, networkIdle, ms" },
    { RULE_ANY, "@element", .when = "state", .about = "state",
      .text = "is the state of an element, but none is named" },
    { 0 },
};

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
    .text = "Waits for exactly one thing.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .run = run_wait,
};
