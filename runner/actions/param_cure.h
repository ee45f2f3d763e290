/* Guesses what an invalid value of a parameter was meant to be, for the hints of errors. */
#ifndef RUNNER_ACTIONS_PARAM_CURE_H
#define RUNNER_ACTIONS_PARAM_CURE_H

#include "runner/actions/params.h"

/* Translates another tool's name of a choice that is not similar by its letters; NULL: unknown. */
const char *param_meant_choice(const char *text, const char *const *choices);

/* Complete a URL without scheme, and correct a node id; NULL: unknown. Caller frees. */
char *param_cure_url(const char *text);
char *param_cure_node(const char *text);

/*
 * Converts the value to a form that the row may accept: ["Shift"] for "Shift", {"x": 1, "y": 2} for
 * [1, 2], 5000 for "5s". The result is not validated. NULL: unknown. Caller decrefs.
 */
json_t *param_cure(const struct param *param, const json_t *value);

#endif
