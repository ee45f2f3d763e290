/* The JSON Schema of actions, generated from their rows and rules. */
#ifndef RUNNER_ACTIONS_SCHEMA_H
#define RUNNER_ACTIONS_SCHEMA_H

#include <jansson.h>

/*
 * Returns a schema of draft 2020-12 with one definition per action type and per parameter shared by
 * several. It accepts all that action_validate() accepts, and slightly more: only the program
 * checks what rows and rules do not express, such as the names of keys. Caller decrefs.
 */
json_t *schema_instruction(void);

/* Returns the names of the types as an enum. Caller decrefs. */
json_t *schema_type_names(void);

#endif
