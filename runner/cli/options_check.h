/* What the options of `check` set; rows of the table of options. */
#ifndef RUNNER_CLI_OPTIONS_CHECK_H
#define RUNNER_CLI_OPTIONS_CHECK_H

#include "runner/cli/command.h"

bool check_option_report(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_junit(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_update(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_approve(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_prune(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_init(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_jobs(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_shard(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_filter(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_tag(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_retries(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_fail_fast(struct cli_options *options, const char *value, struct br_error *err);
bool check_option_max_failures(struct cli_options *options, const char *value,
                               struct br_error *err);
bool check_option_fail_on_flaky(struct cli_options *options, const char *value,
                                struct br_error *err);
bool check_option_ci(struct cli_options *options, const char *value, struct br_error *err);

/* Frees what they have collected. */
void check_options_finish(struct cli_options *options);

#endif
