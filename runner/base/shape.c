#include "runner/base/shape.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <math.h>
#include <string.h>

/* The largest time value of a JavaScript date; doubles represent all integers below it. */
#define MAX_AMOUNT 8.64e15

static const char *const kind_names[] = {
    [SHAPE_TEXT] = "a text",
    [SHAPE_NAME] = "a text that is not empty",
    [SHAPE_COUNT] = "an integer that is not negative",
    [SHAPE_AMOUNT] = "a number that is not negative",
    [SHAPE_NUMBER] = "a number",
    [SHAPE_BOOLEAN] = "true or false",
    [SHAPE_CHOICE] = "one of those that there are",
    [SHAPE_TEXTS] = "a list of texts",
    [SHAPE_OBJECT] = "an object",
    [SHAPE_OBJECTS] = "a list of objects",
};

static bool is_amount(const json_t *value)
{
    return json_number_value(value) >= 0 && json_number_value(value) <= MAX_AMOUNT;
}

static bool is_one_of(const char *text, const char *const *choices)
{
    while (text && *choices && strcmp(*choices, text) != 0) {
        choices++;
    }
    return text && *choices;
}

static bool is_of_kind(const json_t *value, const struct shape *shape)
{
    switch (shape->kind) {
    case SHAPE_TEXT:
        return json_is_string(value);
    case SHAPE_NAME:
        return json_string_length(value) > 0;
    case SHAPE_COUNT:
        return json_is_integer(value) && is_amount(value);
    case SHAPE_AMOUNT:
        return json_is_number(value) && is_amount(value);
    case SHAPE_NUMBER:
        return json_is_number(value);
    case SHAPE_BOOLEAN:
        return json_is_boolean(value);
    case SHAPE_CHOICE:
        return is_one_of(json_string_value(value), shape->choices);
    case SHAPE_TEXTS:
    case SHAPE_OBJECTS:
        return json_is_array(value);
    case SHAPE_OBJECT:
        return json_is_object(value);
    }
    return false;
}

static bool check_value(const json_t *value, const struct shape *shape, const char *path,
                        struct br_error *err);

static bool check_items(const json_t *items, const struct shape *shape, const char *path,
                        struct br_error *err)
{
    const json_t *item;
    size_t index;
    const struct shape of_item = { .kind = shape->kind == SHAPE_TEXTS ? SHAPE_TEXT : SHAPE_OBJECT,
                                   .of = shape->of };
    json_array_foreach (items, index, item) {
        CLEANUP_FREE char *inner = xasprintf("%s[%zu]", path, index);
        if (!check_value(item, &of_item, inner, err)) {
            return false;
        }
    }
    return true;
}

static bool check_value(const json_t *value, const struct shape *shape, const char *path,
                        struct br_error *err)
{
    if (!is_of_kind(value, shape)) {
        return error_set(err, BR_INVALID_ACTION, "%s is not %s", path, kind_names[shape->kind]);
    }
    return shape->kind == SHAPE_OBJECT ? shape_check(value, shape->of, path, err)
                                       : check_items(value, shape, path, err);
}

bool shape_check(const json_t *object, const struct shape *members, const char *path,
                 struct br_error *err)
{
    for (const struct shape *member = members; member->name; member++) {
        CLEANUP_FREE char *inner = xasprintf("%s%s%s", path, *path ? "." : "", member->name);
        const json_t *value = json_object_get(object, member->name);
        if (!value && member->is_required) {
            return error_set(err, BR_INVALID_ACTION, "%s is missing", inner);
        }
        if (value && !check_value(value, member, inner, err)) {
            return false;
        }
    }
    return true;
}

bool shape_wrong_kind(const json_t *value, const char *wanted, struct br_error *err)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return error_set(err, BR_INVALID_ACTION, "takes %s, not %s", wanted, names[json_typeof(value)]);
}

bool shape_number(const json_t *value, double min, double max, bool is_whole, struct br_error *err)
{
    double number = json_number_value(value);
    if (!json_is_number(value)) {
        return shape_wrong_kind(value, "a number", err);
    }
    if (is_whole && number != floor(number)) {
        return error_set(err, BR_INVALID_ACTION, "takes a whole number, not %.15g", number);
    }
    /* NaN fails both comparisons. */
    return (number >= min && number <= max) ||
           error_set(err, BR_INVALID_ACTION, "%.15g is not between %.15g and %.15g", number, min,
                     max);
}
