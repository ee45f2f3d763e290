/*
 * The directory of one run: the browser's own TMPDIR and, for a temporary profile, the profile.
 * It is ${TMPDIR:-/tmp}/browser-runner-<uid>-<pid>-<start time>-XXXXXX, mode 0700; without a TMPDIR
 * one with a profile is in memory, if there is plenty. A browser that was killed leaves files in
 * its TMPDIR; here they go with the directory, at the latest when a later run finds that the
 * process in the name is gone.
 */
#ifndef PROFILES_RUN_DIRECTORY_H
#define PROFILES_RUN_DIRECTORY_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <sys/types.h>

struct run_directory;

/*
 * Makes the directory with `tmp` in it and, if asked, `profile`. Sweeps those of dead runners first
 * and ends their browsers, see orphan_end: *ret_notice is a sentence on what was ended, or NULL,
 * also where the rest fails; caller frees. /tmp is taken where TMPDIR is too long for the socket
 * that Chrome makes in it. NULL with an error.
 */
struct run_directory *run_directory_create(bool with_profile, char **ret_notice,
                                           struct br_error *err);

/* Absolute paths; the profile is NULL when none was asked for. Borrowed. */
const char *run_directory_path(const struct run_directory *run);
const char *run_directory_tmp(const struct run_directory *run);
const char *run_directory_profile(const struct run_directory *run);

/* Notes the browser of the run, for the sweep of a later one; see orphan_record. */
bool run_directory_record(struct run_directory *run, pid_t browser, const char *profile,
                          struct br_error *err);

/* Between two browsers of one run: empties `tmp` of what the first one left, as far as it goes. */
void run_directory_clear_tmp(struct run_directory *run);

/*
 * Removes the directory with everything in it, and waits until the deadline for the browser's last
 * processes to end writing. What stays is swept by a later run.
 */
bool run_directory_remove(struct run_directory *run, struct deadline deadline,
                          struct br_error *err);

/* Frees the struct only; the directory stays unless it was removed. */
void run_directory_destroy(struct run_directory *run);

#endif
