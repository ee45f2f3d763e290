/*
 * The directory of one launch: the browser's own TMPDIR and, for a temporary profile, the profile.
 * It is ${TMPDIR:-/tmp}/browser-runner-<uid>-<pid>-<start time>-XXXXXX, mode 0700; without a TMPDIR
 * one with a profile is in memory, if there is plenty. A browser that
 * was killed leaves files in its TMPDIR; here they go with the directory, at the latest when a
 * later launch finds that the process in the name is gone.
 */
#ifndef PROFILES_RUN_DIRECTORY_H
#define PROFILES_RUN_DIRECTORY_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

struct run_directory;

/*
 * Makes the directory with `tmp` in it and, if asked, `profile`; sweeps those of dead processes
 * first. /tmp is taken where TMPDIR is too long for the socket that Chrome makes in it. NULL with
 * an error.
 */
struct run_directory *run_directory_create(bool with_profile, struct br_error *err);

/* Absolute paths; the profile is NULL when none was asked for. Borrowed. */
const char *run_directory_path(const struct run_directory *run);
const char *run_directory_tmp(const struct run_directory *run);
const char *run_directory_profile(const struct run_directory *run);

/*
 * Removes the directory with everything in it, and waits until the deadline for the browser's last
 * processes to end writing. What stays is swept by a later launch.
 */
bool run_directory_remove(struct run_directory *run, struct deadline deadline,
                          struct br_error *err);

/* Frees the struct only; the directory stays unless it was removed. */
void run_directory_destroy(struct run_directory *run);

#endif
