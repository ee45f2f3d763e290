#include "runner/cli/bridge_words.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_FIELDS = 5 };

/* The types of commands; section 6 of debug-bridge's specification. */
static const struct bridge_type {
    const char *name;
    const char *own[MAX_FIELDS]; /* text fields at the top level */
    const char *needs;           /* the required one of these fields; NULL: none */
    const char *any[MAX_FIELDS]; /* options of which one is required; empty: none */
    bool takes_target, needs_target;
    bool repeats_options; /* repeats the options at the top level */
    const char *answer;   /* see bridge_words_answer() */
} types[] = {
    { .name = "click", .takes_target = true, .needs_target = true },
    { .name = "type",
      .own = { "text" },
      .needs = "text",
      .takes_target = true,
      .needs_target = true },
    { .name = "navigate", .own = { "url" }, .needs = "url" },
    { .name = "evaluate", .own = { "code" }, .needs = "code" },
    { .name = "scroll", .any = { "x", "y" }, .takes_target = true, .repeats_options = true },
    { .name = "hover", .takes_target = true, .needs_target = true },
    { .name = "select",
      .any = { "value", "label", "index" },
      .takes_target = true,
      .needs_target = true,
      .repeats_options = true },
    { .name = "focus", .takes_target = true, .needs_target = true },
    { .name = "request_ui_tree", .answer = "ui_tree" },
    { .name = "request_dom_snapshot", .answer = "dom_snapshot" },
    { .name = "request_screenshot", .answer = "screenshot" },
    { .name = "request_state", .own = { "scope" }, .answer = "state_update" },
};
enum { TYPE_COUNT = COUNT(types) };

static const char *const target_fields[] = { "stableId", "selector", "text", "role", NULL };

/* Fields of every command. */
static const char *const envelope_fields[] = { "appId", "requestId", NULL };

/* Fields that are texts even if the value is valid JSON. */
static const char *const text_fields[] = { "stableId", "selector", "text", "role",
                                           "value",    "label",    NULL };

static bool has_name(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count && names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static const struct bridge_type *find_type(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(types[i].name, name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static bool refuse_type(const char *name, struct br_error *err)
{
    const char *names[TYPE_COUNT];
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        names[i] = types[i].name;
    }
    error_set(err, BR_INVALID_ACTION, "debug-bridge has no command \"%s\"", name);
    return names_hint(name, names, TYPE_COUNT, err);
}

/* Lists words for a message: "x=…, y=… or index=…". Caller frees. */
static char *list_words(const char *const *words, size_t count)
{
    CLEANUP_FREE char *list = xstrdup("");
    for (size_t i = 0; i < count && words[i]; i++) {
        bool is_last = i + 1 == count || !words[i + 1];
        char *longer = xasprintf("%s%s%s=…", list, i == 0 ? "" : is_last ? " or " : ", ", words[i]);
        free(list);
        list = longer;
    }
    return TAKE(list);
}

/* The path of a field from the top of the command. Caller frees. */
static char *place(const struct bridge_type *type, const char *name)
{
    size_t first = strcspn(name, ".");
    bool is_whole = strncmp(name, "target", first) == 0 || strncmp(name, "options", first) == 0;
    if (is_whole && (first == strlen("target") || first == strlen("options"))) {
        return xstrdup(name);
    }
    if (name[first] == '\0' && (has_name(type->own, MAX_FIELDS, name) ||
                                has_name(envelope_fields, COUNT(envelope_fields), name))) {
        return xstrdup(name);
    }
    bool is_target = type->takes_target && name[first] == '\0' &&
                     has_name(target_fields, COUNT(target_fields), name);
    return xasprintf("%s.%s", is_target ? "target" : "options", name);
}

/* Reads the value as a text or as JSON, by the field. NULL: it is not UTF-8. Caller decrefs. */
static json_t *read_value(const struct bridge_type *type, const char *path, const char *value)
{
    const char *dot = strrchr(path, '.');
    const char *name = dot ? dot + 1 : path;
    bool is_own = !dot && (has_name(type->own, MAX_FIELDS, path) ||
                           has_name(envelope_fields, COUNT(envelope_fields), path));
    bool is_text = is_own || has_name(text_fields, COUNT(text_fields), name);
    json_t *json = is_text ? NULL : json_loads(value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    return json ? json : json_string(value);
}

/*
 * Sets the value at the path; creates objects on the way. False: it is set already, or no object.
 */
static bool put(json_t *command, const char *path, json_t *value)
{
    const char *dot = strchr(path, '.');
    if (!dot) {
        return !json_object_get(command, path) && json_object_set(command, path, value) == 0;
    }
    CLEANUP_FREE char *name = xstrndup(path, (size_t)(dot - path));
    if (!*name || !dot[1]) {
        return false;
    }
    if (!json_object_get(command, name)) {
        json_object_set_new(command, name, json_object());
    }
    json_t *next = json_object_get(command, name);
    return json_is_object(next) && put(next, dot + 1, value);
}

static bool read_field(const struct bridge_type *type, const char *word, json_t *command,
                       struct br_error *err)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals == word) {
        error_set(err, BR_INVALID_ACTION, "%s: \"%s\" is not a field", type->name, word);
        return error_hint(err, "fields are written NAME=VALUE, such as stableId=save");
    }
    CLEANUP_FREE char *name = xstrndup(word, (size_t)(equals - word));
    CLEANUP_FREE char *path = place(type, name);
    json_auto_t *value = read_value(type, path, equals + 1);
    if (!value) {
        return error_set(err, BR_INVALID_ACTION, "%s: %s is not UTF-8", type->name, name);
    }
    bool is_whole = strcmp(path, "target") == 0 || strcmp(path, "options") == 0;
    if (is_whole && !json_is_object(value)) {
        return error_set(err, BR_INVALID_ACTION, "%s: %s must be a JSON object", type->name, path);
    }
    return put(command, path, value) ||
           error_set(err, BR_INVALID_ACTION, "%s: %s cannot be set, or is set twice", type->name,
                     name);
}

static bool has_any(const json_t *options, const char *const *names)
{
    for (size_t i = 0; i < MAX_FIELDS && names[i]; i++) {
        if (json_object_get(options, names[i])) {
            return true;
        }
    }
    return !names[0];
}

static bool check(const struct bridge_type *type, const json_t *command, struct br_error *err)
{
    const json_t *target = json_object_get(command, "target");
    if (type->needs_target && json_object_size(target) == 0) {
        error_set(err, BR_INVALID_ACTION, "%s needs an element", type->name);
        return error_hint(err, "give stableId=…, selector=… or %stext=…",
                          has_name(type->own, MAX_FIELDS, "text") ? "target." : "");
    }
    if (target && !type->takes_target) {
        return error_set(err, BR_INVALID_ACTION, "%s has no target", type->name);
    }
    if (type->needs && !json_object_get(command, type->needs)) {
        return error_set(err, BR_INVALID_ACTION, "%s needs %s=…", type->name, type->needs);
    }
    if (!has_any(json_object_get(command, "options"), type->any)) {
        CLEANUP_FREE char *names = list_words(type->any, MAX_FIELDS);
        return error_set(err, BR_INVALID_ACTION, "%s needs %s", type->name, names);
    }
    return true;
}

json_t *bridge_words_read(size_t count, char *const *words, struct br_error *err)
{
    const struct bridge_type *type = find_type(words[0]);
    if (!type) {
        refuse_type(words[0], err);
        return NULL;
    }
    json_auto_t *command = json_pack("{s:s}", "type", type->name);
    for (size_t i = 1; i < count; i++) {
        if (!read_field(type, words[i], command, err)) {
            return NULL;
        }
    }
    if (!check(type, command, err)) {
        return NULL;
    }
    if (type->repeats_options) {
        json_object_update_missing(command, json_object_get(command, "options"));
    }
    return TAKE(command);
}

static void add_missing(json_t *command, const char *name, json_t *value)
{
    json_auto_t *owned = value;
    if (!json_object_get(command, name)) {
        json_object_set(command, name, owned);
    }
}

void bridge_command_complete(json_t *command, const char *session_id, const char *app_id,
                             const char *prefix, unsigned number)
{
    CLEANUP_FREE char *request_id = xasprintf("%s-%u", prefix, number);
    add_missing(command, "protocolVersion", json_integer(1));
    add_missing(command, "sessionId", json_text(session_id));
    add_missing(command, "timestamp", json_integer(clock_wall_ms()));
    add_missing(command, "origin", json_string("agent"));
    add_missing(command, "requestId", json_string(request_id));
    if (app_id) {
        add_missing(command, "appId", json_text(app_id));
    }
}

const char *bridge_words_answer(const char *type)
{
    const struct bridge_type *found = type ? find_type(type) : NULL;
    return found ? found->answer : NULL;
}
