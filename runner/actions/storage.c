#include "runner/actions/state_file.h"
#include "runner/page/world/cookies.h"
#include "runner/page/world/origins.h"

#include <string.h>

static const char *const ops[] = { "get", "set", "clear", STATE_FILE_SAVE, STATE_FILE_LOAD, NULL };
static const char *const areas[] = { "local", "session", NULL };

static const struct param params[] = {
    { .name = "op", .kind = PARAM_CHOICE, .choices = ops, .is_required = true },
    { .name = "area", .kind = PARAM_CHOICE, .choices = areas },
    { .name = "name", .kind = PARAM_NAME },
    { .name = "value", .kind = PARAM_TEXT },
    { .name = "file", .kind = PARAM_NAME, .use = USE_FILE },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    bool is_set = strcmp(param_text(action, "op", ""), "set") == 0;
    if (is_set && (!param_is_given(action, "name") || !param_is_given(action, "value"))) {
        return param_error(action, NULL, err, "needs name and value to set");
    }
    if (!is_set && param_is_given(action, "value")) {
        return param_error(action, "value", err, "is for op \"set\"");
    }
    const char *chosen = param_is_given(action, "area") ? "area" : "name";
    if (param_is_given(action, "file") && param_is_given(action, chosen)) {
        return param_error(action, chosen, err,
                           "does not go with a file, which has the whole state");
    }
    return state_file_check(action, err);
}

/* The whole state: cookies, and local storage of all origins. */
static bool save(struct action_run *run, struct br_error *err)
{
    json_auto_t *cookies = NULL;
    json_auto_t *origins = NULL;
    return page_get_cookies(run->page, &cookies, err) &&
           page_get_origins(run->page, &origins, err) &&
           state_file_save(run, cookies, origins, err);
}

static bool run_storage(struct action_run *run, struct br_error *err)
{
    json_auto_t *value = NULL;
    const char *op = param_text(run->action, "op", "get");
    if (param_is_given(run->action, "file")) {
        return strcmp(op, STATE_FILE_SAVE) == 0 ? save(run, err) : state_file_load(run, true, err);
    }
    struct page_storage use = {
        .op = op,
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
    .answers_raw = true,
    .validate = validate,
    .run = run_storage,
};
