/* What several actions do in the same way. */
#ifndef RUNNER_ACTIONS_COMMON_H
#define RUNNER_ACTIONS_COMMON_H

#include "runner/actions/action_type.h"

/* How long the action may take; `fallback` where it does not say. */
int64_t action_timeout_ms(const struct br_action *action, int64_t fallback);

/* The protocol's bits of `modifiers`. */
int action_modifier_bits(const struct br_action *action);

enum page_wait_until action_wait_until(const struct br_action *action);

/* Puts the status into the response; from 400 on the log says so, with a hint. */
void action_report_status(struct action_run *run, int status);

/*
 * After input: waits for the navigation that it set off, and reports its status. As page_settle().
 */
bool action_settle(struct action_run *run, struct page_mark before, bool is_required,
                   struct br_error *err);

#endif
