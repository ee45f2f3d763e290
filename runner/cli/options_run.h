/* Setters for the options of `run` and `history`. */
#ifndef RUNNER_CLI_OPTIONS_RUN_H
#define RUNNER_CLI_OPTIONS_RUN_H

#include "runner/cli/option.h"

option_set run_option_log_filter, run_option_retry, run_option_save_dir, run_option_har_secrets,
    run_option_har, run_option_screenshots, run_option_chunk_size, run_option_provider,
    run_option_keep_images, run_option_network_filter, run_option_progress;

#endif
