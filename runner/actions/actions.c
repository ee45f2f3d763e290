#include "runner/actions/actions.h"

#include "runner/actions/naming.h"
#include "runner/actions/permission.h"
#include "runner/actions/synonyms.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/network_event.h"
#include "runner/hints/advice.h"
#include "runner/observe/stream.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000, MAX_KNOWN_NAMES = 64 };

static const struct action_type *const types[] = {
    &action_start,   &action_navigate, &action_back,       &action_forward,  &action_reload,
    &action_click,   &action_hover,    &action_focus,      &action_drag,     &action_type_text,
    &action_press,   &action_select,   &action_check,      &action_upload,   &action_scroll,
    &action_wheel,   &action_wait,     &action_tab,        &action_dialog,   &action_emulate,
    &action_cookies, &action_storage,  &action_screenshot, &action_snapshot, &action_evaluate,
    &action_logs,    &action_network,  &action_diagnose,   &action_stop,
};
enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

static const char *const screenshots_choices[] = { "none", "post", "both", NULL };
static const char *const log_types[] = { "error", "warning", "info", "debug", "verbose", NULL };

static const struct param log_filter_members[] = {
    { .name = "types", .kind = PARAM_CHOICES, .choices = log_types },
    { .name = "minLevel", .kind = PARAM_INTEGER, .min = 0, .max = 4 },
    { .name = "categories", .kind = PARAM_NAMES },
    { 0 },
};

/* Our codes, and what other tools call such errors. */
static const char *const retry_errors[] = {
    "TimeoutError",     "TargetClosedError",  "DetachedFrameError",
    "TIMEOUT",          "BROWSER_CRASHED",    "PAGE_CRASHED",
    "DISCONNECTED",     "STALE_NODE",         "TARGET_NOT_FOUND",
    "TARGET_AMBIGUOUS", "TARGET_NOT_VISIBLE", "TARGET_DISABLED",
    "TARGET_OBSCURED",  "NO_VISUAL_CHANGE",   "NAVIGATION_FAILED",
    "EVAL_ERROR",       "UNKNOWN_ERROR",      NULL,
};

static const struct param retry_members[] = {
    { .name = "maxRetries", .kind = PARAM_INTEGER, .min = 0, .max = 100 },
    { .name = "retryDelay", .kind = PARAM_INTEGER, .min = 0, .max = 60 * 60 * 1000 },
    { .name = "retryOnErrors", .kind = PARAM_CHOICES, .choices = retry_errors },
    { 0 },
};

/* Every action takes these. */
static const struct param common_params[] = {
    { .name = "timeout", .kind = PARAM_INTEGER, .min = 1, .max = MAX_TIMEOUT_MS },
    { .name = "screenshots", .kind = PARAM_CHOICE, .choices = screenshots_choices },
    { .name = "retryOptions", .kind = PARAM_MEMBERS, .members = retry_members },
    { .name = "logFilter", .kind = PARAM_MEMBERS, .members = log_filter_members },
    { .name = "networkFilter", .kind = PARAM_CHOICE, .choices = network_filter_names },
    { .name = "label", .kind = PARAM_NAME },
    { .name = "debug", .kind = PARAM_BOOLEAN },
    { 0 },
};

const char *const modifier_choices[] = { "Alt", "Control", "Meta", "Shift", NULL };

const char *const wait_until_choices[] = {
    [PAGE_LOAD] = "load",
    [PAGE_DOM_CONTENT_LOADED] = "domcontentloaded",
    [PAGE_NETWORK_IDLE_0] = "networkidle0",
    [PAGE_NETWORK_IDLE_2] = "networkidle2",
    NULL,
};

const struct action_type *action_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(name, types[i]->name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

/* The tables that hold for a type; NULL where there is none. */
enum { TABLE_COUNT = 5 };
struct tables {
    const struct param *tables[TABLE_COUNT];
};

static struct tables tables_of(const struct action_type *type)
{
    return (struct tables){
        .tables = { type->params, type->names != NAMES_NOTHING ? naming_element_params : NULL,
                    naming_is_by_text(type) ? naming_text_params : NULL,
                    type->names == NAMES_PLACE ? naming_place_params : NULL, common_params },
    };
}

/* A hint that says what is meant by the words of other tools. */
static bool hint_synonym(const struct synonym *synonym, struct br_error *err)
{
    return error_hint(err, "did you mean \"%s\"%s%s?", synonym->known, synonym->more ? " " : "",
                      synonym->more ? synonym->more : "");
}

static bool unknown_type(const struct br_action *action, struct br_error *err)
{
    const char *names[TYPE_COUNT];
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        names[i] = types[i]->name;
    }
    error_set(err, BR_INVALID_ACTION, "%s%sunknown action type \"%s\"",
              action->path ? action->path : "", action->path ? ": " : "", action->type);
    if (action->position.line) {
        error_context(err, "line %u, column %u", action->position.line, action->position.column);
    }
    const struct synonym *synonym = synonym_find(action_synonyms, action->type);
    return synonym ? hint_synonym(synonym, err) : names_hint(action->type, names, TYPE_COUNT, err);
}

static const struct param *find_param(const struct tables *tables, const char *name)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const struct param *row = tables->tables[i]; row && row->name; row++) {
            if (strcmp(row->name, name) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

static bool unknown_param(const struct br_action *action, const struct tables *tables,
                          const char *name, struct br_error *err)
{
    const char *known[MAX_KNOWN_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const struct param *row = tables->tables[i]; row && row->name; row++) {
            known[count++] = row->name;
        }
    }
    param_error(action, name, err, "is no parameter of this action");
    const struct synonym *synonym = synonym_find(param_synonyms, name);
    while (synonym &&
           (!find_param(tables, synonym->known) || param_is_given(action, synonym->known))) {
        synonym = synonym_find(synonym + 1, name);
    }
    if (synonym) {
        return hint_synonym(synonym, err);
    }
    return names_hint(name, known, count, err);
}

bool action_validate(struct br_action *action, struct br_error *err)
{
    const struct action_type *type = action_type_find(action->type);
    if (!type) {
        return unknown_type(action, err);
    }
    struct tables tables = tables_of(type);
    const char *name;
    json_t *value;
    json_object_foreach (action->params, name, value) {
        if (!find_param(&tables, name)) {
            return unknown_param(action, &tables, name, err);
        }
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const struct param *row = tables.tables[i]; row && row->name; row++) {
            /* An action may have a row of its own for what all have. */
            if (find_param(&tables, row->name) == row && !param_check(action, row, err)) {
                return false;
            }
        }
    }
    return naming_check(action, type, err) && (!type->validate || type->validate(action, err));
}

bool action_check_policy(const struct br_action *action, const struct policy *policy,
                         struct br_error *err)
{
    struct tables tables = tables_of(action_type_find(action->type));
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (!permission_check(tables.tables[i], action->params, policy, err)) {
            return error_context(err, "%s", action->type);
        }
    }
    return true;
}

struct br_action *br_action_from_json(const char *text, size_t length, struct br_error *err)
{
    json_auto_t *root = json_parse(text, length, "the action", err);
    const char *type = json_member_string(root, "type");
    if (!root) {
        err->code = BR_INVALID_ACTION;
        return NULL;
    }
    if (!type) {
        error_set(err, BR_INVALID_ACTION, "an action is an object with a \"type\"");
        return NULL;
    }
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_object_update(action->params, root);
    json_object_del(action->params, "type");
    return action_validate(action, err) ? TAKE(action) : NULL;
}

int64_t action_timeout_ms(const struct br_action *action, int64_t fallback)
{
    /* A wait for a while is given that while on top. */
    return param_integer(action, "timeout", fallback + param_integer(action, "ms", 0));
}

int action_modifier_bits(const struct br_action *action)
{
    int bits = 0;
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(action->params, "modifiers"), index, name) {
        for (int i = 0; modifier_choices[i]; i++) {
            bits |= strcmp(json_string_value(name), modifier_choices[i]) == 0 ? 1 << i : 0;
        }
    }
    return bits;
}

const struct param *action_common_params(void)
{
    return common_params;
}

enum page_wait_until action_wait_until(const struct br_action *action)
{
    return (enum page_wait_until)param_choice(action, "waitUntil", wait_until_choices, PAGE_LOAD);
}

void action_report_status(struct action_run *run, int status)
{
    run->response->http_status = status;
    if (status < 400) {
        return;
    }
    log_tool(run->logs, BR_LOG_ERROR, "network", "the page answered with HTTP status %d", status);
    /* A page that was reached is a success; its hint stands in the response all the same. */
    error_hint(&run->response->error, "%s", status_hint(status));
}

bool action_settle(struct action_run *run, struct page_mark before, bool is_required,
                   struct br_error *err)
{
    int status = 0;
    if (!page_settle(run->page, before, is_required, &status, err)) {
        return false;
    }
    action_report_status(run, status);
    return true;
}
