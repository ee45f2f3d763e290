/* One check of a run, by one of its workers. */
#ifndef RUNNER_CHECKS_RUN_CHECK_H
#define RUNNER_CHECKS_RUN_CHECK_H

#include "runner/checks/run_state.h"

/*
 * Attempts at one check, its pictures in the report, and its baseline if that is to be
 * written. The check's entry, the caller's to decref; NULL when the run ended under it.
 */
json_t *run_check(struct run *run, struct br_session *session, const struct suite_check *check);

#endif
