#include "runner/actions/schema.h"

#include "runner/base/error.h"
#include "runner/base/json_layout.h"
#include "runner/cli/command.h"

#include <stdio.h>
#include <string.h>

/* Embedded files of docs/schema/. */
extern const char schema_smoke[], schema_response[], schema_results[];

static const struct {
    const char *name, *text; /* text NULL: generated from the tables of actions */
} schemas[] = {
    { "instruction", NULL },
    { "response", schema_response },
    { "smoke", schema_smoke },
    { "results", schema_results },
};

static void print_instruction(void)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *schema = schema_instruction();
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
            print_instruction();
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
    .operands = "instruction | response | smoke | results",
    .summary = "Prints the JSON Schema of an input or output",
    .description = "instruction: one action, as JSON; in XML the elements have the same names. "
                   "response: a line that run writes. smoke: a suite of checks. results: the "
                   "results.json of a run of checks. All are of draft 2020-12.",
    .examples = "  browser-runner schema instruction > instruction.schema.json\n",
    .words = "instruction response smoke results",
    .min_operands = 1,
    .max_operands = 1,
    .run = run_schema,
};
