/*
 * Reading a suite: the file that a user writes, checked whole before anything is run. The form of
 * the file: docs/schema/smoke.schema.json.
 */
#ifndef RUNNER_CHECKS_SUITE_LOAD_H
#define RUNNER_CHECKS_SUITE_LOAD_H

#include "runner/base/strbuf.h"
#include "runner/checks/suite.h"

/*
 * Reads a suite of at most SUITE_MAX_BYTES. Everything that is wrong with it is written to
 * problems, a line each with its place and the cure ("smoke.json:12:20: checks[3].threshold: …");
 * NULL when there is any. With `only` on any check, all others are skipped. Caller destroys it.
 */
struct suite *suite_load(const char *file, struct strbuf *problems);

#endif
