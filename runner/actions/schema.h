/* The JSON Schema of actions, made from their rows and rules. */
#ifndef RUNNER_ACTIONS_SCHEMA_H
#define RUNNER_ACTIONS_SCHEMA_H

#include <jansson.h>

/*
 * Draft 2020-12, one definition for each type of action and for each parameter that several have.
 * It takes what action_validate() takes, and a little more: what rows and rules do not say, such as
 * the names of keys, is refused by the program alone. Caller decrefs.
 */
json_t *schema_instruction(void);

/* The names of the types as an enum. Caller decrefs. */
json_t *schema_type_names(void);

#endif
