/*
 * When an action that failed is tried again: `retryOptions` of the action, and the rule that input
 * which a page may have seen is repeated only if the instruction says so.
 */
#ifndef RUNNER_SESSION_RETRY_H
#define RUNNER_SESSION_RETRY_H

#include "runner/base/action.h"

#include <stdint.h>

enum { RETRY_LEAST_MS = 300 }; /* with less of its time left nothing more is tried */

struct retry_policy {
    int max_retries;  /* tries after the first one */
    int64_t delay_ms; /* before the second try; doubled before each further one */
    uint32_t codes;   /* one bit for each enum br_code that is tried again */
    bool is_listed;   /* the instruction lists them itself */
};

/* Of an action that was checked; `defaults` are the options where it has none, NULL: none. */
struct retry_policy retry_policy_of(const struct br_action *action, const json_t *defaults);

/*
 * Whether try number `attempt` (from 1), which failed with `code`, is followed by another one.
 * has_acted: its input may have reached the page.
 */
bool retry_is_allowed(const struct retry_policy *policy, enum br_code code, bool has_acted,
                      int attempt);

/* How long to wait after try number `attempt`. chance is 0 to 1: the delay varies by a fifth. */
int64_t retry_delay_ms(const struct retry_policy *policy, int attempt, double chance);

/*
 * How long try number `attempt` may take where so much of the action's time is left: all of it, or,
 * where TIMEOUT is listed, a fair part, so that the tries that follow have theirs.
 */
int64_t retry_limit_ms(const struct retry_policy *policy, int attempt, int64_t left_ms);

/*
 * How long try number `attempt` may wait for its element: all that is left, or, where errors of
 * elements are listed, a fair part of it.
 */
int64_t retry_patience_ms(const struct retry_policy *policy, int attempt, int64_t left_ms);

#endif
