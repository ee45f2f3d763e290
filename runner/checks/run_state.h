/* What the workers of a run share. */
#ifndef RUNNER_CHECKS_RUN_STATE_H
#define RUNNER_CHECKS_RUN_STATE_H

#include "runner/checks/select.h"

#include <pthread.h>

/* A run: its workers take the checks in their order. */
struct run {
    const struct suite *suite;
    const struct check_options *options;
    struct br_browser *browser;
    struct selection selection;
    pthread_mutex_t mutex; /* guards what follows */
    size_t next;           /* in the selection */
    size_t done, failed;
    bool is_stopped;       /* no check begins any more */
    bool is_interrupted;   /* by the user */
    struct br_error fatal; /* what makes all others useless; BR_OK: nothing */
    json_t *entries;       /* array, by the selection's order; null: not run */
    json_t *environment;   /* "browser" comes with the first page */
    json_t *mismatches;    /* object: how many baselines are of another environment */
    json_t *origins_written, *origins_unknown; /* arrays: baselines without a word of theirs */
};

bool run_is_interrupted(struct run *run);

/* Ends the run for what no check can help: that there is no browser, or no room for the report. */
void run_give_up(struct run *run, const struct br_error *why);

#endif
