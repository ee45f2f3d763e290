#include "runner/console/event.h"

#include "runner/base/memory.h"

#include <limits.h>
#include <string.h>

static const struct {
    const char *name;
    const char *other_name; /* Puppeteer's; NULL: the same */
    enum console_level level;
} methods[CONSOLE_METHODS] = {
    [CONSOLE_LOG] = { "log", NULL, LEVEL_LOG },
    [CONSOLE_INFO] = { "info", NULL, LEVEL_INFO },
    [CONSOLE_WARN] = { "warn", "warning", LEVEL_WARN },
    [CONSOLE_ERROR] = { "error", NULL, LEVEL_ERROR },
    [CONSOLE_DEBUG] = { "debug", "verbose", LEVEL_DEBUG },
    [CONSOLE_TRACE] = { "trace", NULL, LEVEL_LOG },
    [CONSOLE_TABLE] = { "table", NULL, LEVEL_LOG },
    [CONSOLE_GROUP] = { "group", "startGroup", LEVEL_LOG },
    [CONSOLE_GROUP_COLLAPSED] = { "groupCollapsed", "startGroupCollapsed", LEVEL_LOG },
    [CONSOLE_GROUP_END] = { "groupEnd", "endGroup", LEVEL_LOG },
    [CONSOLE_CLEAR] = { "clear", NULL, LEVEL_LOG },
    [CONSOLE_COUNT] = { "count", NULL, LEVEL_LOG },
    [CONSOLE_COUNT_RESET] = { "countReset", NULL, LEVEL_LOG },
    [CONSOLE_TIME] = { "time", NULL, LEVEL_LOG },
    [CONSOLE_TIME_END] = { "timeEnd", NULL, LEVEL_LOG },
    [CONSOLE_TIME_LOG] = { "timeLog", NULL, LEVEL_LOG },
    [CONSOLE_ASSERT] = { "assert", NULL, LEVEL_ERROR },
    [CONSOLE_DIR] = { "dir", NULL, LEVEL_LOG },
    [CONSOLE_DIRXML] = { "dirxml", NULL, LEVEL_LOG },
};

static const char *const levels[] = { "debug", "log", "info", "warn", "error" };

static const char *const kinds[CONSOLE_KINDS] = {
    [KIND_STRING] = "string",
    [KIND_NUMBER] = "number",
    [KIND_BOOLEAN] = "boolean",
    [KIND_NULL] = "null",
    [KIND_UNDEFINED] = "undefined",
    [KIND_OBJECT] = "object",
    [KIND_ARRAY] = "array",
    [KIND_FUNCTION] = "function",
    [KIND_DOM] = "dom",
    [KIND_CIRCULAR] = "circular",
    [KIND_ERROR] = "error",
    [KIND_SYMBOL] = "symbol",
    [KIND_BIGINT] = "bigint",
    [KIND_DATE] = "date",
    [KIND_REGEXP] = "regexp",
    [KIND_PROMISE] = "promise",
    [KIND_MAP] = "map",
    [KIND_SET] = "set",
    [KIND_WEAKMAP] = "weakmap",
    [KIND_WEAKSET] = "weakset",
    [KIND_ARRAYBUFFER] = "arraybuffer",
    [KIND_TYPEDARRAY] = "typedarray",
    [KIND_DATAVIEW] = "dataview",
    [KIND_MAX_DEPTH] = "max-depth",
    [KIND_ACCESSOR] = "accessor",
    [KIND_JSON] = "json",
};

const char *console_method_name(enum console_method method)
{
    return methods[method].name;
}

enum console_level console_method_level(enum console_method method)
{
    return methods[method].level;
}

bool console_method_find(const char *name, enum console_method *ret_method)
{
    for (int i = 0; i < CONSOLE_METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            *ret_method = (enum console_method)i;
            return true;
        }
    }
    return false;
}

void console_method_find_chrome(const char *name, enum console_method *ret_method)
{
    *ret_method = CONSOLE_LOG;
    for (int i = 0; name && i < CONSOLE_METHODS; i++) {
        const char *other = methods[i].other_name;
        if (strcmp(other ? other : methods[i].name, name) == 0 ||
            strcmp(methods[i].name, name) == 0) {
            *ret_method = (enum console_method)i;
        }
    }
}

const char *console_level_name(enum console_level level)
{
    return levels[level];
}

uint32_t console_methods_named(const char *word)
{
    uint32_t found = 0;
    for (int i = 0; i < CONSOLE_METHODS; i++) {
        const char *other = methods[i].other_name;
        bool is_named = strcmp(methods[i].name, word) == 0 || (other && strcmp(other, word) == 0);
        found |= is_named ? 1U << i : 0;
    }
    for (int i = 0; found && i < CONSOLE_METHODS; i++) {
        /* A method with the name of a level means all methods of that level. */
        enum console_level level = methods[i].level;
        enum console_method head;
        if (console_method_find(levels[level], &head) && found & 1U << head) {
            found |= 1U << i;
        }
    }
    return found;
}

const char *console_kind_name(enum console_kind kind)
{
    return kinds[kind];
}

bool console_kind_find(const char *name, enum console_kind *ret_kind)
{
    for (int i = 0; i < KIND_JSON; i++) {
        if (strcmp(kinds[i], name) == 0) {
            *ret_kind = (enum console_kind)i;
            return true;
        }
    }
    return false;
}

struct console_location console_location_read(const char *text)
{
    struct console_location location = { 0 };
    const char *column = text ? strrchr(text, ':') : NULL;
    const char *line = column && column > text ? column - 1 : NULL;
    while (line && line > text && *line >= '0' && *line <= '9') {
        line--;
    }
    if (!line || *line != ':' || line == column - 1) {
        location.url = text ? xstrdup(text) : NULL;
        return location;
    }
    long numbers[] = { strtol(line + 1, NULL, 10), strtol(column + 1, NULL, 10) };
    location.url = xstrndup(text, (size_t)(line - text));
    location.line = numbers[0] <= INT_MAX ? (int)numbers[0] : 0;
    location.column = numbers[1] <= INT_MAX ? (int)numbers[1] : 0;
    return location;
}

struct console_member *console_event_add_member(struct console_value *value, size_t *capacity)
{
    value->members = array_reserve(value->members, value->count, capacity, sizeof(*value->members));
    struct console_member *member = &value->members[value->count++];
    *member = (struct console_member){ 0 };
    return member;
}

void console_value_finish(struct console_value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        struct console_member *member = &value->members[i];
        if (member->key_value) {
            console_value_finish(member->key_value);
            free(member->key_value);
        }
        free(member->key);
        console_value_finish(&member->value);
    }
    free(value->members);
    free(value->text);
    free(value->name);
    free(value->class_name);
    free(value->stack);
    json_decref(value->json);
}

void console_event_destroy(struct console_event *event)
{
    if (!event) {
        return;
    }
    for (size_t i = 0; i < event->count; i++) {
        console_value_finish(&event->args[i]);
    }
    free(event->args);
    free(event->source.tab);
    free(event->source.url);
    free(event->source.title);
    free(event->location.url);
    free(event->generated.url);
    free(event->stack);
    free(event->result);
    free(event);
}
