/* The JSON Schemas of parameter values, by kind. */
#ifndef RUNNER_ACTIONS_SCHEMA_KINDS_H
#define RUNNER_ACTIONS_SCHEMA_KINDS_H

#include "runner/actions/params.h"

/* Returns the schema of a row's values, with its sentences, default and example. Caller decrefs. */
json_t *schema_of_param(const struct param *param);

/* Adds rows to the properties of an object's schema, and the required ones to `required`. */
void schema_add_params(json_t *object, const struct param *rows);

/* Returns the definitions that the rows' schemas refer to. Caller decrefs. */
json_t *schema_kind_definitions(void);

#endif
