/* What of an action's parameters goes together. */
#ifndef RUNNER_ACTIONS_RULES_H
#define RUNNER_ACTIONS_RULES_H

#include "runner/actions/action_type.h"

/* INVALID_ACTION with the rule's words; the table may be NULL. */
bool rules_check(const struct br_action *action, const struct action_type *type,
                 const struct rule *rules, struct br_error *err);

/* Whether the type has a row of this name only to say that it never takes it, with its cure. */
bool rules_refuse(const struct action_type *type, const char *name);

/* Whether a list of a rule has the word. */
bool rule_lists(const char *list, const char *word);

#endif
