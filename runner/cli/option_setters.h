/*
 * Setters that the table of options names, by the file that defines them. What an option means, and
 * which commands have it, is in the table.
 */
#ifndef RUNNER_CLI_OPTION_SETTERS_H
#define RUNNER_CLI_OPTION_SETTERS_H

#include "runner/cli/option.h"

/* options_browser.c: the options of all commands that use a browser. */
option_set browser_option_chrome, browser_option_profile, browser_option_audit,
    browser_option_debug_dir, browser_option_downloads, browser_option_temp_profile,
    browser_option_stable_pixels, browser_option_debug, browser_option_headed,
    browser_option_no_sandbox, browser_option_dies_with_parent, browser_option_project,
    browser_option_connect, browser_option_idle_detach, browser_option_session_id,
    browser_option_tab, browser_option_show_actions, browser_option_preset, browser_option_viewport,
    browser_option_timeout, browser_option_chrome_arg, browser_option_log_level,
    browser_option_allow, browser_option_deny, browser_option_schemes, browser_option_no_eval,
    browser_option_files;

/* options_run.c: the options of `run` and `history`. */
option_set run_option_log_filter, run_option_retry, run_option_save_dir, run_option_har_secrets,
    run_option_har, run_option_screenshots, run_option_chunk_size, run_option_provider,
    run_option_keep_images, run_option_network_filter, run_option_progress;

/* options_picture.c: the options of `shot`, and of pictures and output in all commands. */
option_set picture_option_output, picture_option_selector, picture_option_full_page,
    picture_option_tiles, picture_option_json, picture_option_quality, picture_option_max_edge,
    picture_option_max_pixels, picture_option_max_bytes, picture_option_format,
    picture_option_wait_until, picture_option_wait_for, picture_option_delay,
    picture_option_color_scheme, picture_option_labels, picture_option_stable,
    options_picture_clock, options_picture_at, picture_option_ignore_no_ai,
    picture_option_allow_http_errors;

/* options_snapshot.c: the options of `snapshot`: the parameters of the action. */
option_set snapshot_option_json, snapshot_option_markdown, snapshot_option_interactive,
    snapshot_option_in_viewport, snapshot_option_boxes, snapshot_option_urls, snapshot_option_all,
    snapshot_option_ignore_no_ai, snapshot_option_find, snapshot_option_find_role,
    snapshot_option_ax, snapshot_option_depth, snapshot_option_text_length,
    snapshot_option_max_tokens;

/* options_diff.c: the options of `diff`. */
option_set diff_option_threshold, diff_option_strict, diff_option_strict_area, diff_option_density,
    diff_option_max_regions, diff_option_ignore, diff_option_count_antialias, diff_option_metric,
    diff_option_checkerboard, diff_option_mask;

/* options_check.c: the options of `check`. */
option_set check_option_report, check_option_junit, check_option_update, check_option_approve,
    check_option_prune, check_option_init, check_option_jobs, check_option_shard,
    check_option_timings, check_option_filter, check_option_tag, check_option_retries,
    check_option_fail_fast, check_option_max_failures, check_option_fail_on_flaky, check_option_ci,
    check_option_force, check_option_allow_errors, check_option_port, check_option_no_open,
    check_option_against, check_option_import, check_option_baselines;

/* Frees the lists that they have collected. */
void check_options_finish(struct cli_options *options);

/* options_warm.c: the options of the commands for models: `act`, `session`, `mcp`, `skill`,
 * `tools`. */
option_set warm_option_session, warm_option_image_block, warm_option_show, warm_option_batch,
    warm_option_no_autostart, warm_option_isolated, warm_option_all, warm_option_names,
    warm_option_idle, warm_option_unix, warm_option_http, warm_option_install, warm_option_delta,
    tools_option_provider, tools_option_all;

/* options_serve.c: the options of `serve`, and of `worker`, `submit` and `results`. */
option_set serve_option_actions, serve_option_host, serve_option_token, serve_option_allow_origin,
    serve_option_allow_host, serve_option_access_file, serve_option_linger,
    serve_option_debug_bridge, serve_option_brop, serve_option_brop_extension,
    serve_option_brop_backend, serve_option_app_rate, serve_option_agent_rate,
    serve_option_include_newcomer, serve_option_broadcast_results, serve_option_verbatim,
    serve_option_log_messages, serve_option_page, serve_option_all, serve_option_cdp,
    serve_option_read_only, serve_option_allow_close, serve_option_bridge_session,
    serve_option_app_id, serve_option_allow_eval, serve_option_http, serve_option_max_running,
    serve_option_max_queued, serve_option_queue_timeout, serve_option_batch_timeout,
    serve_option_keep_answers, serve_option_memory_limit, serve_option_recycle_after,
    serve_option_recycle_above;

option_set job_option_redis, job_option_stream, job_option_group, job_option_slots,
    job_option_lease, job_option_deliveries, job_option_keep, job_option_grace, job_option_recycle,
    job_option_inline, job_option_answers, job_option_batches, job_option_metrics, job_option_id,
    job_option_reference, job_option_wait, job_option_follow;

/* options_bridge.c: the options of `bridge` and `console`, some of which `serve` has, too. */
option_set bridge_option_session, bridge_option_app, bridge_option_list, bridge_option_types;
option_set console_option_port, console_option_serve, console_option_levels, console_option_filter,
    console_option_timestamp, console_option_source, console_option_location,
    console_option_max_rate, console_option_verbose, console_option_send, console_option_no_maps;

#endif
