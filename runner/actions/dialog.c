#include "runner/actions/actions.h"
#include "runner/page/world/settings.h"

#include "runner/base/json.h"

static const struct param params[] = {
    { .name = "accept", .kind = PARAM_BOOLEAN, .is_required = true },
    { .name = "promptText", .kind = PARAM_TEXT },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    return param_boolean(action, "accept", true) || !param_is_given(action, "promptText") ||
           param_error(action, "promptText", err, "is what a prompt is accepted with");
}

/* How the dialogs that come from now on are answered. */
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
    .params = params,
    .validate = validate,
    .run = run_dialog,
};
