/* Setters for the options of `check`. */
#ifndef RUNNER_CLI_OPTIONS_CHECK_H
#define RUNNER_CLI_OPTIONS_CHECK_H

#include "runner/cli/option.h"

option_set check_option_report, check_option_junit, check_option_update, check_option_approve,
    check_option_prune, check_option_init, check_option_jobs, check_option_shard,
    check_option_timings, check_option_filter, check_option_tag, check_option_retries,
    check_option_fail_fast, check_option_max_failures, check_option_fail_on_flaky, check_option_ci,
    check_option_force, check_option_allow_errors, check_option_port, check_option_no_open,
    check_option_against, check_option_import, check_option_baselines;

/* Frees the lists that they have collected. */
void check_options_finish(struct cli_options *options);

#endif
