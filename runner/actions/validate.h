/* Whether an action is one of its type. */
#ifndef RUNNER_ACTIONS_VALIDATE_H
#define RUNNER_ACTIONS_VALIDATE_H

#include "runner/actions/action_type.h"

/*
 * Holds an action against the rows and rules of a type and brings its values into the kinds of the
 * rows; from then on the action carries the type. INVALID_ACTION with the place, the offending name
 * and the nearest known one.
 */
bool action_validate_as(struct br_action *action, const struct action_type *type,
                        struct br_error *err);

#endif
