/* Instructions read from files: all are read and validated before any is run. */
#ifndef RUNNER_BATCH_PLAN_H
#define RUNNER_BATCH_PLAN_H

#include "runner/base/action.h"
#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct batch_plan {
    struct br_action **actions; /* valid, in order; owned */
    size_t count, capacity;
};

/*
 * An instruction_on_action whose data is the plan: takes ownership of a valid action; fails with
 * the error of an invalid one.
 */
bool batch_plan_take(void *plan, struct br_action *action, struct br_error *err);

/* Reads a whole text; fails at the first instruction that is not valid. */
bool batch_plan_read(struct batch_plan *plan, const char *text, size_t length,
                     struct br_error *err);

void batch_plan_finish(struct batch_plan *plan);

#endif
