/*
 * Browsers that outlived their runner: a Chrome ends when its pipe closes, but not while it hangs
 * or is stopped. Each runner writes into its run directory which browser it started; whoever finds
 * that directory abandoned ends the browser, if it is still that one.
 */
#ifndef PROFILES_ORPHAN_H
#define PROFILES_ORPHAN_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <sys/types.h>

/*
 * Writes a file `browser` into the run directory: the process, when it started, and its profile (an
 * absolute path). A file of an earlier browser is replaced. A process that has ended needs none.
 */
bool orphan_record(const char *run_directory, pid_t browser, const char *profile,
                   struct br_error *err);

/*
 * Ends the browser that an abandoned run directory names, with its process group: only the process
 * with that start time, and with that profile in its arguments. It may end by itself, and write
 * what it has to, until the deadline, unless the profile is in the run directory and goes with it.
 * Returns the pid of what was killed; 0: there was nothing to kill.
 */
pid_t orphan_end(const char *run_directory, struct deadline grace);

#endif
