/* The actions: the table of their types, and what is asked of an action before it is run. */
#ifndef RUNNER_ACTIONS_ACTIONS_H
#define RUNNER_ACTIONS_ACTIONS_H

#include "runner/actions/action_type.h"

/* All types, in the order of the guide; NULL ends the table. */
extern const struct action_type *const action_types[];

/* NULL for an unknown name. */
const struct action_type *action_type_find(const char *name);

/*
 * Checks the type and all parameters, brings their values into the types of the tables, and notes
 * the type in the action. INVALID_ACTION with the place, the offending name and the nearest known
 * one.
 */
bool action_validate(struct br_action *action, struct br_error *err);

/*
 * Whether the rules let an action through that is valid: POLICY_DENIED with the rule. What its
 * steps do is asked when they are run.
 */
bool action_check_policy(const struct br_action *action, const struct policy *policy,
                         struct br_error *err);

/* Of an action that runs steps: how many there are. */
size_t action_step_count(const struct br_action *action);

/*
 * The action of one of them, validated; its position is that of the steps. NULL with
 * INVALID_ACTION. Caller frees.
 */
struct br_action *action_step(const struct br_action *action, size_t index, struct br_error *err);

#endif
