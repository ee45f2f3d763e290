#include "runner/actions/naming.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

static bool run_focus(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    return page_focus(run->page, &target, false, false, err);
}

const struct action_type action_focus = {
    .name = "focus",
    .text = "Focuses an element.",
    .names = NAMES_ELEMENT,
    .word_kind = "control",
    .is_rare = true,
    .run = run_focus,
};
