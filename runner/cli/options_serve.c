#include "runner/cli/option_setters.h"

#include "runner/cli/access.h"
#include "runner/sessions/pool.h"

enum {
    ACTIONS_PORT = 9226,
    BRIDGE_PORT = 4000,
    BROP_PORT = 9225,
    BROP_EXTENSION_PORT = 9224,
    CDP_PORT = 9222,
    HTTP_PORT = 9227,
    MAX_PORT = 65535,
    MAX_LINGER_S = 24 * 3600,
    MAX_RATE = 1000000,
    MAX_QUEUED = 10000, /* each holds a connection; the loop has room for 16384 descriptors */
    MAX_WAIT_S = 3600,
    MAX_BATCH_S = 24 * 3600,
    MAX_MB = 1 << 24,
};

DEFINE_STRING_OPTION(serve_option_host, host)
DEFINE_STRING_OPTION(serve_option_token, token)
DEFINE_STRING_OPTION(serve_option_access_file, access_file)
DEFINE_SWITCH_OPTION(serve_option_include_newcomer, bridge.includes_newcomer)
DEFINE_SWITCH_OPTION(serve_option_broadcast_results, bridge.broadcasts_results)
DEFINE_SWITCH_OPTION(serve_option_verbatim, bridge.is_verbatim)
DEFINE_SWITCH_OPTION(serve_option_log_messages, bridge.logs_messages)
DEFINE_STRING_OPTION(serve_option_page, bridge.page)
DEFINE_STRING_OPTION(serve_option_bridge_session, bridge.session_id)
DEFINE_STRING_OPTION(serve_option_app_id, bridge.app_id)
DEFINE_SWITCH_OPTION(serve_option_allow_eval, bridge.allows_eval)

DEFINE_NUMBER_OPTION(serve_option_linger, linger_s, 0, MAX_LINGER_S)

DEFINE_SWITCH_OPTION(serve_option_read_only, cdp.is_read_only)
DEFINE_SWITCH_OPTION(serve_option_allow_close, cdp.may_close)

bool serve_option_actions(struct cli_options *options, const char *value, struct br_error *err)
{
    options->actions_port = ACTIONS_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->actions_port, err);
}

bool serve_option_allow_origin(struct cli_options *options, const char *value, struct br_error *err)
{
    cli_list_add(&options->allowed_origins, value);
    return access_check_origin(value, err);
}

bool serve_option_allow_host(struct cli_options *options, const char *value, struct br_error *err)
{
    cli_list_add(&options->allowed_hosts, value);
    return access_check_host(value, err);
}

bool serve_option_debug_bridge(struct cli_options *options, const char *value, struct br_error *err)
{
    options->bridge.port = BRIDGE_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->bridge.port, err);
}

bool serve_option_brop(struct cli_options *options, const char *value, struct br_error *err)
{
    options->brop_port = BROP_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->brop_port, err);
}

bool serve_option_brop_extension(struct cli_options *options, const char *value,
                                 struct br_error *err)
{
    options->brop_extension_port = BROP_EXTENSION_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->brop_extension_port, err);
}

bool serve_option_brop_backend(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const choices[] = { "runner", "extension", NULL };
    return option_choice(value, choices, &options->brop_backend, err);
}

bool serve_option_cdp(struct cli_options *options, const char *value, struct br_error *err)
{
    options->cdp.port = CDP_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->cdp.port, err);
}

bool serve_option_http(struct cli_options *options, const char *value, struct br_error *err)
{
    options->http.port = HTTP_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->http.port, err);
}

DEFINE_NUMBER_OPTION(serve_option_max_running, http.max_running, 1, POOL_MAX_RUNNING)
DEFINE_NUMBER_OPTION(serve_option_max_queued, http.max_queued, 0, MAX_QUEUED)
DEFINE_NUMBER_OPTION(serve_option_queue_timeout, http.queue_s, 1, MAX_WAIT_S)
DEFINE_NUMBER_OPTION(serve_option_batch_timeout, http.batch_s, 1, MAX_BATCH_S)
DEFINE_NUMBER_OPTION(serve_option_keep_answers, http.keep_s, 1, MAX_BATCH_S)
DEFINE_NUMBER_OPTION(serve_option_memory_limit, http.memory_mb, 1, MAX_MB)
DEFINE_NUMBER_OPTION(serve_option_recycle_after, http.recycle_after, 0, MAX_RATE)
DEFINE_NUMBER_OPTION(serve_option_recycle_above, http.recycle_mb, 1, MAX_MB)

/* Servers with a port of their own keep it. */
bool serve_option_all(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)value;
    return (options->actions_port >= 0 || serve_option_actions(options, NULL, err)) &&
           (options->cdp.port >= 0 || serve_option_cdp(options, NULL, err)) &&
           (options->brop_port >= 0 || serve_option_brop(options, NULL, err)) &&
           (options->bridge.port >= 0 || serve_option_debug_bridge(options, NULL, err)) &&
           (options->console.port >= 0 || console_option_serve(options, NULL, err));
}

DEFINE_NUMBER_OPTION(serve_option_app_rate, bridge.app_rate, 0, MAX_RATE)
DEFINE_NUMBER_OPTION(serve_option_agent_rate, bridge.agent_rate, 0, MAX_RATE)
