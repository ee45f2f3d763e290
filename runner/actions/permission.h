/* Whether a session's rules let an action through: asked before anything is done. */
#ifndef RUNNER_ACTIONS_PERMISSION_H
#define RUNNER_ACTIONS_PERMISSION_H

#include "runner/actions/params.h"
#include "runner/base/policy.h"

/* Looks at what the rows say their values are used for, in members and lists as well. */
bool permission_check(const struct param *rows, const json_t *values, const struct policy *policy,
                      struct br_error *err);

#endif
