#include "runner/actions/schema_kinds.h"

/* kinds.schema.json describes what param_check.c, clock.c and route.c check for these kinds. */
extern const char schema_kinds[];

json_t *schema_kind_definitions(void)
{
    return json_loads(schema_kinds, 0, NULL);
}

static json_t *reference_to(enum param_kind kind)
{
    static const char *const names[] = {
        [PARAM_NODE] = "nodeId",   [PARAM_URL] = "url",     [PARAM_RANGE] = "range",
        [PARAM_POINT] = "point",   [PARAM_BOX] = "box",     [PARAM_HEADERS] = "headers",
        [PARAM_CLOCK] = "clock",   [PARAM_ACTION] = "step", [PARAM_TARGET] = "target",
        [PARAM_FIELDS] = "fields",
    };
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", names[kind]));
}

/* Returns an integral number as an integer: 1 instead of 1.0. */
static json_t *number_of(double value)
{
    json_int_t whole = (json_int_t)value;
    return (double)whole == value ? json_integer(whole) : json_real(value);
}

static json_t *number(const struct param *param)
{
    json_t *schema = json_pack("{s:s}", "type", param->kind == PARAM_NUMBER ? "number" : "integer");
    if (param->min != 0 || param->max != 0) {
        json_object_set_new(schema, "minimum", number_of(param->min));
        json_object_set_new(schema, "maximum", number_of(param->max));
    }
    return schema;
}

static json_t *choice(const struct param *param)
{
    json_t *values = json_array();
    for (const char *const *value = param->choices; *value; value++) {
        json_array_append_new(values, json_string(*value));
    }
    return json_pack("{s:o}", "enum", values);
}

static json_t *text(size_t least)
{
    return least ? json_pack("{s:s, s:i}", "type", "string", "minLength", (int)least)
                 : json_pack("{s:s}", "type", "string");
}

/* Returns the schema of an array. Takes ownership of items; limits of 0 are omitted. */
static json_t *array(json_t *items, double least, double most)
{
    json_t *schema = json_pack("{s:s, s:o}", "type", "array", "items", items);
    if (least > 0) {
        json_object_set_new(schema, "minItems", number_of(least));
    }
    if (most > 0) {
        json_object_set_new(schema, "maxItems", number_of(most));
    }
    return schema;
}

/* Returns the schema of one item or an array. Takes ownership of both. */
static json_t *one_or_many(json_t *one, json_t *many)
{
    return json_pack("{s:[o, o]}", "anyOf", one, many);
}

static json_t *members(const struct param *rows)
{
    json_t *object = json_pack("{s:s, s:b, s:[], s:{}}", "type", "object", "additionalProperties",
                               false, "required", "properties");
    schema_add_params(object, rows);
    if (json_array_size(json_object_get(object, "required")) == 0) {
        json_object_del(object, "required");
    }
    return object;
}

static json_t *value_of(const struct param *param)
{
    switch (param->kind) {
    case PARAM_TEXT:
        return text(0);
    case PARAM_NAME:
    case PARAM_KEYS:
        return text(1);
    case PARAM_NUMBER:
    case PARAM_INTEGER:
        return number(param);
    case PARAM_BOOLEAN:
        return json_pack("{s:s}", "type", "boolean");
    case PARAM_CHOICE:
        return choice(param);
    case PARAM_CHOICES:
        return array(choice(param), param->min, param->max);
    case PARAM_NAMES:
        return array(text(1), param->min, param->max);
    case PARAM_TEXTS:
        return one_or_many(text(0), array(text(0), 0, PARAM_MAX_LISTED));
    case PARAM_INTEGERS:
        return one_or_many(number(param), array(number(param), 0, PARAM_MAX_LISTED));
    case PARAM_SELECTORS:
        return one_or_many(text(1), array(text(1), 1, param->max));
    case PARAM_VALUES:
        return json_pack("{s:s}", "type", "array");
    case PARAM_MEMBERS:
        return members(param->members);
    case PARAM_LIST:
        return array(members(param->members), param->min, param->max);
    case PARAM_NODE:
    case PARAM_URL:
    case PARAM_RANGE:
    case PARAM_POINT:
    case PARAM_BOX:
    case PARAM_TARGET:
    case PARAM_ACTION:
    case PARAM_HEADERS:
    case PARAM_FIELDS:
    case PARAM_CLOCK:
        break;
    }
    return reference_to(param->kind);
}

json_t *schema_of_param(const struct param *param)
{
    json_t *schema = value_of(param);
    json_t *written = param_written(param, param->default_value);
    if (param->text) {
        json_object_set_new(schema, "description", json_string(param->text));
    }
    if (written) {
        json_object_set_new(schema, "default", written);
    }
    if (param->example) {
        json_object_set_new(schema, "examples",
                            json_pack("[o]", param_written(param, param->example)));
    }
    return schema;
}

void schema_add_params(json_t *object, const struct param *rows)
{
    for (const struct param *row = rows; row && row->name; row++) {
        json_object_set_new(json_object_get(object, "properties"), row->name, schema_of_param(row));
        if (row->is_required) {
            json_array_append_new(json_object_get(object, "required"), json_string(row->name));
        }
    }
}
