/* The actions: the table of types, and the checks of an action before it is run. */
#ifndef RUNNER_ACTIONS_ACTIONS_H
#define RUNNER_ACTIONS_ACTIONS_H

#include "runner/actions/action_type.h"

/* All types, in the order of the documentation; NULL ends the table. */
extern const struct action_type *const action_types[];

/* Returns NULL for an unknown name. */
const struct action_type *action_type_find(const char *name);

/*
 * Validates the type and all parameters, converts values to the types of the rows, and stores the
 * type in the action. Fails with INVALID_ACTION; the message has the place, the wrong name and the
 * nearest known one.
 */
bool action_validate(struct br_action *action, struct br_error *err);

/* As br_action_from_json(), from an object that was read already; copies it. */
struct br_action *action_from_object(const json_t *object, struct br_error *err);

/*
 * Checks a valid action against the session's rules: POLICY_DENIED names the rule. Its steps are
 * checked when they are run.
 */
bool action_check_policy(const struct br_action *action, const struct policy *policy,
                         struct br_error *err);

/* Makes relative paths of files in the parameters absolute, from the directory. */
void action_place_files(const struct action_type *type, const char *directory, json_t *params);

/* Returns the number of steps of an action that runs steps. */
size_t action_step_count(const struct br_action *action);

/*
 * Returns the validated action of a step; its position is that of the steps. NULL with
 * INVALID_ACTION. Caller frees.
 */
struct br_action *action_step(const struct br_action *action, size_t index, struct br_error *err);

#endif
