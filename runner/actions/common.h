/* Helpers that several actions use. */
#ifndef RUNNER_ACTIONS_COMMON_H
#define RUNNER_ACTIONS_COMMON_H

#include "runner/actions/action_type.h"

/* Returns the action's timeout; `fallback` if it has none. */
int64_t action_timeout_ms(const struct br_action *action, int64_t fallback);

/* Returns `modifiers` as the protocol's bits. */
int action_modifier_bits(const struct br_action *action);

enum page_wait_until action_wait_until(const struct br_action *action);

/* Stores the status in the response; logs a status of 400 or higher, with a hint. */
void action_report_status(struct action_run *run, int status);

/*
 * After input: waits for the navigation that the input started, if any, and reports its status. As
 * page_settle().
 */
bool action_settle(struct action_run *run, struct page_mark before, bool is_required,
                   struct br_error *err);

#endif
