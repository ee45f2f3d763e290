/* Setters for the options of `serve`, and of `worker`, `submit` and `results`. */
#ifndef RUNNER_CLI_OPTIONS_SERVE_H
#define RUNNER_CLI_OPTIONS_SERVE_H

#include "runner/cli/option.h"

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

#endif
