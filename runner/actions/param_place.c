#include "runner/actions/param_place.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/shape.h"

#include <stdlib.h>
#include <string.h>

char *param_take_json(json_t *parent, const char *key, unsigned types)
{
    struct br_error why;
    const json_t *member = json_object_get(parent, key);
    const char *text = json_string_value(member);
    if (!text || !types) {
        return NULL;
    }
    json_auto_t *value = json_parse(text, json_string_length(member), "its text", &why);
    if (value && types & PARAM_JSON(json_typeof(value))) {
        json_object_set(parent, key, value);
    }
    return !value && strchr("{[", text[strspn(text, " \t\r\n")]) ? xstrdup(why.message) : NULL;
}

/* Checks for an object with exactly these numbers. */
static bool check_numbers(const struct br_action *action, const struct param *param, json_t *value,
                          const char *const *names, size_t count, struct br_error *err)
{
    if (!json_is_object(value)) {
        shape_wrong_kind(value, "an object", err);
        return param_add_place(action, param->name, err);
    }
    for (size_t i = 0; i < count; i++) {
        free(param_take_json(value, names[i], PARAM_JSON_NUMBER));
        if (!json_is_number(json_object_get(value, names[i]))) {
            return param_error(action, param->name, err, "has no number \"%s\"", names[i]);
        }
    }
    return json_object_size(value) == count ||
           param_error(action, param->name, err, "has more members than allowed");
}

bool param_check_range(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err)
{
    static const char *const names[] = { "min", "max" };
    if (!check_numbers(action, param, value, names, 2, err)) {
        return false;
    }
    double min = json_member_number(value, "min", 0);
    double max = json_member_number(value, "max", 0);
    if (min > max) {
        return param_error(action, param->name, err, "min %g is over max %g", min, max);
    }
    if (min < 0) {
        return param_error(action, param->name, err, "min %g is outside the viewport", min);
    }
    return true;
}

bool param_check_point(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err)
{
    static const char *const names[] = { "x", "y" };
    if (!check_numbers(action, param, value, names, 2, err)) {
        return false;
    }
    return (json_member_number(value, "x", 0) >= 0 && json_member_number(value, "y", 0) >= 0) ||
           param_error(action, param->name, err, "is relative to the element's corner");
}

bool param_check_box(const struct br_action *action, const struct param *param, json_t *value,
                     struct br_error *err)
{
    static const char *const names[] = { "x", "y", "width", "height" };
    if (!check_numbers(action, param, value, names, 4, err)) {
        return false;
    }
    if (json_member_number(value, "width", 0) < 1 || json_member_number(value, "height", 0) < 1) {
        return param_error(action, param->name, err, "is empty");
    }
    return (json_member_number(value, "x", 0) >= 0 && json_member_number(value, "y", 0) >= 0) ||
           param_error(action, param->name, err, "is relative to the document's corner");
}
