/* Parameters that are places: what their numbers have to be; and JSON that was written as text. */
#ifndef RUNNER_ACTIONS_PARAM_PLACE_H
#define RUNNER_ACTIONS_PARAM_PLACE_H

#include "runner/actions/params.h"

/*
 * Replaces a member that is the text of a JSON value by that value, if it has one of the types: a
 * bit for each, PARAM_JSON(JSON_OBJECT). Texts come from models, and from CDATA. What is no such
 * text stays; NULL, or why text that begins as an object or an array is none. Caller frees.
 */
#define PARAM_JSON(type)  (1U << (unsigned)(type))
#define PARAM_JSON_NUMBER (PARAM_JSON(JSON_INTEGER) | PARAM_JSON(JSON_REAL))
char *param_take_json(json_t *parent, const char *key, unsigned types);

/* INVALID_ACTION for what is no PARAM_RANGE, PARAM_POINT or PARAM_BOX. */
bool param_check_range(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err);
bool param_check_point(const struct br_action *action, const struct param *param, json_t *value,
                       struct br_error *err);
bool param_check_box(const struct br_action *action, const struct param *param, json_t *value,
                     struct br_error *err);

#endif
