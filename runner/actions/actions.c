#include "runner/actions/actions.h"

#include "runner/actions/synonyms.h"
#include "runner/base/catalogue.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000, MAX_KNOWN_NAMES = 64, MAX_TARGETS = 1000 };

static const struct action_type *const types[] = {
    &action_start,    &action_navigate, &action_back,       &action_forward,  &action_reload,
    &action_click,    &action_hover,    &action_focus,      &action_drag,     &action_type_text,
    &action_press,    &action_select,   &action_check,      &action_upload,   &action_scroll,
    &action_wheel,    &action_wait,     &action_tab,        &action_dialog,   &action_emulate,
    &action_cookies,  &action_storage,  &action_screenshot, &action_snapshot, &action_evaluate,
    &action_diagnose, &action_stop,
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
    { .name = "label", .kind = PARAM_NAME },
    { .name = "debug", .kind = PARAM_BOOLEAN },
    { 0 },
};

static const struct param element_params[] = {
    { .name = "node", .kind = PARAM_NAME },
    { .name = "selector", .kind = PARAM_NAME },
    { .name = "testId", .kind = PARAM_NAME },
    { .name = "role", .kind = PARAM_NAME },
    { .name = "name", .kind = PARAM_NAME },
    { .name = "targets", .kind = PARAM_SELECTORS, .max = MAX_TARGETS },
    { .name = "nth", .kind = PARAM_INTEGER, .min = 0, .max = 100000 },
    { .name = "frame", .kind = PARAM_NAME },
    { .name = "ignoreNoAi", .kind = PARAM_BOOLEAN },
    { 0 },
};

/* Of actions that have no other text. */
static const struct param text_params[] = {
    { .name = "text", .kind = PARAM_NAME },
    { 0 },
};

static const struct param place_params[] = {
    { .name = "xRange", .kind = PARAM_RANGE },
    { .name = "yRange", .kind = PARAM_RANGE },
    { .name = "x", .kind = PARAM_NUMBER },
    { .name = "y", .kind = PARAM_NUMBER },
    { 0 },
};

const char *const button_choices[] = { "left", "middle", "right", NULL };

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

static bool is_found_by_text(const struct action_type *type)
{
    const struct param *row = type->params;
    while (row && row->name && strcmp(row->name, "text") != 0) {
        row++;
    }
    return type->names != NAMES_NOTHING && !(row && row->name);
}

static struct tables tables_of(const struct action_type *type)
{
    return (struct tables){
        .tables = { type->params, type->names != NAMES_NOTHING ? element_params : NULL,
                    is_found_by_text(type) ? text_params : NULL,
                    type->names == NAMES_PLACE ? place_params : NULL, common_params },
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
    return synonym && action_type_find(synonym->known)
               ? hint_synonym(synonym, err)
               : names_hint(action->type, names, TYPE_COUNT, err);
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

/* How many ways to name an element are given. */
static int count_element_ways(const struct br_action *action)
{
    bool by_text = is_found_by_text(action_type_find(action->type));
    return param_is_given(action, "node") + param_is_given(action, "selector") +
           param_is_given(action, "testId") + param_is_given(action, "role") +
           param_is_given(action, "targets") + (by_text && param_is_given(action, "text"));
}

/* What only narrows down the elements that something else names. */
static bool check_narrowing(const struct br_action *action, int ways, struct br_error *err)
{
    if (param_is_given(action, "name") && !param_is_given(action, "role")) {
        return param_error(action, "name", err, "is that of a role, and there is none");
    }
    if (param_is_given(action, "nth") && !ways) {
        return param_error(action, "nth", err, "counts matches of a selector, and there is none");
    }
    bool may_be_alone = action_type_find(action->type)->names == NAMES_ELEMENT_OR_NOTHING;
    if (param_is_given(action, "frame") && !ways && !may_be_alone) {
        return param_error(action, "frame", err,
                           "says where to look for an element, and none is named");
    }
    return true;
}

/* An id that no snapshot could have shown. */
static bool check_node(const struct br_action *action, struct br_error *err)
{
    const char *node = param_text(action, "node", NULL);
    if (!node || snapshot_id_parse(node)) {
        return true;
    }
    param_error(action, "node", err, "\"%s\" is no id of a snapshot", node);
    return error_hint(err, "take a snapshot, and write an id that is in it, such as e12");
}

/* At most one way to name a target, and that one whole. */
static bool check_target(const struct br_action *action, struct br_error *err)
{
    bool has_place = action_type_find(action->type)->names == NAMES_PLACE;
    int ways = count_element_ways(action);
    bool has_x_range = param_is_given(action, "xRange");
    bool has_y_range = param_is_given(action, "yRange");
    bool has_x = param_is_given(action, "x");
    bool has_y = param_is_given(action, "y");
    if (!check_node(action, err)) {
        return false;
    }
    if (has_x_range != has_y_range) {
        return param_error(action, NULL, err, "xRange and yRange are given together");
    }
    if (has_place && has_x != has_y) {
        return param_error(action, NULL, err, "x and y are given together");
    }
    if (ways + has_x_range + (has_place && has_x) > 1) {
        param_error(action, NULL, err, "takes one of node, selector, testId, text, role, targets%s",
                    has_place ? ", xRange with yRange, x with y" : "");
        return error_hint(err, "leave all of them out but one");
    }
    return check_narrowing(action, ways, err);
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
    if (type->names == NAMES_ELEMENT && !count_element_ways(action)) {
        return param_error(action, NULL, err,
                           "needs a node, selector, testId, text, role or targets");
    }
    return (type->names == NAMES_NOTHING || check_target(action, err)) &&
           (!type->validate || type->validate(action, err));
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

bool action_names_element(const struct br_action *action)
{
    return count_element_ways(action);
}

bool action_names_target(const struct br_action *action)
{
    return action_names_element(action) || param_is_given(action, "xRange") ||
           param_is_given(action, "x");
}

bool action_check_place(const struct br_action *action, struct br_error *err)
{
    if (!action_names_target(action)) {
        return param_error(
            action, NULL, err,
            "needs a node, selector, testId, text, role, targets, xRange with yRange, "
            "or x with y");
    }
    return !param_is_given(action, "position") ||
           !(param_is_given(action, "xRange") || param_is_given(action, "x")) ||
           param_error(action, "position", err, "is one in an element, and there is no selector");
}

bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err)
{
    bool by_text = is_found_by_text(action_type_find(action->type));
    const json_t *x_range = json_object_get(action->params, "xRange");
    const json_t *y_range = json_object_get(action->params, "yRange");
    double x = param_number(action, "x", 0);
    double y = param_number(action, "y", 0);
    const char *node = param_text(action, "node", NULL);
    int64_t patience_ms = action_timeout_ms(action, TARGET_PATIENCE_MS);
    *ret_target = (struct page_target){
        .selector = param_text(action, "selector", NULL),
        .test_id = param_text(action, "testId", NULL),
        .text = by_text ? param_text(action, "text", NULL) : NULL,
        .role = param_text(action, "role", NULL),
        .name = param_text(action, "name", NULL),
        .targets = json_object_get(action->params, "targets"),
        .frame = param_text(action, "frame", NULL),
        .ignores_no_ai = param_boolean(action, "ignoreNoAi", false),
        .nth = (int)param_integer(action, "nth", -1),
        .x_min = json_member_number(x_range, "min", x),
        .x_max = json_member_number(x_range, "max", x),
        .y_min = json_member_number(y_range, "min", y),
        .y_max = json_member_number(y_range, "max", y),
        .patience_ms = patience_ms < run->patience_ms ? patience_ms : run->patience_ms,
    };
    return !node || snapshot_store_find(run->snapshots, run->page, node, &ret_target->node, err);
}

struct page_click action_click_place(const struct br_action *action)
{
    const json_t *position = json_object_get(action->params, "position");
    return (struct page_click){
        .has_offset = position,
        .x = json_member_number(position, "x", 0),
        .y = json_member_number(position, "y", 0),
        .button = "left",
        .count = 1,
    };
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
    char text[64];
    snprintf(text, sizeof(text), "the page answered with HTTP status %d", status);
    log_tool(run->logs, BR_LOG_ERROR, "network", "%s", text);
    /* A page that was reached is a success; its hint stands in the response all the same. */
    const struct catalogue_entry *entry = catalogue_find(text);
    if (entry) {
        error_hint(&run->response->error, "%s", entry->hint);
    }
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
