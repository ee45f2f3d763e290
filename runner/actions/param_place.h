/* Parameters that are places: what their numbers have to be. */
#ifndef RUNNER_ACTIONS_PARAM_PLACE_H
#define RUNNER_ACTIONS_PARAM_PLACE_H

#include "runner/actions/params.h"

/* INVALID_ACTION for what is no PARAM_RANGE, PARAM_POINT or PARAM_BOX. */
bool param_check_range(const struct br_action *action, const struct param *param,
                       const json_t *value, struct br_error *err);
bool param_check_point(const struct br_action *action, const struct param *param,
                       const json_t *value, struct br_error *err);
bool param_check_box(const struct br_action *action, const struct param *param, const json_t *value,
                     struct br_error *err);

#endif
