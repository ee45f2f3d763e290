#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/keyboard.h"
#include "runner/page/element/named.h"
#include "runner/page/element/typing.h"

#include <string.h>

static const struct param params[] = {
    PARAM("text", TEXT, "The text to type, including line breaks.", .is_required = true),
    PARAM("clear", BOOLEAN, "True: empties the field first.", .default_value = "false"),
    PARAM("delay", INTEGER, "Milliseconds between two characters.", .min = 0, .max = 10000,
          .is_rare = true),
    PARAM("pressEnter", BOOLEAN, "True: presses Enter afterwards.", .default_value = "false"),
    PARAM("change", BOOLEAN,
          "True: fires the field's change event afterwards, instead of when it loses the focus.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ANY, "@element xRange x", .when = "clear", .is = "true", .about = "clear",
      .text = "needs a target to clear" },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    bool does_nothing = *param_text(action, "text", "") == '\0' &&
                        !param_boolean(action, "clear", false) &&
                        !param_boolean(action, "pressEnter", false);
    return !does_nothing ||
           param_error(action, "text", err, "is empty, and neither clear nor pressEnter is set");
}

/* Focuses the target: an element directly, a point by a click on it. */
static bool focus(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_click click = { .button = "left", .count = 1 };
    bool is_cleared = param_boolean(run->action, "clear", false);
    if (!action_names_target(run->action)) {
        return true;
    }
    if (page_target_is_element(&target)) {
        return page_focus(run->page, &target, true, is_cleared, err);
    }
    return page_click(run->page, &target, &click, err) &&
           (!is_cleared ||
            (page_press(run->page, "Control+A", err) && page_press(run->page, "Delete", err)));
}

static bool run_type(struct action_run *run, struct br_error *err)
{
    const char *text = param_text(run->action, "text", "");
    struct page_mark before = page_mark(run->page);
    return focus(run, err) &&
           (!*text || page_type(run->page, text, param_integer(run->action, "delay", 0), err)) &&
           (!param_boolean(run->action, "pressEnter", false) ||
            page_press(run->page, "Enter", err)) &&
           (!param_boolean(run->action, "change", false) || typing_commit(run->page, err)) &&
           action_settle(run, before, false, err);
}

const struct action_type action_type_text = {
    .name = "type",
    .text = "Types a text into an element, or where the cursor is.",
    .params = params,
    .rules = rules,
    .names = NAMES_PLACE_OR_NOTHING,
    .word_kind = "field",
    .validate = validate,
    .run = run_type,
};
