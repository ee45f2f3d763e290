#include "runner/actions/action_type.h"
#include "runner/base/json.h"
#include "runner/page/world/settings.h"

static const struct param params[] = {
    PARAM("accept", BOOLEAN, "True accepts them.", .is_required = true),
    PARAM("promptText", TEXT, "The text for accepting prompts."),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "promptText", .when = "accept", .is = "false",
      .text = "is the text for accepting prompts" },
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
    .text = "Sets how later dialogs are answered. By default alerts and leaving a page are "
            "accepted, and questions declined.",
    .params = params,
    .rules = rules,
    .run = run_dialog,
};
