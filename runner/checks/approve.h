/* Makes pictures of the last report the baselines, without a browser. */
#ifndef RUNNER_CHECKS_APPROVE_H
#define RUNNER_CHECKS_APPROVE_H

#include "runner/base/error.h"
#include "runner/checks/suite.h"

#include <jansson.h>

/*
 * Names are ids of checks, names of checks (all viewports) or globs of either; NULL-terminated.
 * Writes nothing unless each of them matches a check to approve: otherwise INVALID_ACTION. Returns
 * the ids, an array that the caller decrefs; NULL with the error.
 */
json_t *approve(const struct suite *suite, const char *report, const char *const *names,
                struct br_error *err);

#endif
