/* Setters for the options of `bridge` and `console`, some of which `serve` has, too. */
#ifndef RUNNER_CLI_OPTIONS_BRIDGE_H
#define RUNNER_CLI_OPTIONS_BRIDGE_H

#include "runner/cli/option.h"

option_set bridge_option_session, bridge_option_app, bridge_option_list, bridge_option_types;
option_set console_option_port, console_option_serve, console_option_levels, console_option_filter,
    console_option_timestamp, console_option_source, console_option_location,
    console_option_max_rate, console_option_verbose, console_option_send, console_option_no_maps;

#endif
