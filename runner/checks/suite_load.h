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

/*
 * Sets the clock of all checks: a virtual one if the file or the caller wants it. at_ms applies to
 * checks without an "at" of their own; -1: none. INVALID_ACTION if there is an "at" without such a
 * clock.
 */
bool suite_load_clock(struct suite *suite, bool is_virtual, int at_ms, struct br_error *err);

#endif
