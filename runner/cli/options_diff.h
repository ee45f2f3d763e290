/* Setters for the options of `diff`. */
#ifndef RUNNER_CLI_OPTIONS_DIFF_H
#define RUNNER_CLI_OPTIONS_DIFF_H

#include "runner/cli/option.h"

option_set diff_option_threshold, diff_option_strict, diff_option_strict_area, diff_option_density,
    diff_option_max_regions, diff_option_ignore, diff_option_count_antialias, diff_option_metric,
    diff_option_checkerboard, diff_option_mask;

#endif
