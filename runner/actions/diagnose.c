#include "runner/actions/actions.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

#include <string.h>

enum { MAX_STEPS = 100, MAX_SESSION_MS = 24 * 60 * 60 * 1000 };

static const struct param step_members[] = {
    { .name = "label", .kind = PARAM_NAME },
    { .name = "action", .kind = PARAM_OBJECT, .is_required = true },
    { .name = "expectedLogs", .kind = PARAM_NAMES },
    { .name = "noJsErrors", .kind = PARAM_BOOLEAN },
    { .name = "noNetworkErrors", .kind = PARAM_BOOLEAN },
    { .name = "customCondition", .kind = PARAM_NAME, .use = USE_SCRIPT },
    { 0 },
};

static const struct param params[] = {
    { .name = "steps",
      .kind = PARAM_LIST,
      .is_required = true,
      .min = 1,
      .max = MAX_STEPS,
      .members = step_members },
    { .name = "automated", .kind = PARAM_BOOLEAN },
    { .name = "maxSteps", .kind = PARAM_INTEGER, .min = 1, .max = MAX_STEPS },
    { .name = "sessionTimeoutMs", .kind = PARAM_INTEGER, .min = 1, .max = MAX_SESSION_MS },
    { 0 },
};

/* Why an action of a type cannot be a step. */
static const struct {
    const char *type, *why;
} no_steps[] = {
    { "diagnose", "cannot be a step of another one" },
    { "screenshot", "cannot be a step: the answer has the pictures before and after all steps" },
    { "stop", "cannot be a step: what comes behind it would have no page" },
};

static bool check_step(const struct br_action *step, struct br_error *err)
{
    for (size_t i = 0; i < sizeof(no_steps) / sizeof(no_steps[0]); i++) {
        if (strcmp(step->type, no_steps[i].type) == 0) {
            return param_error(step, NULL, err, "%s %s", step->type, no_steps[i].why);
        }
    }
    return !param_is_given(step, "screenshots") ||
           param_error(step, "screenshots", err, "a step has no pictures of its own");
}

struct br_action *action_step(const struct br_action *action, size_t index, struct br_error *err)
{
    const json_t *step = json_array_get(json_object_get(action->params, "steps"), index);
    json_t *given = json_object_get(step, "action");
    const char *type = json_member_string(given, "type");
    struct source_position position = action_param_position(action, "steps");
    CLEANUP_ACTION struct br_action *made = action_create(type ? type : "", position);
    made->path = xasprintf("%s.steps[%zu].action", action->type, index);
    json_object_update(made->params, given);
    json_object_del(made->params, "type");
    if (!type) {
        param_error(made, "type", err, "is missing, or no text");
        error_hint(err, "write it as {\"type\": \"click\", \"selector\": \"#go\"}");
        return NULL;
    }
    return check_step(made, err) && action_validate(made, err) ? TAKE(made) : NULL;
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    for (size_t i = 0; i < action_step_count(action); i++) {
        CLEANUP_ACTION struct br_action *step = action_step(action, i, err);
        if (!step) {
            return false;
        }
    }
    if (param_is_given(action, "retryOptions")) {
        param_error(action, "retryOptions", err, "is that of a single action");
        return error_hint(err, "give it to the actions of the steps");
    }
    return true;
}

size_t action_step_count(const struct br_action *action)
{
    return json_array_size(json_object_get(action->params, "steps"));
}

const struct action_type action_diagnose = {
    .name = "diagnose",
    .params = params,
    .runs_steps = true,
    .answers_raw = true, /* its steps were masked each */
    .validate = validate,
};
