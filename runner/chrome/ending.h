/* How a browser's process came to its end, in words. */
#ifndef RUNNER_CHROME_ENDING_H
#define RUNNER_CHROME_ENDING_H

#include "runner/chrome/process.h"

/*
 * Fills *err with why the process, which has ended, did so: PROFILE_IN_USE or BROWSER_CRASHED, with
 * its last words and, where they are known, the cure. Returns false.
 */
bool ending_explain(struct process *process, const char *profile, struct br_error *err);

#endif
