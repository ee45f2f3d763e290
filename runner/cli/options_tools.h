/* Setters for the options of `tools`. */
#ifndef RUNNER_CLI_OPTIONS_TOOLS_H
#define RUNNER_CLI_OPTIONS_TOOLS_H

#include "runner/cli/option.h"

option_set tools_option_provider, tools_option_all;

#endif
