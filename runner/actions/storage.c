#include "runner/actions/actions.h"

#include <string.h>

static const char *const ops[] = { "get", "set", "clear", NULL };
static const char *const areas[] = { "local", "session", NULL };

static const struct param params[] = {
    { .name = "op", .kind = PARAM_CHOICE, .choices = ops, .is_required = true },
    { .name = "area", .kind = PARAM_CHOICE, .choices = areas },
    { .name = "name", .kind = PARAM_NAME },
    { .name = "value", .kind = PARAM_TEXT },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    bool is_set = strcmp(param_text(action, "op", ""), "set") == 0;
    if (is_set && (!param_is_given(action, "name") || !param_is_given(action, "value"))) {
        return param_error(action, NULL, err, "needs name and value to set");
    }
    return is_set || !param_is_given(action, "value") ||
           param_error(action, "value", err, "is for op \"set\"");
}

static bool run_storage(struct action_run *run, struct br_error *err)
{
    json_auto_t *value = NULL;
    struct page_storage use = {
        .op = param_text(run->action, "op", "get"),
        .area = param_text(run->action, "area", "local"),
        .name = param_text(run->action, "name", NULL),
        .value = param_text(run->action, "value", NULL),
    };
    if (!page_use_storage(run->page, &use, &value, err)) {
        return false;
    }
    run->response->result = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    return true;
}

const struct action_type action_storage = {
    .name = "storage",
    .params = params,
    .validate = validate,
    .run = run_storage,
};
