#include "runner/page/element/drag.h"
#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/actions/shared_params.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1000, USUAL_STEPS = 10, MAX_HOLD_MS = 10000 };

static const struct param params[] = {
    PARAM("to", TARGET, "The destination: an element or a place, named like any other.",
          .is_required = true),
    PARAM("position", POINT, NULL, .is_rare = true),
    PARAM("button", CHOICE,
          "The mouse button to hold; the browser's drag and drop works with the left one.",
          .choices = button_choices, .default_value = "left", .is_rare = true),
    PARAM("modifiers", CHOICES, "Keys held down.", .choices = modifier_choices, .is_rare = true),
    PARAM("hold", INTEGER,
          "Milliseconds to hold the button before the first move, for pages that wait for a long "
          "press.",
          .min = 0, .max = MAX_HOLD_MS, .default_value = "0", .example = "500", .is_rare = true),
    PARAM("steps", INTEGER, "Number of mouse moves to the destination.", .min = 1, .max = MAX_STEPS,
          .default_value = "10", .is_rare = true),
    { 0 },
};

/* Parses the destination; NULL with an error. */
static struct br_action *parse_to(const struct br_action *action, struct br_error *err)
{
    return naming_parse(action, "to", json_object_get(action->params, "to"),
                        "write it as {\"selector\": \"#basket\"}", err);
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *to = NULL;
    return (to = parse_to(action, err));
}

static bool run_drag(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    CLEANUP_ACTION struct br_action *to = parse_to(action, err);
    if (!to) {
        return false;
    }
    struct page_target source;
    struct page_target target;
    if (!action_find_target(run, action, &source, err) ||
        !action_find_target(run, to, &target, err)) {
        return false;
    }
    struct page_click source_place = action_click_place(action);
    source_place.button = param_text(action, "button", source_place.button);
    source_place.modifiers = action_modifier_bits(action);
    struct page_click target_place = action_click_place(to);
    struct page_drag_manner manner = {
        .hold_ms = (int)param_integer(action, "hold", 0),
        .steps = (int)param_integer(action, "steps", USUAL_STEPS),
    };
    struct page_mark before = page_mark(run->page);
    target.patience_ms = source.patience_ms;
    target.ignores_no_ai |= source.ignores_no_ai;
    json_t *result = NULL;
    bool is_done =
        page_drag(run->page, &source, &source_place, &target, &target_place, &manner, &result, err);
    response_set_result(run->response, result);
    return is_done && action_settle(run, before, false, err);
}

const struct action_type action_drag = {
    .name = "drag",
    .text = "Drags an element, or what is at a place, to another one: with the browser's drag and "
            "drop if the page starts that, otherwise with the mouse alone.",
    .params = params,
    .names = NAMES_PLACE,
    .validate = validate,
    .run = run_drag,
};
