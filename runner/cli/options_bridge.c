#include "runner/cli/options_bridge.h"

DEFINE_STRING_OPTION(bridge_option_session, bridge_session)
DEFINE_STRING_OPTION(bridge_option_app, bridge_app)
DEFINE_SWITCH_OPTION(bridge_option_list, is_list)
DEFINE_STRING_OPTION(bridge_option_types, bridge_types)
