/* The JSON Schemas of values, by the kinds of rows. */
#ifndef RUNNER_ACTIONS_SCHEMA_KINDS_H
#define RUNNER_ACTIONS_SCHEMA_KINDS_H

#include "runner/actions/params.h"

/* What a row says of its values, with its sentences, default and example. Caller decrefs. */
json_t *schema_of_param(const struct param *param);

/* Puts rows into the properties of an object, and the needed ones into its `required`. */
void schema_add_params(json_t *object, const struct param *rows);

/* The definitions that the schemas of rows refer to: of kinds that have one. Caller decrefs. */
json_t *schema_kind_definitions(void);

#endif
