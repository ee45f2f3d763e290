/* Parameters that are places: checks of their numbers, and JSON given as text. */
#ifndef RUNNER_ACTIONS_PARAM_PLACE_H
#define RUNNER_ACTIONS_PARAM_PLACE_H

#include "runner/actions/params.h"

/*
 * If a member is the text of a JSON value of one of the types (a mask of PARAM_JSON bits), replaces
 * it by that value. Models and CDATA send such texts. Other members stay unchanged. Returns NULL,
 * or why a text that begins like an object or array cannot be parsed. Caller frees.
 */
#define PARAM_JSON(type)  (1U << (unsigned)(type))
#define PARAM_JSON_NUMBER (PARAM_JSON(JSON_INTEGER) | PARAM_JSON(JSON_REAL))
char *param_take_json(json_t *parent, const char *key, unsigned types);

/* Fail with INVALID_ACTION for a value that is not a PARAM_RANGE, PARAM_POINT or PARAM_BOX. */
bool param_check_range(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err);
bool param_check_point(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err);
bool param_check_box(const struct br_action *action, const struct param *param, json_t *value,
                     struct br_error *err);

#endif
