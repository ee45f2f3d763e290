/* Validates combinations of an action's parameters. */
#ifndef RUNNER_ACTIONS_RULES_H
#define RUNNER_ACTIONS_RULES_H

#include "runner/actions/action_type.h"

/* Fails with INVALID_ACTION and the rule's text; the table may be NULL. */
bool rules_check(const struct br_action *action, const struct action_type *type,
                 const struct rule *rules, struct br_error *err);

/* Returns whether the type has a row of this name only to reject it with a hint. */
bool rules_refuse(const struct action_type *type, const char *name);

/* Returns whether a rule's list contains the word. */
bool rule_lists(const char *list, const char *word);

#endif
