/* The setting of `emulate` that stops the clock of pages. */
#ifndef RUNNER_ACTIONS_CLOCK_H
#define RUNNER_ACTIONS_CLOCK_H

#include "runner/actions/action_type.h"

/*
 * Validates `clock`: a time (RFC 3339 text, or milliseconds since 1970), an object with `time` and
 * `seed`, or true for the defaults of both. false or null ends the emulation.
 */
bool clock_validate(const struct br_action *action, struct br_error *err);

/*
 * Converts a valid value to the setting of page_set(): {"time": ms, "seed": n}, or false. Caller
 * decrefs.
 */
json_t *clock_setting(const json_t *clock);

#endif
