#include "runner/actions/tools.h"

#include "runner/base/json_layout.h"
#include "runner/cli/command.h"

#include <stdio.h>
#include <string.h>

static int run_tools(struct cli_options *options)
{
    enum tools_provider provider = TOOLS_ANTHROPIC;
    while (options->provider && strcmp(tools_provider_names[provider], options->provider) != 0) {
        provider++;
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *tools = tools_make(provider, options->tells_all);
    json_layout(tools, &text);
    puts(text.data);
    return EXIT_SUCCESS;
}

const struct command command_tools = {
    .name = "tools",
    .operands = "",
    .summary = "Prints the actions as tool definitions for a model",
    .description =
        "The output is a JSON array for the tools of a request to a model, with a tool for each "
        "type of action. A call of a tool is an action: its name is the type, its arguments are "
        "the parameters. Rarely used parts are omitted, unless --all is given.",
    .examples = "  browser-runner tools --provider openai > tools.json\n",
    .option_groups = OPTIONS_TOOLS,
    .run = run_tools,
};
