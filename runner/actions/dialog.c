#include "runner/actions/action_type.h"
#include "runner/base/json.h"
#include "runner/page/world/settings.h"

static const struct param params[] = {
    PARAM("accept", BOOLEAN, "True accepts them.", .is_required = true),
    PARAM("promptText", TEXT, "What prompts are accepted with."),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "promptText", .when = "accept", .is = "false",
      .text = "is what a prompt is accepted with" },
    { 0 },
};

/* Sets how later dialogs are answered. */
static bool run_dialog(struct action_run *run, struct br_error *err)
{
    const char *text = param_text(run->action, "promptText", NULL);
    json_auto_t *value =
        json_pack("{s:b, s:o*}", "accept", param_boolean(run->action, "accept", true), "promptText",
                  text ? json_text(text) : NULL);
    return page_set(run->page, "dialog", value, err);
}

const struct action_type action_dialog = {
    .name = "dialog",
    .text = "Says how the dialogs that come from now on are answered. Without it alerts and the "
            "leaving of a page are accepted, questions are declined.",
    .params = params,
    .rules = rules,
    .run = run_dialog,
};
