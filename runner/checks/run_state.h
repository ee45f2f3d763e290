/* The state that the workers of a run share. */
#ifndef RUNNER_CHECKS_RUN_STATE_H
#define RUNNER_CHECKS_RUN_STATE_H

#include "runner/checks/against.h"
#include "runner/checks/run.h"
#include "runner/checks/select.h"
#include "runner/checks/server.h"

#include <pthread.h>

/* A run: its workers take the checks in order. */
struct run {
    const struct suite *suite;
    const struct check_options *options;
    struct br_browser *browser;
    struct selection selection;
    struct against *against;  /* the other side; NULL: baselines */
    struct attempt_side side; /* on which the workers are now */
    struct server *server;    /* NULL: none */
    json_t *other_faults;     /* object: ids of checks that the other side has no picture of; why */
    pthread_mutex_t mutex;    /* guards the following members */
    size_t next;              /* index of the next check in the selection */
    size_t done, failed;
    bool is_stopped;       /* no further check begins */
    bool is_interrupted;   /* by the user */
    struct br_error fatal; /* an error that makes all other checks pointless; BR_OK: none */
    json_t *entries;       /* array, in the selection's order; null: not run */
    json_t *environment;   /* "browser" is set with the first page */
    json_t *mismatches;    /* object: number of baselines by other environment */
    json_t *origins_written, *origins_unknown; /* arrays: baselines without an origin file */
};

bool run_is_interrupted(struct run *run);

/* Ends the run for an error that affects all checks: no browser, or no space for the report. */
void run_give_up(struct run *run, const struct br_error *why);

/*
 * Makes attempts at one check on one of the workers, writes its pictures into the report, and its
 * baseline if requested. Returns the check's entry, which the caller decrefs; NULL if the run ended
 * meanwhile.
 */
json_t *run_check(struct run *run, struct br_session *session, const struct suite_check *check);

/* Takes the picture of the other side, with which run_check() will compare. */
void run_check_other_side(struct run *run, struct br_session *session,
                          const struct suite_check *check);

#endif
