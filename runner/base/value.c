#include "runner/base/value.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <stdint.h>
#include <string.h>

enum { MAX_INDEX = 100000 };

const struct br_value *value_of(const json_t *json)
{
    return (const struct br_value *)json;
}

static json_t *json_of(const struct br_value *value)
{
    return (json_t *)value;
}

enum br_value_kind br_value_kind(const struct br_value *value)
{
    static const enum br_value_kind kinds[] = {
        [JSON_OBJECT] = BR_VALUE_OBJECT, [JSON_ARRAY] = BR_VALUE_LIST,
        [JSON_STRING] = BR_VALUE_TEXT,   [JSON_INTEGER] = BR_VALUE_NUMBER,
        [JSON_REAL] = BR_VALUE_NUMBER,   [JSON_TRUE] = BR_VALUE_BOOLEAN,
        [JSON_FALSE] = BR_VALUE_BOOLEAN, [JSON_NULL] = BR_VALUE_NULL,
    };
    return value ? kinds[json_typeof(json_of(value))] : BR_VALUE_ABSENT;
}

bool br_value_boolean(const struct br_value *value, bool fallback)
{
    return json_is_boolean(json_of(value)) ? json_is_true(json_of(value)) : fallback;
}

double br_value_number(const struct br_value *value, double fallback)
{
    return json_is_number(json_of(value)) ? json_number_value(json_of(value)) : fallback;
}

const char *br_value_text(const struct br_value *value, const char *fallback)
{
    return json_is_string(json_of(value)) ? json_string_value(json_of(value)) : fallback;
}

size_t br_value_count(const struct br_value *value)
{
    return json_is_array(json_of(value)) ? json_array_size(json_of(value))
                                         : json_object_size(json_of(value));
}

/* Returns the iterator of an object's member by index; NULL if there is none. */
static void *member_at(json_t *object, size_t index)
{
    void *member = json_object_iter(object);
    while (member && index-- > 0) {
        member = json_object_iter_next(object, member);
    }
    return member;
}

const struct br_value *br_value_item(const struct br_value *value, size_t index)
{
    json_t *json = json_of(value);
    void *member = json_is_object(json) ? member_at(json, index) : NULL;
    return value_of(member ? json_object_iter_value(member) : json_array_get(json, index));
}

const char *br_value_name(const struct br_value *value, size_t index)
{
    json_t *json = json_of(value);
    void *member = json_is_object(json) ? member_at(json, index) : NULL;
    return member ? json_object_iter_key(member) : NULL;
}

/* One step of a path: a member's name, or an index. */
struct step {
    char *name; /* NULL: an index */
    size_t index;
};

static void step_finish(struct step *step)
{
    free(step->name);
}

/* Reads the step at *path and advances past it. Returns false if there is no valid step. */
static bool take_step(const char **path, bool is_first, struct step *ret_step)
{
    const char *at = *path;
    *ret_step = (struct step){ 0 };
    if (*at == '[') {
        size_t digits = strspn(at + 1, "0123456789");
        for (size_t i = 1; i <= digits && ret_step->index <= MAX_INDEX; i++) {
            ret_step->index = ret_step->index * 10 + (size_t)(at[i] - '0');
        }
        *path = at + digits + 2;
        return digits > 0 && at[digits + 1] == ']' && ret_step->index <= MAX_INDEX;
    }
    if (!is_first && *at++ != '.') {
        return false;
    }
    size_t length = strcspn(at, ".[");
    *path = at + length;
    ret_step->name = xstrndup(at, length);
    return length > 0;
}

static json_t *follow(json_t *json, const struct step *step)
{
    return step->name ? json_object_get(json, step->name) : json_array_get(json, step->index);
}

const struct br_value *br_value_find(const struct br_value *value, const char *path)
{
    json_t *json = json_of(value);
    bool is_right = true;
    for (const char *at = path; is_right && json && *at;) {
        CLEANUP(step_finish) struct step step;
        is_right = take_step(&at, at == path, &step);
        json = is_right ? follow(json, &step) : NULL;
    }
    return value_of(json);
}

/* Takes ownership of the value; NULL removes the member. */
static bool put(json_t *parent, const struct step *step, json_t *value)
{
    if (!value) {
        return step->name ? json_object_del(parent, step->name) == 0 || json_is_object(parent)
                          : json_array_remove(parent, step->index) == 0;
    }
    return step->name ? json_object_set_new(parent, step->name, value) == 0
           : step->index == json_array_size(parent)
               ? json_array_append_new(parent, value) == 0
               : json_array_set_new(parent, step->index, value) == 0;
}

/* Whether the rest of a path is valid, and new lists begin at index 0. */
static bool is_path(const char *at, bool is_first, bool is_new)
{
    bool is_right = !is_first || *at;
    while (is_right && *at) {
        CLEANUP(step_finish) struct step step;
        is_right = take_step(&at, is_first, &step) && (!is_new || step.name || step.index == 0);
        is_first = false;
    }
    return is_right;
}

/* Takes ownership of the value. */
static bool put_at(json_t *object, const char *path, json_t *value)
{
    json_t *parent = object;
    for (const char *at = path; parent;) {
        CLEANUP(step_finish) struct step step;
        take_step(&at, at == path, &step);
        if (!*at) {
            return put(parent, &step, value);
        }
        json_t *next = follow(parent, &step);
        if (!next && value && is_path(at, false, true)) {
            next = *at == '[' ? json_array() : json_object();
            next = put(parent, &step, next) ? next : NULL;
        }
        parent = next;
    }
    json_decref(value);
    return false;
}

bool value_put(json_t *object, const char *path, json_t *value, struct br_error *err)
{
    bool is_readable = is_path(path, true, false);
    if (!is_readable) {
        json_decref(value);
    } else if (put_at(object, path, value)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "no value can be set at \"%.200s\"", path);
    return error_hint(err, "write it as \"viewport.width\" or \"route[0].url\"; lists have no "
                           "gaps");
}
