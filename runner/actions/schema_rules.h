/* The rules about combinations of parameters, as JSON Schema. */
#ifndef RUNNER_ACTIONS_SCHEMA_RULES_H
#define RUNNER_ACTIONS_SCHEMA_RULES_H

#include "runner/actions/action_type.h"

/* Adds all rules of a type to `allOf` of its schema. */
void schema_add_rules(json_t *schema, const struct action_type *type);

#endif
