/* Setters for the options of the commands for models: `act`, `session`, `mcp`, `skill`, `tools`. */
#ifndef RUNNER_CLI_OPTIONS_WARM_H
#define RUNNER_CLI_OPTIONS_WARM_H

#include "runner/cli/option.h"

option_set warm_option_session, warm_option_image_block, warm_option_show, warm_option_batch,
    warm_option_no_autostart, warm_option_isolated, warm_option_all, warm_option_names,
    warm_option_idle, warm_option_unix, warm_option_http, warm_option_install, warm_option_delta,
    tools_option_provider, tools_option_all;

#endif
