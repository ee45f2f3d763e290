#include "runner/actions/action_type.h"

const struct action_type action_stop = {
    .name = "stop",
    .text = "Closes the browser.",
    .closes_browser = true,
};
