#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"
#include "runner/page/picture/verify.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    PARAM("button", CHOICE, "The mouse button.", .choices = button_choices,
          .default_value = "left"),
    PARAM("clickCount", INTEGER, "2 is a double click.", .min = 1, .max = 3, .default_value = "1"),
    PARAM("modifiers", CHOICES, "Keys held down.", .choices = modifier_choices, .is_rare = true),
    PARAM("position", POINT, NULL, .is_rare = true),
    PARAM("scrollIntoView", BOOLEAN,
          "False: does not scroll; an element that is not in view is TARGET_NOT_VISIBLE.",
          .default_value = "true", .is_rare = true),
    PARAM("waitForNavigation", BOOLEAN,
          "True: the action waits until the page that the click leads to has loaded.",
          .default_value = "false", .is_rare = true),
    PARAM("visualVerify", BOOLEAN,
          "True: the page has to look different after the click. Clicks up to 3 times for that: in "
          "the middle first, then at random points of the element or range. If the page stays the "
          "same, the action fails with NO_VISUAL_CHANGE. Motion of its own, the caret and hover "
          "effects do not count.",
          .default_value = "false", .is_rare = true),
    PARAM("visualThreshold", NUMBER,
          "With visualVerify: the fraction of all pixels of the viewport that has to change. "
          "Without it, any change counts.",
          .min = 0, .max = 1, .example = "0.01", .is_rare = true),
    PARAM("visualSeed", INTEGER,
          "With visualVerify: the seed of the random points, for repeating a run; the log of each "
          "click has it.",
          .min = 0, .max = UINT32_MAX, .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "visualThreshold visualSeed", .when = "visualVerify", .is = "false",
      .text = "needs visualVerify" },
    { 0 },
};

/* Verification parameters without `verify` are an error. */
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
    click.stays_put = !param_boolean(run->action, "scrollIntoView", true);
    bool must_navigate = param_boolean(run->action, "waitForNavigation", false);
    struct page_mark before = page_mark(run->page);
    bool is_verified = param_boolean(run->action, "visualVerify", false);
    return (is_verified ? click_verified(run, &target, &click, err)
                        : page_click(run->page, &target, &click, err)) &&
           action_settle(run, before, must_navigate, err);
}

const struct action_type action_click = {
    .name = "click",
    .text = "Clicks an element, a point, or a point within ranges.",
    .params = params,
    .names = NAMES_PLACE,
    .rules = rules,
    .run = run_click,
};
