/* Explains why a browser's process ended. */
#ifndef RUNNER_CHROME_ENDING_H
#define RUNNER_CHROME_ENDING_H

#include "runner/chrome/process.h"

/*
 * Fills *err with the reason why the ended process stopped: PROFILE_IN_USE or BROWSER_CRASHED, with
 * its last output and, if known, the cure. Always returns false.
 */
bool ending_explain(struct process *process, const char *profile, struct br_error *err);

#endif
