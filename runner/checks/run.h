/* Running a suite: several pages of one browser at the same time, and what came of it. */
#ifndef RUNNER_CHECKS_RUN_H
#define RUNNER_CHECKS_RUN_H

#include "runner/checks/check_options.h"
#include "runner/checks/suite.h"

/*
 * Runs the checks of the suite and writes baselines as `update` says, and the report's pictures.
 * The document results.json, with all but the report written; caller decrefs. NULL when nothing
 * could be run: INVALID_ACTION where no check is left by names and tags or a folder cannot be
 * written, what the server failed with, BROWSER_NOT_FOUND and the like.
 */
json_t *check_run(const struct suite *suite, const struct check_options *options,
                  struct br_error *err);

#endif
