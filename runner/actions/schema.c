#include "runner/actions/schema.h"

#include "runner/actions/action_type.h"
#include "runner/actions/actions.h"
#include "runner/actions/rules.h"
#include "runner/actions/schema_kinds.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"

#include <string.h>

static json_t *words_of(const char *list)
{
    json_t *words = json_array();
    while (*list) {
        size_t length = strcspn(list, " ");
        json_array_append_new(words, json_stringn(list, length));
        list += length + strspn(list + length, " ");
    }
    return words;
}

static json_t *given(const char *name)
{
    return json_pack("{s:[s]}", "required", name);
}

/* Returns what counts as given for RULE_ONE and RULE_AT_MOST_ONE: anything except false. */
static json_t *meant(const struct param *row)
{
    json_t *schema = given(row->name);
    if (row->kind == PARAM_BOOLEAN) {
        json_object_set_new(schema, "properties", json_pack("{s:{s:b}}", row->name, "const", true));
    }
    return schema;
}

static json_t *not_of(json_t *schema)
{
    return json_pack("{s:o}", "not", schema);
}

/* Requires a parameter to have one of these values, counting its default. */
static json_t *has_value(const struct param *row, const char *values)
{
    json_t *allowed = row->kind == PARAM_BOOLEAN ? json_pack("[b]", rule_lists(values, "true"))
                                                 : words_of(values);
    json_t *schema = json_pack("{s:{s:{s:o}}}", "properties", row->name, "enum", allowed);
    if (!row->default_value || !rule_lists(values, row->default_value)) {
        json_object_set_new(schema, "required", json_pack("[s]", row->name));
    }
    return schema;
}

/* Returns the condition for the rule; NULL: always. */
static json_t *condition_of(const struct action_type *type, const struct rule *rule)
{
    if (!rule->when) {
        return NULL;
    }
    const struct param *row = action_type_param(type, rule->when);
    return rule->is       ? has_value(row, rule->is)
           : rule->is_not ? not_of(has_value(row, rule->is_not))
                          : given(rule->when);
}

static json_t *all_given(const struct param *const *rows, size_t count)
{
    json_t *names = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(names, json_string(rows[i]->name));
    }
    return json_pack("{s:o}", "required", names);
}

/* Returns {"anyOf": […]} or {"oneOf": […]} with one entry per row. */
static json_t *each(const char *how, const struct param *const *rows, size_t count,
                    json_t *(*one)(const struct param *row))
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, one(rows[i]));
    }
    return json_pack("{s:o}", how, list);
}

static json_t *given_row(const struct param *row)
{
    return given(row->name);
}

static json_t *at_most_one(const struct param *const *rows, size_t count)
{
    json_t *schema = each("oneOf", rows, count, meant);
    json_array_append_new(json_object_get(schema, "oneOf"),
                          not_of(each("anyOf", rows, count, meant)));
    return schema;
}

static json_t *said_by(const struct action_type *type, const struct rule *rule)
{
    const struct param *rows[RULE_NAMES];
    size_t count = action_type_names(type, rule->names, rows);
    switch (rule->kind) {
    case RULE_ALL:
        return all_given(rows, count);
    case RULE_ANY:
        return each("anyOf", rows, count, given_row);
    case RULE_ONE:
        return each("oneOf", rows, count, meant);
    case RULE_AT_MOST_ONE:
        return at_most_one(rows, count);
    case RULE_NONE:
        break;
    }
    return count == 1 ? not_of(given(rows[0]->name))
                      : not_of(each("anyOf", rows, count, given_row));
}

/* Describes a parameter that is always rejected, with the cure. */
static void refuse(json_t *schema, const struct rule *rule)
{
    json_object_set_new(
        json_object_get(schema, "properties"), rule->names,
        json_pack("{s:o, s:{}}", "description", json_sprintf("Not here: %s.", rule->hint), "not"));
}

/* Adds all rules of a type to `allOf` of its schema. */
static void schema_add_rules(json_t *schema, const struct action_type *type)
{
    struct action_tables tables = action_type_tables(type);
    json_auto_t *all = json_array();
    for (size_t i = 0; i < RULE_TABLES; i++) {
        for (const struct rule *rule = tables.rules[i]; rule && rule->names; rule++) {
            if (rule->kind == RULE_NONE && !rule->when) {
                refuse(schema, rule);
                continue;
            }
            json_t *condition = condition_of(type, rule);
            json_t *said = said_by(type, rule);
            json_array_append_new(
                all, condition ? json_pack("{s:o, s:o}", "if", condition, "then", said) : said);
        }
    }
    if (json_array_size(all)) {
        json_object_set(schema, "allOf", all);
    }
}

/* The shared tables, in the order in which they surround an action's own rows. */
static const struct param *const before_own[] = { shared_element_params, shared_text_params,
                                                  shared_place_params, NULL };

static void add_references(json_t *properties, const struct action_type *type,
                           const struct param *rows)
{
    for (const struct param *row = rows; row->name; row++) {
        if (action_type_param(type, row->name) == row) {
            json_object_set_new(properties, row->name,
                                json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", row->name)));
        }
    }
}

/* Returns the object schema of a type, without the parameters of every action. */
static json_t *schema_of_own(const struct action_type *type)
{
    json_t *schema = json_pack("{s:s, s:b, s:[], s:{}}", "type", "object", "additionalProperties",
                               false, "required", "properties");
    for (size_t i = 0; before_own[i]; i++) {
        add_references(json_object_get(schema, "properties"), type, before_own[i]);
    }
    schema_add_params(schema, type->params);
    return schema;
}

static json_t *schema_of_type(const struct action_type *type)
{
    json_t *schema = json_pack("{s:s}", "description", type->text);
    json_auto_t *own = schema_of_own(type);
    json_t *properties = json_pack("{s:{s:s}}", "type", "const", type->name);
    json_array_insert_new(json_object_get(own, "required"), 0, json_string("type"));
    json_object_update(properties, json_object_get(own, "properties"));
    add_references(properties, type, shared_common_params);
    json_object_update(schema, own);
    json_object_set_new(schema, "properties", properties);
    schema_add_rules(schema, type);
    return schema;
}

static json_t *schema_of_target(void)
{
    json_t *schema = schema_of_own(&action_hover);
    json_object_del(schema, "required");
    schema_add_rules(schema, &action_hover);
    return schema;
}

/* Returns the schema of one item of a PARAM_FIELDS array: an element, not a place, and its value.
 */
static json_t *schema_of_field(void)
{
    json_t *schema = schema_of_target();
    json_t *properties = json_object_get(schema, "properties");
    for (const struct param *row = shared_place_params; row->name; row++) {
        json_object_del(properties, row->name);
    }
    json_object_set_new(properties, "value", json_pack("{s:s}", "$ref", "#/$defs/fieldValue"));
    json_object_set_new(schema, "required", json_pack("[s]", "value"));
    return schema;
}

static void add_shared(json_t *definitions, const struct param *rows)
{
    for (const struct param *row = rows; row->name; row++) {
        json_object_set_new(definitions, row->name, schema_of_param(row));
    }
}

static json_t *definitions(void)
{
    json_t *all = json_object();
    add_shared(all, shared_common_params);
    for (size_t i = 0; before_own[i]; i++) {
        add_shared(all, before_own[i]);
    }
    json_auto_t *kinds = schema_kind_definitions();
    json_object_update(all, kinds);
    json_object_set_new(all, "target", schema_of_target());
    json_object_set_new(all, "field", schema_of_field());
    for (size_t i = 0; action_types[i]; i++) {
        json_object_set_new(all, action_types[i]->name, schema_of_type(action_types[i]));
    }
    return all;
}

json_t *schema_type_names(void)
{
    json_t *names = json_array();
    for (size_t i = 0; action_types[i]; i++) {
        json_array_append_new(names, json_string(action_types[i]->name));
    }
    return names;
}

/* Applies the definition of each type to actions of that type. */
static json_t *choice_of_type(void)
{
    json_t *all = json_array();
    for (size_t i = 0; action_types[i]; i++) {
        const char *name = action_types[i]->name;
        json_array_append_new(all, json_pack("{s:{s:{s:{s:s}}}, s:{s:o}}", "if", "properties",
                                             "type", "const", name, "then", "$ref",
                                             json_sprintf("#/$defs/%s", name)));
    }
    return all;
}

json_t *schema_instruction(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:[s], s:{s:{s:s, s:o}}, s:o, s:[{s:s, s:s}, {s:s, "
                     "s:s}, {s:s, s:b}], "
                     "s:o}",
                     "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                     "browser-runner: instruction", "description",
                     "One action as a JSON object, such as "
                     "{\"type\":\"click\",\"selector\":\"#go\"}. In XML the "
                     "same names are the elements of a browser_action. Unknown members are errors.",
                     "type", "object", "required", "type", "properties", "type", "description",
                     "Type of the action.", "enum", schema_type_names(), "allOf", choice_of_type(),
                     "examples", "type", "start", "url", "http://localhost:3000/", "type", "click",
                     "selector", "#go", "type", "screenshot", "fullPage", true, "$defs",
                     definitions());
}
