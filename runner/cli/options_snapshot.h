/* Setters for the options of `snapshot`: the parameters of the action. */
#ifndef RUNNER_CLI_OPTIONS_SNAPSHOT_H
#define RUNNER_CLI_OPTIONS_SNAPSHOT_H

#include "runner/cli/option.h"

option_set snapshot_option_json, snapshot_option_markdown, snapshot_option_interactive,
    snapshot_option_in_viewport, snapshot_option_boxes, snapshot_option_urls, snapshot_option_all,
    snapshot_option_ignore_no_ai, snapshot_option_find, snapshot_option_find_role,
    snapshot_option_ax, snapshot_option_depth, snapshot_option_text_length,
    snapshot_option_max_tokens;

#endif
