#include "runner/actions/tools.h"

#include "runner/actions/actions.h"
#include "runner/actions/rules.h"
#include "runner/actions/schema_kinds.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"

#include <ctype.h>
#include <string.h>

const char *const tools_provider_names[] = {
    [TOOLS_ANTHROPIC] = "anthropic",
    [TOOLS_OPENAI] = "openai",
    [TOOLS_GEMINI] = "gemini",
    NULL,
};

struct tools {
    enum tools_provider provider;
    bool is_all;
    json_t *definitions; /* definitions that the rows' schemas refer to */
};

/* Returns a copy in which a reference is replaced by its definition. */
static json_t *resolved(const struct tools *tools, const json_t *schema)
{
    json_t *whole = json_copy((json_t *)schema);
    const char *reference = json_member_string(whole, "$ref");
    if (reference) {
        json_t *definition = json_object_get(tools->definitions, reference + strlen("#/$defs/"));
        json_auto_t *below = definition ? resolved(tools, definition) : json_object();
        json_object_update_missing(whole, below);
        json_object_del(whole, "$ref");
    }
    return whole;
}

/* Returns the first sentence, or all of them. */
static json_t *description_of(const struct tools *tools, const char *text)
{
    const char *end = strstr(text, ". ");
    return json_stringn(text, end && !tools->is_all ? (size_t)(end - text + 1) : strlen(text));
}

/* Gemini writes types as enum names. */
static json_t *type_name(const struct tools *tools, const char *type)
{
    char name[16] = "";
    for (size_t i = 0; type[i] && i + 1 < sizeof(name); i++) {
        name[i] = tools->provider == TOOLS_GEMINI ? (char)toupper((unsigned char)type[i]) : type[i];
    }
    return json_string(name);
}

static json_t *empty_object(const struct tools *tools)
{
    json_t *object = json_pack("{s:o, s:{}, s:[]}", "type", type_name(tools, "object"),
                               "properties", "required");
    if (tools->provider == TOOLS_OPENAI) {
        json_object_set_new(object, "additionalProperties", json_false());
    }
    return object;
}

/* Some providers reject an empty `required`. */
static json_t *without_empty(json_t *object)
{
    if (json_array_size(json_object_get(object, "required")) == 0) {
        json_object_del(object, "required");
    }
    return object;
}

static json_t *simplified(const struct tools *tools, const json_t *schema);

/*
 * Simplifies an object whose schema lists its members; NULL if it does not but the provider
 * requires it.
 */
static json_t *simplified_object(const struct tools *tools, const json_t *schema)
{
    const char *name;
    json_t *member;
    json_t *members = json_object_get(schema, "properties");
    if (!members) {
        return tools->provider == TOOLS_GEMINI ? NULL : json_pack("{s:s}", "type", "object");
    }
    json_t *object = empty_object(tools);
    json_t *told = json_object_get(object, "properties");
    json_object_foreach (members, name, member) {
        json_t *plain = simplified(tools, member);
        if (plain) {
            json_object_set_new(told, name, plain);
        }
    }
    size_t index;
    json_t *needed;
    json_array_foreach (json_object_get(schema, "required"), index, needed) {
        if (!json_object_get(told, json_string_value(needed))) {
            json_decref(object);
            return NULL;
        }
        json_array_append(json_object_get(object, "required"), needed);
    }
    return without_empty(object);
}

static json_t *simplified_array(const struct tools *tools, const json_t *schema)
{
    json_t *items = simplified(tools, json_object_get(schema, "items"));
    return items ? json_pack("{s:o, s:o}", "type", type_name(tools, "array"), "items", items)
                 : NULL;
}

static void copy_members(const struct tools *tools, const json_t *from, json_t *to)
{
    static const char *const limits[] = { "minimum", "maximum", "minItems", "maxItems", "default" };
    const char *text = json_member_string(from, "description");
    json_t *choices = json_object_get(from, "enum");
    if (text) {
        json_object_set_new(to, "description", description_of(tools, text));
    }
    if (choices) {
        json_object_set(to, "enum", choices);
    }
    for (size_t i = 0; tools->is_all && i < sizeof(limits) / sizeof(limits[0]); i++) {
        json_t *value = json_object_get(from, limits[i]);
        if (value) {
            json_object_set(to, limits[i], value);
        }
    }
}

/*
 * Returns a schema without what some providers reject: references, alternatives (the first one is
 * used), and constraints on several members. NULL if the provider cannot express it.
 */
static json_t *simplified(const struct tools *tools, const json_t *schema)
{
    json_auto_t *whole = resolved(tools, schema);
    json_t *ways = json_object_get(whole, "anyOf");
    const char *type = json_member_string(whole, "type");
    json_t *plain = ways ? simplified(tools, json_array_get(ways, 0))
                    : type && strcmp(type, "object") == 0 ? simplified_object(tools, whole)
                    : type && strcmp(type, "array") == 0
                        ? simplified_array(tools, whole)
                        : json_pack("{s:o}", "type", type_name(tools, type ? type : "string"));
    if (plain) {
        copy_members(tools, whole, plain);
    }
    return plain;
}

static json_t *arguments_of(const struct tools *tools, const struct action_type *type,
                            const struct param *const *tables);

/*
 * For a provider that needs to know the members: describes PARAM_FIELDS as the array of elements.
 */
static json_t *fields_of(const struct tools *tools, const struct param *row)
{
    static const struct param *const element[] = { shared_element_params, shared_text_params,
                                                   NULL };
    json_t *field = arguments_of(tools, &action_hover, element);
    json_object_set_new(json_object_get(field, "properties"), "value",
                        json_pack("{s:o}", "type", type_name(tools, "string")));
    json_object_set_new(field, "required", json_pack("[s]", "value"));
    return json_pack("{s:o, s:o, s:o}", "type", type_name(tools, "array"), "items", field,
                     "description", description_of(tools, row->text));
}

static json_t *argument_of(const struct tools *tools, const struct param *row)
{
    static const struct param *const place[] = { shared_element_params, shared_text_params,
                                                 shared_place_params, NULL };
    if (row->kind == PARAM_TARGET) {
        json_t *target = arguments_of(tools, &action_hover, place);
        const char *name;
        json_t *way;
        /* Described already for the action's own target. */
        json_object_foreach (json_object_get(target, "properties"), name, way) {
            json_object_del(way, "description");
        }
        json_object_set_new(target, "description", description_of(tools, row->text));
        return target;
    }
    if (row->kind == PARAM_FIELDS && tools->provider == TOOLS_GEMINI) {
        return fields_of(tools, row);
    }
    json_auto_t *schema = schema_of_param(row);
    return simplified(tools, schema);
}

/* Returns the object schema of the rows; NULL if a required one cannot be expressed. */
static json_t *arguments_of(const struct tools *tools, const struct action_type *type,
                            const struct param *const *tables)
{
    json_t *object = empty_object(tools);
    for (size_t i = 0; tables[i]; i++) {
        for (const struct param *row = tables[i]; row->name; row++) {
            bool is_told = (tools->is_all || !row->is_rare) &&
                           action_type_param(type, row->name) == row &&
                           !rules_refuse(type, row->name);
            json_t *argument = is_told ? argument_of(tools, row) : NULL;
            if (argument) {
                json_object_set_new(json_object_get(object, "properties"), row->name, argument);
            } else if (row->is_required) {
                json_decref(object);
                return NULL;
            }
            if (row->is_required) {
                json_array_append_new(json_object_get(object, "required"), json_string(row->name));
            }
        }
    }
    return without_empty(object);
}

/* Collects all tables of a type; its own come after those that name the element. */
static json_t *arguments_of_type(const struct tools *tools, const struct action_type *type)
{
    struct action_tables all = action_type_tables(type);
    const struct param *tables[PARAM_TABLES + 1] = { NULL };
    size_t count = 0;
    for (size_t i = 1; i <= PARAM_TABLES; i++) {
        /* Table 0 has the type's own rows, the last table those of every action. */
        size_t index = i + 1 < PARAM_TABLES ? i : i + 1 == PARAM_TABLES ? 0 : PARAM_TABLES - 1;
        if (all.params[index]) {
            tables[count++] = all.params[index];
        }
    }
    return arguments_of(tools, type, tables);
}

/* Returns whether the provider's strict mode can be used: no member is optional. */
static bool is_strict(const json_t *schema)
{
    const char *name;
    json_t *member;
    const json_t *members = json_object_get(schema, "properties");
    const json_t *items = json_object_get(schema, "items");
    bool is_open = strcmp(json_member_string(schema, "type"), "object") == 0 && !members;
    if (is_open ||
        json_object_size(members) != json_array_size(json_object_get(schema, "required"))) {
        return false;
    }
    json_object_foreach ((json_t *)members, name, member) {
        if (!is_strict(member)) {
            return false;
        }
    }
    return !items || is_strict(items);
}

/* Takes ownership of the arguments. */
static json_t *tool_of(const struct tools *tools, const struct action_type *type, json_t *arguments)
{
    json_t *text = description_of(&(struct tools){ .is_all = true }, type->text);
    if (tools->provider == TOOLS_ANTHROPIC) {
        return json_pack("{s:s, s:o, s:o}", "name", type->name, "description", text, "input_schema",
                         arguments);
    }
    json_t *function = json_pack("{s:s, s:o}", "name", type->name, "description", text);
    if (tools->provider == TOOLS_OPENAI && is_strict(arguments)) {
        json_object_set_new(function, "strict", json_true());
    }
    /* Gemini rejects an object without members. */
    if (tools->provider == TOOLS_GEMINI &&
        json_object_size(json_object_get(arguments, "properties")) == 0) {
        json_decref(arguments);
    } else {
        json_object_set_new(function, "parameters", arguments);
    }
    return tools->provider == TOOLS_OPENAI
               ? json_pack("{s:s, s:o}", "type", "function", "function", function)
               : function;
}

json_t *tools_make(enum tools_provider provider, bool is_all)
{
    json_auto_t *definitions = schema_kind_definitions();
    struct tools tools = { provider, is_all, definitions };
    json_t *list = json_array();
    for (size_t i = 0; action_types[i]; i++) {
        json_t *arguments =
            is_all || !action_types[i]->is_rare ? arguments_of_type(&tools, action_types[i]) : NULL;
        if (arguments) {
            json_array_append_new(list, tool_of(&tools, action_types[i], arguments));
        }
    }
    return provider == TOOLS_GEMINI ? json_pack("[{s:o}]", "function_declarations", list) : list;
}

json_t *tools_arguments(const struct action_type *type, const char *names)
{
    json_auto_t *definitions = schema_kind_definitions();
    const struct tools tools = { .provider = TOOLS_ANTHROPIC, .definitions = definitions };
    const struct param *rows[RULE_NAMES];
    json_t *object = json_pack("{s:s, s:{}}", "type", "object", "properties");
    size_t count = action_type_names(type, names, rows);
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(json_object_get(object, "properties"), rows[i]->name,
                            argument_of(&tools, rows[i]));
    }
    return object;
}

/* "[button, clickCount]", with "!" after those that are required. */
static void add_form(const struct action_type *type, struct strbuf *text)
{
    static const char *const ways[] = { [NAMES_NOTHING] = "",
                                        [NAMES_ELEMENT_OR_NOTHING] = "element?",
                                        [NAMES_ELEMENT] = "element",
                                        [NAMES_PLACE_OR_NOTHING] = "element?",
                                        [NAMES_PLACE] = "element" };
    const char *between = *ways[type->names] ? ", " : "";
    strbuf_add_format(text, "%s(%s", type->name, ways[type->names]);
    for (const struct param *row = type->params; row && row->name; row++) {
        if (!row->is_rare) {
            strbuf_add_format(text, "%s%s%s", between, row->name, row->is_required ? "" : "?");
            between = ", ";
        }
    }
    strbuf_add_string(text, ")");
}

void tools_forms(struct strbuf *text)
{
    const char *between = "";
    for (size_t i = 0; action_types[i]; i++) {
        const struct action_type *type = action_types[i];
        bool is_input = !type->is_rare && !type->reads_journal && !type->is_capture &&
                        !type->closes_browser && !type->answers_raw && type != &action_start;
        if (is_input) {
            strbuf_add_string(text, between);
            add_form(type, text);
            between = "; ";
        }
    }
}
