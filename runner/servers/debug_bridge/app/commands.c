#include "runner/servers/debug_bridge/app/commands.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/strbuf.h"

#include <math.h>
#include <string.h>

enum { MAX_CLICKS = 3 };

json_t *app_command_option(const json_t *command, const char *name)
{
    json_t *option = json_object_get(json_object_get(command, "options"), name);
    return option ? option : json_object_get(command, name);
}

static bool fail(struct br_error *err, const json_t *command, const char *what)
{
    return error_set(err, BR_INVALID_ACTION, "%s: %s", json_member_string(command, "type"), what);
}

/* Copies an option into the action, under the action's name for it. */
static void pass(const json_t *command, const char *name, json_t *action, const char *ours)
{
    json_t *option = app_command_option(command, name);
    if (option && !json_is_null(option)) {
        json_object_set(action, ours, option);
    }
}

static const char *modifier_of(const char *name)
{
    static const char *const names[][2] = {
        { "alt", "Alt" },
        { "ctrl", "Control" },
        { "meta", "Meta" },
        { "shift", "Shift" },
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

static bool fill_modifiers(const json_t *command, json_t *action, struct br_error *err)
{
    size_t index;
    json_t *name;
    const json_t *names = app_command_option(command, "modifiers");
    if (!names || json_is_null(names)) {
        return true;
    }
    if (!json_is_array(names)) {
        return fail(err, command, "modifiers must be an array of alt, ctrl, meta and shift");
    }
    json_t *ours = json_array();
    json_object_set_new(action, "modifiers", ours);
    json_array_foreach (names, index, name) {
        const char *modifier = json_is_string(name) ? modifier_of(json_string_value(name)) : NULL;
        if (!modifier) {
            return fail(err, command, "modifiers can only be alt, ctrl, meta and shift");
        }
        json_array_append_new(ours, json_string(modifier));
    }
    if (json_array_size(ours) == 0) {
        json_object_del(action, "modifiers");
    }
    return true;
}

static bool fill_click(const json_t *command, json_t *action, struct br_error *err)
{
    const json_t *count = app_command_option(command, "clickCount");
    if (count && !json_is_null(count) &&
        !(json_is_integer(count) && json_integer_value(count) >= 1 &&
          json_integer_value(count) <= MAX_CLICKS)) {
        return fail(err, command, "clickCount must be 1, 2 or 3");
    }
    pass(command, "button", action, "button");
    pass(command, "clickCount", action, "clickCount");
    pass(command, "position", action, "position");
    return fill_modifiers(command, action, err);
}

static bool fill_type(const json_t *command, json_t *action, struct br_error *err)
{
    if (!json_is_string(json_object_get(command, "text"))) {
        return fail(err, command, "text is missing");
    }
    json_object_set(action, "text", json_object_get(command, "text"));
    pass(command, "clear", action, "clear");
    pass(command, "delay", action, "delay");
    pass(command, "pressEnter", action, "pressEnter");
    return true;
}

static bool fill_navigate(const json_t *command, json_t *action, struct br_error *err)
{
    const json_t *until = app_command_option(command, "waitUntil");
    if (!json_is_string(json_object_get(command, "url"))) {
        return fail(err, command, "url is missing");
    }
    json_object_set(action, "url", json_object_get(command, "url"));
    pass(command, "timeout", action, "timeout");
    if (json_is_string(until) && strcmp(json_string_value(until), "networkidle") == 0) {
        json_object_set_new(action, "waitUntil", json_string("networkidle0"));
    } else {
        pass(command, "waitUntil", action, "waitUntil");
    }
    return true;
}

static bool fill_evaluate(const json_t *command, json_t *action, struct br_error *err)
{
    if (!json_is_string(json_object_get(command, "code"))) {
        return fail(err, command, "code is missing");
    }
    json_object_set(action, "expression", json_object_get(command, "code"));
    pass(command, "timeout", action, "timeout");
    return true;
}

static bool fill_scroll(const json_t *command, json_t *action, struct br_error *err)
{
    const json_t *mode = app_command_option(command, "mode");
    const json_t *behavior = app_command_option(command, "behavior");
    bool has_place = app_command_option(command, "x") || app_command_option(command, "y");
    if (behavior &&
        !(json_is_string(behavior) && (strcmp(json_string_value(behavior), "auto") == 0 ||
                                       strcmp(json_string_value(behavior), "smooth") == 0))) {
        return fail(err, command, "behavior must be auto or smooth");
    }
    if (!has_place && !json_object_get(command, "target")) {
        return fail(err, command, "x or y is missing");
    }
    if (has_place) {
        pass(command, "x", action, "x");
        pass(command, "y", action, "y");
        json_object_set_new(action, "mode",
                            mode ? json_incref((json_t *)mode) : json_string("absolute"));
    }
    return true;
}

static bool fill_hover(const json_t *command, json_t *action, struct br_error *err)
{
    (void)err;
    pass(command, "position", action, "position");
    return true;
}

static bool fill_select(const json_t *command, json_t *action, struct br_error *err)
{
    static const char *const ways[] = { "value", "label", "index", NULL };
    for (size_t i = 0; ways[i]; i++) {
        pass(command, ways[i], action, ways[i]);
    }
    return json_object_size(action) > 1 || fail(err, command, "value, label or index is missing");
}

/* Rounds the quality to a whole number within the action's limits. */
static bool fill_quality(const json_t *command, const char *format, json_t *action,
                         struct br_error *err)
{
    const json_t *quality = app_command_option(command, "quality");
    if (!quality || json_is_null(quality) || strcmp(format, "png") == 0) {
        return true;
    }
    double value = json_number_value(quality);
    if (!json_is_number(quality) || !(value >= 0 && value <= 100)) {
        return fail(err, command, "quality must be 0 to 100");
    }
    json_int_t whole = (json_int_t)lround(value);
    json_object_set_new(action, "quality", json_integer(whole < 1 ? 1 : whole));
    return true;
}

static bool fill_screenshot(const json_t *command, json_t *action, struct br_error *err)
{
    const json_t *format = app_command_option(command, "format");
    const char *name = json_is_string(format) ? json_string_value(format) : "png";
    json_object_set_new(action, "format", json_string(name));
    /* Unscaled, so that positions in the picture are positions in the page. */
    json_object_set_new(action, "maxEdge", json_integer(0));
    json_object_set_new(action, "maxPixels", json_integer(0));
    pass(command, "selector", action, "selector");
    pass(command, "fullPage", action, "fullPage");
    return fill_quality(command, name, action, err);
}

static const struct app_command commands[] = {
    { "click", APP_COMMAND_ACTION, TARGET_NEEDED, fill_click },
    { "type", APP_COMMAND_ACTION, TARGET_NEEDED, fill_type },
    { "navigate", APP_COMMAND_NAVIGATE, TARGET_NONE, fill_navigate },
    { "evaluate", APP_COMMAND_EVALUATE, TARGET_NONE, fill_evaluate },
    { "scroll", APP_COMMAND_ACTION, TARGET_OPTIONAL, fill_scroll },
    { "hover", APP_COMMAND_ACTION, TARGET_NEEDED, fill_hover },
    { "select", APP_COMMAND_ACTION, TARGET_NEEDED, fill_select },
    { "focus", APP_COMMAND_ACTION, TARGET_NEEDED, NULL },
    { "request_ui_tree", APP_COMMAND_UI_TREE, TARGET_NONE, NULL },
    { "request_dom_snapshot", APP_COMMAND_DOM_SNAPSHOT, TARGET_NONE, NULL },
    { "request_screenshot", APP_COMMAND_SCREENSHOT, TARGET_NONE, fill_screenshot },
    { "request_state", APP_COMMAND_STATE, TARGET_NONE, NULL },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct app_command *app_command_find(const char *type)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].type, type) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

bool app_command_is_ignored(const char *type)
{
    static const char *const others[] = {
        "hello",        "capabilities", "connection_event",  "command_result",
        "dom_snapshot", "ui_tree",      "ui_element_update", "dom_mutations",
        "console",      "error",        "screenshot",        "state_update",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(others[i], type) == 0) {
            return true;
        }
    }
    return false;
}

/* Each member must be a text that is not empty, and one beside the role is required. */
static bool check_target(const struct app_command *row, const json_t *command, struct br_error *err)
{
    static const char *const ways[] = { "stableId", "selector", "text", "role", NULL };
    const json_t *target = json_object_get(command, "target");
    bool has_one = false;
    if (row->target == TARGET_NONE || (row->target == TARGET_OPTIONAL && !target)) {
        return true;
    }
    if (!json_is_object(target)) {
        return fail(err, command, "target is missing");
    }
    for (size_t i = 0; ways[i]; i++) {
        const json_t *way = json_object_get(target, ways[i]);
        if (way && !(json_is_string(way) && json_string_length(way) > 0)) {
            return fail(err, command, "the members of target must be texts that are not empty");
        }
        has_one |= way && strcmp(ways[i], "role") != 0;
    }
    return has_one || fail(err, command, "target needs a stableId, a selector or a text");
}

bool app_command_action(const struct app_command *row, const json_t *command, json_t **ret_action,
                        struct br_error *err)
{
    const json_t *options = json_object_get(command, "options");
    if (options && !json_is_object(options) && !json_is_null(options)) {
        return fail(err, command, "options must be an object");
    }
    if (!check_target(row, command, err)) {
        return false;
    }
    const char *type = row->kind == APP_COMMAND_SCREENSHOT ? "screenshot" : row->type;
    json_auto_t *action = json_pack("{s:s}", "type", type);
    if (row->fill && !row->fill(command, action, err)) {
        return false;
    }
    json_object_set_new(action, "screenshots", json_string("none"));
    *ret_action = json_incref(action);
    return true;
}

/* A selector for elements whose attribute has exactly this value. */
static json_t *attribute_selector(const char *name, const char *value)
{
    CLEANUP_STRBUF struct strbuf selector = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_format(&selector, "[%s=\"", name);
    for (const char *at = value; *at; at++) {
        if (*at == '"' || *at == '\\') {
            strbuf_add_format(&selector, "\\%c", *at);
        } else if ((unsigned char)*at < ' ') {
            strbuf_add_format(&selector, "\\%x ", (unsigned)*at);
        } else {
            strbuf_add(&selector, at, 1);
        }
    }
    strbuf_add_string(&selector, "\"]");
    return json_text(selector.data);
}

bool app_command_set_target(const json_t *target, json_t *action, struct br_error *err)
{
    static const char *const attributes[] = { "data-testid", "data-debug-id", "id", NULL };
    const char *id = json_member_string(target, "stableId");
    const char *text = json_member_string(target, "text");
    const char *role = json_member_string(target, "role");
    bool has_text = json_object_get(action, "text");
    if (id) {
        json_t *targets = json_array();
        json_object_set_new(action, "targets", targets);
        for (size_t i = 0; attributes[i]; i++) {
            json_array_append_new(targets, attribute_selector(attributes[i], id));
        }
    } else if (json_object_get(target, "selector")) {
        json_object_set(action, "selector", json_object_get(target, "selector"));
    } else if (role) {
        json_object_set_new(action, "role", json_text(role));
        json_object_set_new(action, "name", json_text(text));
    } else if (!has_text) {
        json_object_set_new(action, "text", json_text(text));
    } else {
        error_set(err, BR_TARGET_NOT_FOUND, "no field has the name \"%s\"", text);
        return error_hint(err, "request_ui_tree has all ids and labels");
    }
    return true;
}
