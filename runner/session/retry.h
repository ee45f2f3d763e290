/*
 * Decides when a failed action is tried again: by `retryOptions` of the action, and by the rule
 * that input which a page may have received is repeated only if the instruction says so.
 */
#ifndef RUNNER_SESSION_RETRY_H
#define RUNNER_SESSION_RETRY_H

#include "runner/base/action.h"

#include <stdint.h>

enum { RETRY_LEAST_MS = 300 }; /* no further try with less of the action's time left */

struct retry_policy {
    int max_retries;  /* tries after the first one */
    int64_t delay_ms; /* before the second try; doubled before each further one */
    uint32_t codes;   /* one bit for each enum br_code that is tried again */
    bool is_listed;   /* the instruction lists the codes */
};

/*
 * Reads the policy of a validated action; `defaults` are the options used when it has none, NULL:
 * none.
 */
struct retry_policy retry_policy_of(const struct br_action *action, const json_t *defaults);

/*
 * Returns whether try number `attempt` (from 1), which failed with `code`, is followed by another.
 * has_acted: the action's input may have reached the page.
 */
bool retry_is_allowed(const struct retry_policy *policy, enum br_code code, bool has_acted,
                      int attempt);

/*
 * Returns the delay after try number `attempt`. chance is 0 to 1 and varies the delay by a fifth.
 */
int64_t retry_delay_ms(const struct retry_policy *policy, int attempt, double chance);

/*
 * Returns the time limit of try number `attempt` when left_ms of the action's time are left: all of
 * it, or a fair share if TIMEOUT is among the codes, so that later tries have time too.
 */
int64_t retry_limit_ms(const struct retry_policy *policy, int attempt, int64_t left_ms);

/*
 * Returns how long try number `attempt` may wait for its element: all of the time left, or a fair
 * share of it if codes of elements are among the codes.
 */
int64_t retry_patience_ms(const struct retry_policy *policy, int attempt, int64_t left_ms);

#endif
