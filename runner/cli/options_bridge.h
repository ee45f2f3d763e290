/* What the options of `bridge` set. */
#ifndef RUNNER_CLI_OPTIONS_BRIDGE_H
#define RUNNER_CLI_OPTIONS_BRIDGE_H

#include "runner/cli/option.h"

option_set bridge_option_session, bridge_option_app, bridge_option_list, bridge_option_types;

#endif
