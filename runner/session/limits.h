/* How many failures a session bears before it gives up. */
#ifndef RUNNER_SESSION_LIMITS_H
#define RUNNER_SESSION_LIMITS_H

#include "runner/base/action.h"

struct limits {
    int max_consecutive, max_total; /* 0: any number */
    int consecutive, total; /* failed actions in a row, and in all, since the last `start` */
};

/* Takes the limits that a `start` action gives. */
void limits_read(struct limits *limits, const struct br_action *action);

void limits_count(struct limits *limits, bool is_success);

/* After a `start` that has succeeded. */
void limits_reset(struct limits *limits);

/* Whether one is reached; then *err is LIMIT_EXCEEDED, which one, and what can be done. */
bool limits_reached(const struct limits *limits, struct br_error *err);

#endif
