/* Makes pictures of the last report the baselines, without a browser. */
#ifndef RUNNER_CHECKS_APPROVE_H
#define RUNNER_CHECKS_APPROVE_H

#include "runner/base/error.h"
#include "runner/checks/suite.h"

#include <jansson.h>
#include <stddef.h>

/*
 * Names are ids of checks, names of checks (all viewports) or globs of either; NULL-terminated.
 * Writes nothing unless each of them matches a check to approve: otherwise INVALID_ACTION. Returns
 * the ids, an array that the caller decrefs; NULL with the error.
 */
json_t *approve(const struct suite *suite, const char *report, const char *const *names,
                struct br_error *err);

/* Refuses a report of `--against`, whose expected pictures are no baselines. */
bool approve_allows(const json_t *results, const char *report, struct br_error *err);

/* Whether a check of a report failed with a picture that can be approved. */
bool approve_is_open(const json_t *check);

/*
 * Returns the new picture of a check in a report, which may come from someone else: no file outside
 * the report, and nothing but a picture. Caller frees; NULL with the error.
 */
char *approve_picture(const char *report, const json_t *check, size_t *ret_size,
                      struct br_error *err);

/* Makes the picture of one check of the report the baseline. `environment` is the report's. */
bool approve_check(const struct suite *suite, const char *report, const json_t *environment,
                   const json_t *check, struct br_error *err);

#endif
