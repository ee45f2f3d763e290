/* Setters for the options of `shot`, and of pictures and output in all commands. */
#ifndef RUNNER_CLI_OPTIONS_PICTURE_H
#define RUNNER_CLI_OPTIONS_PICTURE_H

#include "runner/cli/option.h"

option_set picture_option_output, picture_option_selector, picture_option_full_page,
    picture_option_tiles, picture_option_json, picture_option_quality, picture_option_max_edge,
    picture_option_max_pixels, picture_option_max_bytes, picture_option_format,
    picture_option_wait_until, picture_option_wait_for, picture_option_delay,
    picture_option_color_scheme, picture_option_labels, picture_option_stable,
    options_picture_clock, options_picture_at, picture_option_ignore_no_ai,
    picture_option_allow_http_errors;

#endif
