#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"
#include "runner/page/element/target.h"

#include <stdlib.h>
#include <string.h>

enum direction { DOWN, UP, RIGHT, LEFT };
static const char *const directions[] = {
    [DOWN] = "down", [UP] = "up", [RIGHT] = "right", [LEFT] = "left", NULL,
};
static const char *const modes[] = { "delta", "absolute", NULL };

static const struct param params[] = {
    PARAM("direction", CHOICE, "Scrolls by one viewport in this direction.", .choices = directions,
          .default_value = "down"),
    PARAM("x", NUMBER, "Horizontal, in CSS pixels."),
    PARAM("y", NUMBER, "Vertical, in CSS pixels."),
    PARAM("mode", CHOICE, "delta: x and y are a distance; absolute: they are a position.",
          .choices = modes, .default_value = "delta"),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_AT_MOST_ONE, "direction x", .text = "takes a direction, or x and y; not both" },
    { RULE_AT_MOST_ONE, "direction y", .text = "takes a direction, or x and y; not both" },
    { RULE_ANY, "x y", .when = "mode", .about = "mode",
      .text = "is about x and y, which are missing" },
    { 0 },
};

static bool has_place(const struct br_action *action)
{
    return param_is_given(action, "x") || param_is_given(action, "y");
}

/* Loops scroll until nothing moves to find the end: that is reported, but not as a failure. */
static bool report(struct action_run *run, const struct page_scroll *scroll,
                   const struct page_scrolled *scrolled, struct br_error *err)
{
    if (scrolled->is_stuck && scroll->is_delta) {
        error_set(err, BR_TARGET_DISABLED, "%s cannot be scrolled that way: all of it is shown",
                  scrolled->name);
        return error_hint(err, "name the element that scrolls");
    }
    if (scrolled->moved == 0) {
        log_tool(run->logs, BR_LOG_WARNING, "scroll", "nothing moved: it is %s",
                 scrolled->is_at_end ? "at the end" : "there already");
    }
    if (!scroll->is_into_view) {
        response_set_result(run->response,
                            json_pack("{s:o, s:o, s:b}", "x", json_number(scrolled->x, 100), "y",
                                      json_number(scrolled->y, 100), "atEnd", scrolled->is_at_end));
    }
    return true;
}

static bool run_scroll(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    struct page_target target;
    if (!action_find_target(run, action, &target, err)) {
        return false;
    }
    struct page_scroll scroll = {
        .is_delta = strcmp(param_text(action, "mode", "delta"), "delta") == 0,
        .x = param_number(action, "x", 0),
        .y = param_number(action, "y", 0),
    };
    scroll.is_into_view =
        action_names_element(action) && !has_place(action) && !param_is_given(action, "direction");
    if (!has_place(action)) {
        double width = 0;
        double height = 0;
        wire_viewport(run->page, &width, &height);
        int direction = param_choice(action, "direction", directions, DOWN);
        scroll.x = direction == RIGHT ? width : direction == LEFT ? -width : 0;
        scroll.y = direction == DOWN ? height : direction == UP ? -height : 0;
    }
    struct page_scrolled scrolled;
    return page_scroll(run->page, &target, &scroll, &scrolled, err) &&
           report(run, &scroll, &scrolled, err);
}

const struct action_type action_scroll = {
    .name = "scroll",
    .text = "Scrolls the page or the element: to an element, by one viewport, by a distance, or to "
            "a position.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .run = run_scroll,
};
