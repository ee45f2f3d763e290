/* Runs a suite: several pages of one browser at the same time. */
#ifndef RUNNER_CHECKS_RUN_H
#define RUNNER_CHECKS_RUN_H

#include "runner/checks/check_options.h"
#include "runner/checks/suite.h"

/*
 * Runs the checks of the suite, writes baselines according to `update`, and the report's pictures.
 * Returns the document results.json, except for writing the report; caller decrefs. NULL if nothing
 * could run: INVALID_ACTION if names and tags leave no check or a folder cannot be written, an
 * error of the server, BROWSER_NOT_FOUND and the like.
 */
json_t *check_run(const struct suite *suite, const struct check_options *options,
                  struct br_error *err);

#endif
