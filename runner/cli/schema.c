#include "runner/actions/schema.h"

#include "runner/base/error.h"
#include "runner/base/json_layout.h"
#include "runner/cli/command.h"
#include "runner/servers/http/one_shot.h"

#include <stdio.h>
#include <string.h>

/* Embedded files of docs/schema/. */
extern const char schema_smoke[], schema_response[], schema_results[];

static const struct {
    const char *name, *text;
    json_t *(*make)(void); /* generates it from the tables of actions; text is then NULL */
} schemas[] = {
    { "instruction", NULL, schema_instruction },
    { "response", schema_response, NULL },
    { "smoke", schema_smoke, NULL },
    { "results", schema_results, NULL },
    { "openapi", NULL, one_shot_openapi },
};

static void print_made(json_t *(*make)(void))
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *schema = make();
    json_layout(schema, &text);
    puts(text.data);
}

static int run_schema(struct cli_options *options)
{
    const char *name = options->operands[0];
    for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++) {
        if (strcmp(name, schemas[i].name) != 0) {
            continue;
        }
        if (schemas[i].text) {
            fputs(schemas[i].text, stdout);
        } else {
            print_made(schemas[i].make);
        }
        return EXIT_SUCCESS;
    }
    struct br_error err;
    error_set(&err, BR_INVALID_ACTION, "there is no schema \"%s\"", name);
    error_hint(&err, "usage: browser-runner schema %s", command_schema.operands);
    cli_print_error(&err);
    return EXIT_USAGE;
}

const struct command command_schema = {
    .name = "schema",
    .operands = "instruction | response | smoke | results | openapi",
    .summary = "Prints the JSON Schema of an input or output",
    .description = "instruction: one action, as JSON; in XML the elements have the same names. "
                   "response: a line that run writes. smoke: a suite of checks. results: the "
                   "results.json of a run of checks. All are of draft 2020-12. "
                   "openapi: serve --http, as OpenAPI 3.1.",
    .examples = "  browser-runner schema instruction > instruction.schema.json\n",
    .words = "instruction response smoke results openapi",
    .min_operands = 1,
    .max_operands = 1,
    .run = run_schema,
};
