/* The settings of `emulate` about requests: headers, credentials, route. */
#ifndef RUNNER_ACTIONS_ROUTE_H
#define RUNNER_ACTIONS_ROUTE_H

#include "runner/actions/action_type.h"

extern const struct param route_credentials[], route_rules[];
enum { ROUTE_MAX_RULES = 100 };

/* Validates what the tables cannot express about these settings. */
bool route_validate(const struct br_action *action, struct br_error *err);

/*
 * Returns the rules of `route` for page_set(), with the bodies loaded; the caller decrefs. NULL
 * with INVALID_ACTION for an unreadable file, LIMIT_EXCEEDED for one too large, POLICY_DENIED for
 * what the session's rules forbid.
 */
json_t *route_load(const json_t *rules, const struct policy *policy, struct br_error *err);

#endif
