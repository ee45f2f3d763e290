#include "runner/actions/actions.h"

const struct action_type action_stop = {
    .name = "stop",
    .closes_browser = true,
};
