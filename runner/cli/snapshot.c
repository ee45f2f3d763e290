#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/cli/visit.h"

#include <stdio.h>
#include <string.h>

/* Returns the text, or the JSON without members that only a response needs. */
static char *printed(json_t *result)
{
    const char *text = json_member_string(result, "text");
    if (text) {
        return xstrdup(text);
    }
    json_auto_t *shown = json_copy(result);
    json_object_del(shown, "format");
    CLEANUP_FREE char *json = json_dumps(shown, JSON_COMPACT);
    return xasprintf("%s\n", json);
}

static bool look(struct br_session *session, const struct cli_options *options,
                 struct br_error *err)
{
    if (options->http_status >= 400) {
        cli_warn("%s answered with HTTP status %d", options->operands[0], options->http_status);
    }
    CLEANUP_RESPONSE struct br_response *response =
        visit_act(session, options, "snapshot", options->snapshot, err);
    visit_warn(response);
    CLEANUP_FREE char *text = response ? printed(response->values->result) : NULL;
    if (!text) {
        return false;
    }
    if (options->output && strcmp(options->output, "-") != 0) {
        return cli_write_file(options->output, text, strlen(text), err);
    }
    fputs(text, stdout);
    return true;
}

static int run_snapshot(struct cli_options *options)
{
    struct br_error err = { 0 };
    if (options->selector) {
        json_object_set_new(options->snapshot, "selector", json_text(options->selector));
    }
    if (!visit_check(options, "snapshot", options->snapshot, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    return visit_page(options, look);
}

const struct command command_snapshot = {
    .name = "snapshot",
    .operands = "URL",
    .summary = "Prints the structure of one page for a model",
    .description = "Prints one line for each element: its role, name, id and unusual states, "
                   "indented as the page is nested, including frames and shadow roots. With --json "
                   "it prints a tree of objects, with --markdown the readable content with "
                   "annotated controls. Values of passwords, card numbers and one-time codes are "
                   "never included, and parts with the attribute data-no-ai are omitted.",
    .examples = "  browser-runner snapshot https://example.org/\n"
                "  browser-runner snapshot http://localhost:3000/ --interactive --max-tokens 800\n"
                "  browser-runner snapshot http://localhost:3000/ --find Save --boxes\n"
                "  browser-runner snapshot http://localhost:3000/ --markdown -o page.md\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_SNAPSHOT,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_snapshot,
};
