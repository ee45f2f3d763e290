/* Checks an action against the session's rules before it is run. */
#ifndef RUNNER_ACTIONS_PERMISSION_H
#define RUNNER_ACTIONS_PERMISSION_H

#include "runner/actions/params.h"
#include "runner/base/policy.h"

/* Checks all values by their rows' uses, including members and lists. */
bool permission_check(const struct param *rows, const json_t *values, const struct policy *policy,
                      struct br_error *err);

#endif
