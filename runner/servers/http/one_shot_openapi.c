/* The description of the server for programs that generate clients, from the tables of actions. */
#include "runner/actions/schema.h"
#include "runner/actions/schema_kinds.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/http/one_shot.h"

#include <string.h>

static const char definitions[] = "#/$defs/", schemas[] = "#/components/schemas/";

/* Has references point to the place of schemas in such a document. */
static void move_references(json_t *value)
{
    size_t index;
    const char *name;
    json_t *member;
    const char *reference = json_member_string(value, "$ref");
    if (reference && strcmp(reference, "#") == 0) {
        json_object_set_new(value, "$ref", json_sprintf("%sInstruction", schemas));
    } else if (reference && strncmp(reference, definitions, strlen(definitions)) == 0) {
        json_object_set_new(value, "$ref",
                            json_sprintf("%s%s", schemas, reference + strlen(definitions)));
    }
    json_object_foreach (value, name, member) {
        move_references(member);
    }
    json_array_foreach (value, index, member) {
        move_references(member);
    }
}

/* Whether a query has its plain text; other values are JSON there. */
static bool is_plain(enum param_kind kind)
{
    return param_is_text(kind) || kind == PARAM_NUMBER || kind == PARAM_INTEGER ||
           kind == PARAM_BOOLEAN;
}

/* The parameters of a path: members of the body, and parameters of the query. */
struct described {
    json_t *members, *query;
};

static void describe(struct described *described, const struct param *row)
{
    json_auto_t *schema = schema_of_param(row);
    bool is_url = strcmp(row->name, "url") == 0;
    if (json_object_get(described->members, row->name)) {
        return;
    }
    json_object_set(described->members, row->name, schema);
    json_t *parameter =
        json_pack("{s:s, s:s, s:b}", "name", row->name, "in", "query", "required", is_url);
    if (is_plain(row->kind)) {
        json_object_set(parameter, "schema", schema);
    } else {
        json_object_set_new(parameter, "content",
                            json_pack("{s:{s:O}}", "application/json", "schema", schema));
    }
    json_array_append_new(described->query, parameter);
}

static void describe_type(struct described *described, const struct action_type *type,
                          bool has_tiles)
{
    const struct action_tables tables = action_type_tables(type);
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = tables.params[i]; row && row->name; row++) {
            if (has_tiles || strcmp(row->name, "tiles") != 0) {
                describe(described, row);
            }
        }
    }
}

/* Returns the answers of a path: `ours` and the errors. Takes ownership. */
static json_t *answers(json_t *ours)
{
    static const struct {
        const char *status, *text;
    } errors[] = {
        { "400", "An invalid instruction or parameter." },
        { "401", "The token is missing or wrong." },
        { "403", "A rule of the server, an Origin or a Host that is not allowed." },
        { "413", "The request or its answer is too large." },
        { "422", "The Idempotency-Key came with another request, or an element was not found." },
        { "429", "As many requests run and wait as may: repeat it after Retry-After." },
        { "502", "The page was not loaded." },
        { "503", "The request waited too long, or there is no browser." },
        { "504", "The page was not loaded in time, or the batch ran too long." },
    };
    json_t *all =
        json_pack("{s:{s:s, s:o}}", "200", "description", "What was asked for.", "content", ours);
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        json_object_set_new(all, errors[i].status,
                            json_pack("{s:s, s:{s:{s:{s:s}}}}", "description", errors[i].text,
                                      "content", "application/json", "schema", "$ref",
                                      "#/components/schemas/Error"));
    }
    return all;
}

static json_t *any_text(void)
{
    return json_pack("{s:{s:s}}", "schema", "type", "string");
}

static json_t *any_object(void)
{
    return json_pack("{s:{s:s}}", "schema", "type", "object");
}

static json_t *answers_of(const struct one_shot_route *route)
{
    static const char *const pictures[] = { "image/jpeg", "image/png", "image/webp", NULL };
    static const char *const texts[] = { "text/plain", "text/markdown", "text/html", NULL };
    static const char *const lines[] = { "application/x-ndjson", NULL };
    const char *const media[] = { route->media_type, NULL };
    const char *const *types = !route->type        ? lines
                               : route->media_type ? media
                               : route->text       ? texts
                                                   : pictures;
    json_t *content = json_pack("{s:o}", "application/json", any_object());
    for (size_t i = 0; types[i]; i++) {
        json_object_set_new(content, types[i], any_text());
    }
    return answers(content);
}

static json_t *key_parameter(void)
{
    return json_pack("{s:s, s:s, s:s, s:{s:s, s:i, s:i}}", "name", "Idempotency-Key", "in",
                     "header", "description",
                     "The same key with the same request gets the same answer, and runs once.",
                     "schema", "type", "string", "minLength", 1, "maxLength", 255);
}

static json_t *operation(const struct one_shot_route *route, const char *method)
{
    return json_pack(
        "{s:o, s:s, s:[o], s:o}", "operationId",
        json_sprintf("%s%s", route->path + 1, *method == 'g' ? "ByQuery" : ""), "summary",
        route->type ? route->type->text : "Runs a batch, and answers with a line for each action.",
        "parameters", key_parameter(), "responses", answers_of(route));
}

/* Batches, in JSON or XML. */
static json_t *describe_batch(const struct one_shot_route *route)
{
    json_t *post = operation(route, "post");
    json_object_set_new(post, "requestBody",
                        json_pack("{s:b, s:{s:{s:{s:[{s:s}, {s:s, s:{s:s}}]}}, s:o}}", "required",
                                  true, "content", "application/json", "schema", "oneOf", "$ref",
                                  "#/components/schemas/Instruction", "type", "array", "items",
                                  "$ref", "#/components/schemas/Instruction", "application/xml",
                                  any_text()));
    return json_pack("{s:o}", "post", post);
}

static json_t *describe_action(const struct one_shot_route *route)
{
    struct described described = { json_object(), json_array() };
    describe_type(&described, route->type, route->text);
    describe_type(&described, &action_start, true);
    for (size_t i = 0; one_shot_params[i].name; i++) {
        describe(&described, &one_shot_params[i]);
    }
    json_t *get = operation(route, "get");
    json_t *post = operation(route, "post");
    json_array_extend(json_object_get(get, "parameters"), described.query);
    json_object_set_new(post, "requestBody",
                        json_pack("{s:b, s:{s:{s:{s:s, s:O, s:[s], s:b}}}}", "required", true,
                                  "content", "application/json", "schema", "type", "object",
                                  "properties", described.members, "required", "url",
                                  "additionalProperties", false));
    json_decref(described.members);
    json_decref(described.query);
    return json_pack("{s:o, s:o}", "get", get, "post", post);
}

static json_t *describe_ready(void)
{
    return json_pack("{s:{s:s, s:s, s:{s:{s:s}, s:{s:s}}}}", "get", "operationId", "ready",
                     "summary", "Whether another request would be accepted.", "responses", "200",
                     "description", "Yes.", "503", "description", "No; the body says why.");
}

static json_t *error_schema(void)
{
    return json_pack("{s:s, s:[s, s], s:{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}}", "type",
                     "object", "required", "error", "errorCode", "properties", "kind", "const",
                     "error", "error", "type", "string", "errorCode", "type", "string",
                     "errorCategory", "type", "string", "hint", "type", "string");
}

json_t *one_shot_openapi(void)
{
    json_t *paths = json_pack("{s:o}", "/ready", describe_ready());
    for (const struct one_shot_route *route = one_shot_routes; route->path; route++) {
        json_object_set_new(paths, route->path,
                            route->type ? describe_action(route) : describe_batch(route));
    }
    json_t *instruction = schema_instruction();
    json_t *parts = json_incref(json_object_get(instruction, "$defs"));
    json_object_del(instruction, "$defs");
    json_object_del(instruction, "$schema");
    json_object_set_new(parts, "Instruction", instruction);
    json_object_set_new(parts, "Error", error_schema());
    json_t *root = json_pack(
        "{s:s, s:{s:s, s:s, s:s}, s:[{s:s}], s:[{}, {s:[]}], s:o, s:{s:{s:{s:s, s:s}}, s:o}}",
        "openapi", "3.1.0", "info", "title", "browser-runner serve --http", "version", br_version(),
        "description", "One request, one batch: docs/http.md.", "servers", "url",
        "http://127.0.0.1:9227", "security", "bearer", "paths", paths, "components",
        "securitySchemes", "bearer", "type", "http", "scheme", "bearer", "schemas", parts);
    move_references(root);
    return root;
}
