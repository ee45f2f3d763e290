/*
 * Reads a suite: the user's file, checked as a whole before anything runs.
 * docs/schema/smoke.schema.json defines its form.
 */
#ifndef RUNNER_CHECKS_SUITE_LOAD_H
#define RUNNER_CHECKS_SUITE_LOAD_H

#include "runner/base/strbuf.h"
#include "runner/checks/suite.h"

/*
 * Reads a suite of at most SUITE_MAX_BYTES. Writes all problems, one line each with its position
 * and the remedy ("smoke.json:12:20: checks[3].threshold: …"); returns NULL if there are any. If
 * any check has `only`, all others are skipped. Caller destroys it.
 */
struct suite *suite_load(const char *file, struct strbuf *problems);

#endif
