#include "runner/cli/options_tools.h"

#include "runner/actions/tools.h"

DEFINE_SWITCH_OPTION(tools_option_all, tells_all)

bool tools_option_provider(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_choice(value, tools_provider_names, &options->provider, err);
}
