/* Validates an action as one of a given type. */
#ifndef RUNNER_ACTIONS_VALIDATE_H
#define RUNNER_ACTIONS_VALIDATE_H

#include "runner/actions/action_type.h"

/*
 * Checks an action against the rows and rules of a type and converts its values to the rows' kinds;
 * stores the type in the action. Fails with INVALID_ACTION; the message has the place, the wrong
 * name and the nearest known one.
 */
bool action_validate_as(struct br_action *action, const struct action_type *type,
                        struct br_error *err);

#endif
