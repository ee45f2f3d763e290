/* What a value that a parameter does not take was meant as, for the hints of errors. */
#ifndef RUNNER_ACTIONS_PARAM_CURE_H
#define RUNNER_ACTIONS_PARAM_CURE_H

#include "runner/actions/params.h"

/* What other tools call a choice, which its letters do not tell; NULL: unknown. */
const char *param_meant_choice(const char *text, const char *const *choices);

/* The URL with the scheme that is missing, and the id of a node; NULL: unknown. Caller frees. */
char *param_cure_url(const char *text);
char *param_cure_node(const char *text);

/*
 * The value in a form that the row may take: ["Shift"] for "Shift", {"x": 1, "y": 2} for [1, 2],
 * 5000 for "5s". Not checked. NULL: unknown. Caller decrefs.
 */
json_t *param_cure(const struct param *param, const json_t *value);

#endif
