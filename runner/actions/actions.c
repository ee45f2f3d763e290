#include "runner/actions/actions.h"

#include "runner/actions/params.h"
#include "runner/actions/synonyms.h"
#include "runner/actions/validate.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/policy.h"

#include <string.h>

static bool check_text(const struct param *row, const char *text, const struct policy *policy,
                       struct br_error *err)
{
    switch (row->use) {
    case USE_SCRIPT:
        return policy_check_script(policy, row->name, err);
    case USE_FILE:
        return policy_check_file(policy, text, err);
    case USE_OPENED:
        return policy_check_opened(policy, text, err);
    case USE_PLAIN:
        break;
    }
    return true;
}

static bool permission_check(const struct param *rows, const json_t *values,
                             const struct policy *policy, struct br_error *err);

static bool check_items(const struct param *row, const json_t *list, const struct policy *policy,
                        struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (list, index, item) {
        if (row->members
                ? !permission_check(row->members, item, policy, err)
                : json_is_string(item) && !check_text(row, json_string_value(item), policy, err)) {
            return false;
        }
    }
    return true;
}

/* Checks all values by their rows' uses, including members and lists. */
static bool permission_check(const struct param *rows, const json_t *values,
                             const struct policy *policy, struct br_error *err)
{
    for (const struct param *row = rows; policy && row && row->name; row++) {
        const json_t *value = json_object_get(values, row->name);
        const char *text = json_string_value(value);
        bool is_fine = json_is_array(value)    ? check_items(row, value, policy, err)
                       : json_is_object(value) ? permission_check(row->members, value, policy, err)
                                               : !text || check_text(row, text, policy, err);
        if (!is_fine) {
            return false;
        }
    }
    return true;
}

const struct action_type *const action_types[] = {
    &action_start,      &action_navigate,  &action_back,     &action_forward,
    &action_reload,     &action_click,     &action_hover,    &action_focus,
    &action_drag,       &action_type_text, &action_press,    &action_select,
    &action_check,      &action_fill,      &action_upload,   &action_scroll,
    &action_wheel,      &action_highlight, &action_wait,     &action_tab,
    &action_dialog,     &action_emulate,   &action_cookies,  &action_storage,
    &action_screenshot, &action_pdf,       &action_snapshot, &action_inspect,
    &action_content,    &action_detect,    &action_evaluate, &action_logs,
    &action_network,    &action_diagnose,  &action_stop,     NULL,
};
enum { TYPE_COUNT = sizeof(action_types) / sizeof(action_types[0]) - 1 };

const struct action_type *action_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(name, action_types[i]->name) == 0) {
            return action_types[i];
        }
    }
    return NULL;
}

static bool unknown_type(const struct br_action *action, struct br_error *err)
{
    const char *names[TYPE_COUNT];
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        names[i] = action_types[i]->name;
    }
    error_set(err, BR_INVALID_ACTION, "%s%sunknown action type \"%s\"",
              action->path ? action->path : "", action->path ? ": " : "", action->type);
    if (action->position.line) {
        error_context(err, "line %u, column %u", action->position.line, action->position.column);
    }
    const struct synonym *synonym = synonym_find(action_synonyms, action->type);
    return synonym ? synonym_hint(synonym, err) : names_hint(action->type, names, TYPE_COUNT, err);
}

static bool validate_known(struct br_action *action, struct br_error *err)
{
    const struct action_type *type = action_type_find(action->type);
    return type ? action_validate_as(action, type, err) : unknown_type(action, err);
}

size_t action_step_count(const struct br_action *action)
{
    return json_array_size(json_object_get(action->params, "steps"));
}

/* Why an action of this type cannot be a step. */
static const struct {
    const char *type, *why;
} no_steps[] = {
    { "diagnose", "cannot be a step of another one" },
    { "screenshot", "cannot be a step: the response has the pictures before and after all steps" },
    { "stop", "cannot be a step: the steps after it would have no page" },
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
    return check_step(made, err) && validate_known(made, err) ? TAKE(made) : NULL;
}

bool action_validate(struct br_action *action, struct br_error *err)
{
    if (!validate_known(action, err)) {
        return false;
    }
    for (size_t i = 0; action->kind->runs_steps && i < action_step_count(action); i++) {
        CLEANUP_ACTION struct br_action *step = action_step(action, i, err);
        if (!step) {
            return false;
        }
    }
    return true;
}

bool action_check_policy(const struct br_action *action, const struct policy *policy,
                         struct br_error *err)
{
    struct action_tables tables = action_type_tables(action->kind);
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        if (!permission_check(tables.params[i], action->params, policy, err)) {
            return error_context(err, "%s", action->type);
        }
    }
    return true;
}

bool br_action_validate(struct br_action *action, struct br_error *err)
{
    bool is_valid = action_validate(action, err);
    if (!is_valid) {
        action->kind = NULL; /* an invalid step may have set it */
    }
    return is_valid;
}

struct br_action *action_from_object(const json_t *object, struct br_error *err)
{
    const char *type = json_member_string(object, "type");
    if (!type) {
        error_set(err, BR_INVALID_ACTION, "an action is an object with a \"type\"");
        return NULL;
    }
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_auto_t *copy = json_deep_copy(object); /* validation may change nested values */
    json_object_update(action->params, copy);
    json_object_del(action->params, "type");
    return action_validate(action, err) ? TAKE(action) : NULL;
}

struct br_action *br_action_from_json(const char *text, size_t length, struct br_error *err)
{
    json_auto_t *root = json_parse(text, length, "the action", err);
    if (!root) {
        err->code = BR_INVALID_ACTION;
        return NULL;
    }
    return action_from_object(root, err);
}

static json_t *placed(const char *directory, json_t *path)
{
    const char *text = json_string_value(path);
    if (!text || *text == '/' || !*text) {
        return json_incref(path);
    }
    CLEANUP_FREE char *whole = xasprintf("%s/%s", directory, text);
    return json_text(whole);
}

static void place_rows(const struct param *rows, const char *directory, json_t *object);

static void place_value(const struct param *row, const char *directory, json_t *object)
{
    size_t index;
    json_t *item;
    json_t *value = json_object_get(object, row->name);
    if (row->use == USE_FILE && json_is_string(value)) {
        json_object_set_new(object, row->name, placed(directory, value));
    } else if (row->kind == PARAM_ACTION) {
        const char *name = json_member_string(value, "type");
        const struct action_type *type = name ? action_type_find(name) : NULL;
        if (type) {
            action_place_files(type, directory, value);
        }
    } else if (row->kind == PARAM_MEMBERS) {
        place_rows(row->members, directory, value);
    } else {
        json_array_foreach (value, index, item) {
            if (row->use == USE_FILE) {
                json_array_set_new(value, index, placed(directory, item));
            } else if (row->kind == PARAM_LIST) {
                place_rows(row->members, directory, item);
            }
        }
    }
}

static void place_rows(const struct param *rows, const char *directory, json_t *object)
{
    for (const struct param *row = rows; row && row->name; row++) {
        place_value(row, directory, object);
    }
}

void action_place_files(const struct action_type *type, const char *directory, json_t *params)
{
    struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < sizeof(tables.params) / sizeof(tables.params[0]); i++) {
        place_rows(tables.params[i], directory, params);
    }
}
