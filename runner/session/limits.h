/* The limits on failed actions, after which a session gives up. */
#ifndef RUNNER_SESSION_LIMITS_H
#define RUNNER_SESSION_LIMITS_H

#include "runner/base/action.h"

struct limits {
    int max_consecutive, max_total; /* 0: unlimited */
    int consecutive, total; /* failed actions in a row, and in total, since the last `start` */
};

/* Reads the limits given by a `start` action. */
void limits_read(struct limits *limits, const struct br_action *action);

void limits_count(struct limits *limits, bool is_success);

/* Resets the counters, after a successful `start`. */
void limits_reset(struct limits *limits);

/*
 * Returns whether a limit is reached; then *err is LIMIT_EXCEEDED and names the limit and the cure.
 */
bool limits_reached(const struct limits *limits, struct br_error *err);

#endif
