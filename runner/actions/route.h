/* The settings of `emulate` that are about requests: headers, credentials, route. */
#ifndef RUNNER_ACTIONS_ROUTE_H
#define RUNNER_ACTIONS_ROUTE_H

#include "runner/actions/action_type.h"

extern const struct param route_credentials[], route_rules[];
enum { ROUTE_MAX_RULES = 100 };

/* What the tables cannot say of these settings. */
bool route_validate(const struct br_action *action, struct br_error *err);

/*
 * The rules of `route` as page_set() takes them, with their bodies read, the caller's to decref.
 * NULL with INVALID_ACTION for a file that cannot be read, LIMIT_EXCEEDED for one too large,
 * POLICY_DENIED for what the session's rules forbid.
 */
json_t *route_load(const json_t *rules, const struct policy *policy, struct br_error *err);

#endif
