#include "runner/actions/param_cure.h"
#include "runner/actions/param_place.h"
#include "runner/actions/params.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/shape.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/page/element/keyboard.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_MEMBERS = 32 };

static bool wrong_kind(const struct br_action *action, const char *name, const json_t *value,
                       const char *wanted, struct br_error *err)
{
    shape_wrong_kind(value, wanted, err);
    return param_add_place(action, name, err);
}

/* The place of a value: the member `key` of `parent`. Messages name it by its path. */
struct place {
    json_t *parent;
    const char *key;
};

/* Restores the original text of a value that the front end converted by its looks. */
static bool check_text(const struct br_action *action, const struct param *param,
                       const struct place *place, struct br_error *err)
{
    const json_t *value = json_object_get(place->parent, place->key);
    if (!json_is_string(value)) {
        const char *written = action_param_text(action, param->name);
        if (!written) {
            return wrong_kind(action, param->name, value, "text", err);
        }
        json_object_set_new(place->parent, place->key, json_text(written));
    }
    return true;
}

static bool check_url(const struct br_action *action, const char *name, const char *url,
                      struct br_error *err)
{
    if (url_is_openable(url)) {
        return true;
    }
    param_error(action, name, err, "\"%s\" is no absolute http, https, file, data or about URL",
                url);
    CLEANUP_FREE char *cure = param_cure_url(url);
    return error_hint(err, "write it with its scheme%s %s", cure ? ":" : ", such as",
                      cure ? cure : "http://localhost:3000/");
}

static bool check_number(const struct br_action *action, const struct param *param,
                         const char *name, const json_t *value, struct br_error *err)
{
    bool is_limited = param->min != 0 || param->max != 0;
    return shape_number(value, is_limited ? param->min : -INFINITY,
                        is_limited ? param->max : INFINITY, param->kind != PARAM_NUMBER, err) ||
           param_add_place(action, name, err);
}

static bool check_boolean(const struct br_action *action, const char *name, const json_t *value,
                          struct br_error *err)
{
    return json_is_boolean(value) || wrong_kind(action, name, value, "true or false", err);
}

static bool check_choice(const struct br_action *action, const struct param *param,
                         const json_t *value, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf list = STRBUF_INIT(512);
    const char *text = json_string_value(value);
    size_t count = 0;
    for (; param->choices[count]; count++) {
        if (text && strcmp(text, param->choices[count]) == 0) {
            return true;
        }
        strbuf_add_format(&list, "%s%s", count ? ", " : "", param->choices[count]);
    }
    if (!text) {
        return wrong_kind(action, param->name, value, list.data, err);
    }
    const char *nearest = param_meant_choice(text, param->choices);
    nearest = nearest ? nearest : names_nearest(text, param->choices, count);
    param_error(action, param->name, err, "\"%s\" is none of %s", text, list.data);
    return nearest ? error_hint(err, "did you mean \"%s\"?", nearest) : false;
}

/*
 * Checks the number of items; for arrays of numbers, `min` and `max` apply to the numbers instead.
 */
static bool check_count(const struct br_action *action, const struct param *param,
                        const json_t *array, struct br_error *err)
{
    bool is_of_row = param->kind != PARAM_TEXTS && param->kind != PARAM_INTEGERS;
    double least = param->kind == PARAM_SELECTORS ? 1 : is_of_row ? param->min : 0;
    double most = is_of_row && param->max > 0 ? param->max
                  : is_of_row                 ? INFINITY
                                              : PARAM_MAX_LISTED;
    size_t count = json_array_size(array);
    if (count == 0 && least == 1 && isinf(most)) {
        return param_error(action, param->name, err, "is empty");
    }
    return ((double)count >= least && (double)count <= most) ||
           param_error(action, param->name, err, "has %zu items, not %g to %g", count, least, most);
}

static bool check_item(const struct br_action *action, const struct param *param,
                       const json_t *item, struct br_error *err)
{
    if (param->kind == PARAM_CHOICES) {
        return check_choice(action, param, item, err);
    }
    if (param->kind == PARAM_INTEGERS) {
        return check_number(action, param, param->name, item, err);
    }
    if (!json_is_string(item)) {
        return wrong_kind(action, param->name, item, "an array of text", err);
    }
    return json_string_length(item) > 0 ||
           param_error(action, param->name, err, "has an empty text");
}

static bool check_array(const struct br_action *action, const struct param *param,
                        const json_t *value, struct br_error *err)
{
    size_t index;
    json_t *item;
    if (!json_is_array(value)) {
        return wrong_kind(action, param->name, value, "an array", err);
    }
    if (!check_count(action, param, value, err)) {
        return false;
    }
    json_array_foreach (value, index, item) {
        if (!check_item(action, param, item, err)) {
            return false;
        }
    }
    return true;
}

static bool is_array_of_texts(const json_t *value)
{
    size_t index;
    json_t *item;
    json_array_foreach (value, index, item) {
        if (!json_is_string(item)) {
            return false;
        }
    }
    return json_is_array(value);
}

/* Text that only looks like an array stays text. */
static bool check_texts(const struct br_action *action, const struct param *param,
                        const struct place *place, struct br_error *err)
{
    const json_t *value = json_object_get(place->parent, place->key);
    return is_array_of_texts(value) ? check_count(action, param, value, err)
                                    : check_text(action, param, place, err);
}

/* A single selector becomes an array of one. */
static bool check_selectors(const struct br_action *action, const struct param *param,
                            const struct place *place, struct br_error *err)
{
    json_t *value = json_object_get(place->parent, place->key);
    if (json_is_string(value)) {
        json_object_set_new(place->parent, place->key, json_pack("[O]", value));
        value = json_object_get(place->parent, place->key);
    }
    return check_array(action, param, value, err);
}

static bool check_value(const struct br_action *action, const struct param *param,
                        const struct place *place, struct br_error *err);

static const struct param *find_row(const struct param *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0) {
        rows++;
    }
    return rows->name ? rows : NULL;
}

static bool unknown_member(const struct br_action *action, const struct param *param,
                           const char *name, struct br_error *err)
{
    const char *known[MAX_MEMBERS];
    size_t count = 0;
    CLEANUP_FREE char *path = xasprintf("%s.%s", param->name, name);
    for (const struct param *row = param->members; row->name && count < MAX_MEMBERS; row++) {
        known[count++] = row->name;
    }
    param_error(action, path, err, "is unknown");
    return names_hint(name, known, count, err);
}

static bool check_members(const struct br_action *action, const struct param *param, json_t *value,
                          struct br_error *err)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value)) {
        return wrong_kind(action, param->name, value, "an object", err);
    }
    json_object_foreach (value, key, member) {
        if (!find_row(param->members, key)) {
            return unknown_member(action, param, key, err);
        }
    }
    for (const struct param *row = param->members; row->name; row++) {
        CLEANUP_FREE char *path = xasprintf("%s.%s", param->name, row->name);
        struct param named = *row;
        named.name = path;
        if (!json_object_get(value, row->name)) {
            if (row->is_required) {
                return param_error(action, param->name, err, "needs a \"%s\"", row->name);
            }
        } else if (!check_value(action, &named, &(struct place){ value, row->name }, err)) {
            return false;
        }
    }
    return true;
}

/* Checks the shape; the action validates the fields. */
static bool check_fields(const struct br_action *action, const struct param *param,
                         const json_t *value, struct br_error *err)
{
    size_t count = json_is_array(value) ? json_array_size(value) : json_object_size(value);
    if (!json_is_array(value) && !json_is_object(value)) {
        return wrong_kind(action, param->name, value, "an object of names and values, or an array",
                          err);
    }
    return (count > 0 && count <= PARAM_MAX_LISTED) ||
           param_error(action, param->name, err, "has %zu members, not 1 to %d", count,
                       PARAM_MAX_LISTED);
}

static bool check_list(const struct br_action *action, const struct param *param,
                       const struct place *place, struct br_error *err)
{
    size_t index;
    json_t *member;
    json_t *value = json_object_get(place->parent, place->key);
    if (!json_is_array(value)) {
        return wrong_kind(action, param->name, value, "an array", err);
    }
    if (!check_count(action, param, value, err)) {
        return false;
    }
    json_array_foreach (value, index, member) {
        CLEANUP_FREE char *path = xasprintf("%s[%zu]", param->name, index);
        struct param item = *param;
        item.name = path;
        if (!check_members(action, &item, member, err)) {
            return false;
        }
    }
    return true;
}

static bool check_text_kind(const struct br_action *action, const struct param *param,
                            const struct place *place, struct br_error *err)
{
    if (!check_text(action, param, place, err)) {
        return false;
    }
    const char *text = json_member_string(place->parent, place->key);
    if (param->kind != PARAM_TEXT && *text == '\0') {
        return param_error(action, param->name, err, "is empty");
    }
    if (param->kind == PARAM_URL) {
        return check_url(action, param->name, text, err);
    }
    if (param->kind == PARAM_KEYS && !page_key_is_known(text)) {
        param_error(action, param->name, err, "\"%s\" is no key", text);
        CLEANUP_FREE char *meant = page_keys_meant(text);
        return meant ? error_hint(err, "did you mean \"%s\"?", meant)
                     : error_hint(err, "write keys like Enter, a, Control+Shift+ArrowLeft");
    }
    return true;
}

/* Returns the JSON types that text may contain for this kind, as bits; 0: text stays text. */
static unsigned json_types(enum param_kind kind)
{
    switch (kind) {
    case PARAM_TEXT:
    case PARAM_NAME:
    case PARAM_NODE:
    case PARAM_URL:
    case PARAM_KEYS:
    case PARAM_CHOICE:
        break;
    case PARAM_NUMBER:
    case PARAM_INTEGER:
        return PARAM_JSON_NUMBER;
    case PARAM_BOOLEAN:
        return PARAM_JSON(JSON_TRUE) | PARAM_JSON(JSON_FALSE);
    case PARAM_INTEGERS:
        return PARAM_JSON_NUMBER | PARAM_JSON(JSON_ARRAY);
    case PARAM_CHOICES:
    case PARAM_NAMES:
    case PARAM_TEXTS:
    case PARAM_SELECTORS:
    case PARAM_LIST:
    case PARAM_VALUES:
        return PARAM_JSON(JSON_ARRAY);
    case PARAM_RANGE:
    case PARAM_POINT:
    case PARAM_BOX:
    case PARAM_TARGET:
    case PARAM_ACTION:
    case PARAM_HEADERS:
    case PARAM_MEMBERS:
        return PARAM_JSON(JSON_OBJECT);
    case PARAM_FIELDS:
        return PARAM_JSON(JSON_OBJECT) | PARAM_JSON(JSON_ARRAY);
    case PARAM_CLOCK:
        return PARAM_JSON_NUMBER | PARAM_JSON(JSON_TRUE) | PARAM_JSON(JSON_FALSE) |
               PARAM_JSON(JSON_OBJECT);
    }
    return 0;
}

/* Replaces JSON text by its value, if the kind accepts that. */
static bool take_json(const struct br_action *action, const struct param *param,
                      const struct place *place, struct br_error *err)
{
    bool may_be_text = param->kind == PARAM_TEXTS || param->kind == PARAM_SELECTORS;
    json_auto_t *written = json_incref(json_object_get(place->parent, place->key));
    CLEANUP_FREE char *why = param_take_json(place->parent, place->key, json_types(param->kind));
    if (may_be_text && !is_array_of_texts(json_object_get(place->parent, place->key))) {
        json_object_set(place->parent, place->key, written);
    }
    return !why || may_be_text || param_error(action, param->name, err, "%s", why);
}

static bool check_kind(const struct br_action *action, const struct param *param,
                       const struct place *place, struct br_error *err)
{
    if (!take_json(action, param, place, err)) {
        return false;
    }
    json_t *value = json_object_get(place->parent, place->key);
    switch (param->kind) {
    case PARAM_TEXT:
    case PARAM_NAME:
    case PARAM_NODE:
    case PARAM_URL:
    case PARAM_KEYS:
        return check_text_kind(action, param, place, err);
    case PARAM_NUMBER:
    case PARAM_INTEGER:
        return check_number(action, param, param->name, value, err);
    case PARAM_BOOLEAN:
        return check_boolean(action, param->name, value, err);
    case PARAM_CHOICE:
        return check_choice(action, param, value, err);
    case PARAM_CHOICES:
    case PARAM_NAMES:
        return check_array(action, param, value, err);
    case PARAM_TEXTS:
        return check_texts(action, param, place, err);
    case PARAM_INTEGERS:
        return json_is_array(value) ? check_array(action, param, value, err)
                                    : check_number(action, param, param->name, value, err);
    case PARAM_SELECTORS:
        return check_selectors(action, param, place, err);
    case PARAM_RANGE:
        return param_check_range(action, param, value, err);
    case PARAM_POINT:
        return param_check_point(action, param, value, err);
    case PARAM_BOX:
        return param_check_box(action, param, value, err);
    case PARAM_TARGET:
    case PARAM_ACTION:
    case PARAM_HEADERS:
        return json_is_object(value) || wrong_kind(action, param->name, value, "an object", err);
    case PARAM_FIELDS:
        return check_fields(action, param, value, err);
    case PARAM_VALUES:
        return json_is_array(value) || wrong_kind(action, param->name, value, "an array", err);
    case PARAM_CLOCK:
        return true;
    case PARAM_MEMBERS:
        return check_members(action, param, value, err);
    case PARAM_LIST:
        return check_list(action, param, place, err);
    }
    return true;
}

/*
 * Returns what the value was meant to be, if another form of it is valid; NULL: unknown. Caller
 * decrefs.
 */
static json_t *cure_of(const struct br_action *action, const struct param *param,
                       const json_t *value)
{
    struct br_error ignored;
    json_t *cure = param_cure(param, value);
    json_auto_t *parent = cure ? json_pack("{s:O}", "cure", cure) : NULL;
    if (cure && !check_kind(action, param, &(struct place){ parent, "cure" }, &ignored)) {
        json_decref(cure);
        cure = NULL;
    }
    return cure;
}

/* Adds a hint to an error without one: the corrected value, or an example. */
static bool hint_right(const struct br_action *action, const struct param *param,
                       const json_t *value, struct br_error *err)
{
    if (*err->hint) {
        return false;
    }
    json_auto_t *cure = value ? cure_of(action, param, value) : NULL;
    json_auto_t *right = cure ? json_incref(cure) : param_example(param);
    CLEANUP_FREE char *text = json_dumps(right, JSON_ENCODE_ANY);
    return error_hint(err, "write it as %s",
                      json_is_string(right) ? json_string_value(right) : text);
}

static bool check_value(const struct br_action *action, const struct param *param,
                        const struct place *place, struct br_error *err)
{
    return check_kind(action, param, place, err) ||
           hint_right(action, param, json_object_get(place->parent, place->key), err);
}

bool param_check(struct br_action *action, const struct param *param, struct br_error *err)
{
    struct place place = { action->params, param->name };
    if (json_object_get(action->params, param->name)) {
        return check_value(action, param, &place, err);
    }
    if (param->is_required) {
        param_error(action, NULL, err, "needs a \"%s\"", param->name);
        return hint_right(action, param, NULL, err);
    }
    return true;
}
