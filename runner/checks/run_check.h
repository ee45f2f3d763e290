/* Runs one check, on one of the workers. */
#ifndef RUNNER_CHECKS_RUN_CHECK_H
#define RUNNER_CHECKS_RUN_CHECK_H

#include "runner/checks/run_state.h"

/*
 * Makes attempts at one check, writes its pictures into the report, and its baseline if requested.
 * Returns the check's entry, which the caller decrefs; NULL if the run ended meanwhile.
 */
json_t *run_check(struct run *run, struct br_session *session, const struct suite_check *check);

#endif
