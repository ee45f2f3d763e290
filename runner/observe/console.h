/* Recorder of what a page says: its console, uncaught exceptions, and Chrome's own log entries. */
#ifndef RUNNER_OBSERVE_CONSOLE_H
#define RUNNER_OBSERVE_CONSOLE_H

#include "runner/base/response.h"

#include <jansson.h>

struct console_recorder {
    struct log_list *logs; /* where entries go; borrowed */
    int js_errors;         /* uncaught exceptions since it was last set to 0 */
};

/* Applies an event of the Runtime or Log domain; false for any other. */
bool console_on_event(struct console_recorder *recorder, const char *method, json_t *params);

#endif
