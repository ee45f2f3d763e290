/*
 * The report of a run of checks, for people and for CI. Everything is generated from one document,
 * results.json, which docs/schema/results.schema.json defines; its texts come from pages and are
 * never trusted.
 */
#ifndef RUNNER_CHECKS_REPORT_REPORT_H
#define RUNNER_CHECKS_REPORT_REPORT_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdio.h>

/*
 * Returns the members "totals" and "groups" of the document for its "checks": the number of checks
 * with each status, and the failed checks that differ in the same way. Caller decrefs.
 */
json_t *report_totals(const json_t *checks);
json_t *report_groups(const json_t *checks);

/*
 * Writes results.json and index.html into an existing folder that already has the pictures. Each
 * file is replaced atomically, with the permissions of the folder.
 */
bool report_write(const json_t *results, const char *directory, struct br_error *err);

/*
 * Reads the results.json of a report (at most 128 MB) and checks its form: every function here
 * accepts the result, and its pictures are inside the report. Caller decrefs; NULL with the path
 * and the position in it ("checks[3].status") if it is missing or invalid.
 */
json_t *report_load(const char *directory, struct br_error *err);

/*
 * Writes JUnit XML for Jenkins, GitLab and readers of Surefire reports. `directory` is the
 * report's, with which the names of attached pictures begin.
 */
bool report_write_junit(const json_t *results, const char *directory, const char *path,
                        struct br_error *err);

/*
 * Appends a summary in Markdown to the file at `path`, for GITHUB_STEP_SUMMARY: at most 512 kB in
 * every case.
 */
bool report_append_markdown(const json_t *results, const char *path, struct br_error *err);

/*
 * Writes GitHub's workflow commands: an error for each failed check, a warning for a flaky one or a
 * different environment; each kind at most as often as GitHub shows it.
 */
void report_print_annotations(const json_t *results, FILE *stream);

/* The result of a run for a person at a terminal. */
struct report_terminal {
    const char *directory; /* the report's, to print; NULL: none */
    bool has_colors;
};

/*
 * Writes what failed and why, the totals, the place of the report, and the command that approves.
 * Texts of pages are escaped.
 */
void report_print(const json_t *results, const struct report_terminal *terminal, FILE *stream);

/*
 * Merges the reports of several shards into one, in an existing folder: copies pictures; totals,
 * equal changes, stale baselines and approve commands are those of the whole. A check that is in
 * two of them is INVALID_ACTION with both places; a missing shard is a warning in the report, which
 * is marked as incomplete. Caller decrefs; NULL if it could not be written.
 */
json_t *report_merge(const char *const *directories, size_t count, const char *output,
                     struct br_error *err);

#endif
