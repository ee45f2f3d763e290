/* The words by which a person names an element: `element`. */
#ifndef RUNNER_ACTIONS_WORD_H
#define RUNNER_ACTIONS_WORD_H

#include "runner/actions/action_type.h"

/*
 * Replaces `element` by the parameters that it stands for if it has only one meaning, such as e12,
 * role=button[name="Save"] or 10,20. Fails with INVALID_ACTION, and the right spelling as the hint,
 * for notations of other tools that have none here.
 */
bool word_resolve(struct br_action *action, const struct action_type *type, struct br_error *err);

#endif
