/* What the options of `diff` set; rows of the table of options. */
#ifndef RUNNER_CLI_OPTIONS_DIFF_H
#define RUNNER_CLI_OPTIONS_DIFF_H

#include "runner/cli/command.h"

bool diff_option_threshold(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_strict(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_strict_area(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_density(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_max_regions(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_ignore(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_count_antialias(struct cli_options *options, const char *value,
                                 struct br_error *err);
bool diff_option_checkerboard(struct cli_options *options, const char *value, struct br_error *err);
bool diff_option_mask(struct cli_options *options, const char *value, struct br_error *err);

#endif
