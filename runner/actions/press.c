#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/input.h"
#include "runner/page/element/keyboard.h"
#include "runner/page/element/named.h"

static const struct param params[] = {
    PARAM("key", KEYS, "The key's name, after the names of keys to hold down.", .is_required = true,
          .example = "Enter"),
    { 0 },
};

static bool run_press(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    struct page_click click = { .button = "left", .count = 1 };
    struct page_mark before = page_mark(run->page);
    bool has_focus =
        !action_names_target(run->action) ||
        (page_target_is_element(&target) ? page_focus(run->page, &target, false, false, err)
                                         : page_click(run->page, &target, &click, err));
    return has_focus && page_press(run->page, param_text(run->action, "key", ""), err) &&
           action_settle(run, before, false, err);
}

const struct action_type action_press = {
    .name = "press",
    .text = "Presses one key, alone or with others held down.",
    .params = params,
    .names = NAMES_PLACE_OR_NOTHING,
    .word_kind = "control",
    .run = run_press,
};
