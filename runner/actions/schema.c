#include "runner/actions/schema.h"

#include "runner/actions/actions.h"
#include "runner/actions/schema_kinds.h"
#include "runner/actions/schema_rules.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"

#include <string.h>

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

/* Returns the schema of one item of a PARAM_FIELDS array. */
static json_t *schema_of_field(void)
{
    json_t *schema = schema_of_target();
    json_object_set_new(json_object_get(schema, "properties"), "value",
                        json_pack("{s:s}", "$ref", "#/$defs/fieldValue"));
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
