/* The setting of `emulate` that makes the clock of pages stand still. */
#ifndef RUNNER_ACTIONS_CLOCK_H
#define RUNNER_ACTIONS_CLOCK_H

#include "runner/actions/action_type.h"

/*
 * `clock`: a time (text as of RFC 3339, or milliseconds since 1970), an object with `time` and
 * `seed`, true for what is usual of both; false or null takes it off.
 */
bool clock_validate(const struct br_action *action, struct br_error *err);

/*
 * A valid one as page_set() takes it: {"time": ms, "seed": n}, or false. Caller decrefs.
 */
json_t *clock_setting(const json_t *clock);

#endif
