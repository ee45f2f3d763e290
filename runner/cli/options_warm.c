#include "runner/cli/option_setters.h"

#include "runner/actions/tools.h"

enum { MAX_IDLE_S = 365 * 24 * 3600 };

DEFINE_STRING_OPTION(warm_option_session, warm)
DEFINE_STRING_OPTION(warm_option_batch, batch)
DEFINE_STRING_OPTION(warm_option_unix, unix_path)
DEFINE_STRING_OPTION(warm_option_install, install)
DEFINE_SWITCH_OPTION(warm_option_delta, has_delta)
DEFINE_SWITCH_OPTION(warm_option_image_block, is_block)
DEFINE_SWITCH_OPTION(warm_option_show, is_shown)
DEFINE_SWITCH_OPTION(warm_option_no_autostart, forbids_start)
DEFINE_SWITCH_OPTION(warm_option_isolated, session.isolated)
DEFINE_SWITCH_OPTION(warm_option_all, is_all)
DEFINE_SWITCH_OPTION(warm_option_names, is_names)

DEFINE_NUMBER_OPTION(warm_option_idle, idle_s, 0, MAX_IDLE_S)
DEFINE_SWITCH_OPTION(tools_option_all, tells_all)

bool tools_option_provider(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_choice(value, tools_provider_names, &options->provider, err);
}

bool warm_option_http(struct cli_options *options, const char *value, struct br_error *err)
{
    enum { MCP_PORT = 9228, MAX_PORT = 65535 };
    options->mcp_port = MCP_PORT;
    return !value || option_int(value, 0, MAX_PORT, &options->mcp_port, err);
}
