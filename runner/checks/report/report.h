/*
 * What a run of checks leaves behind for people and for CI. Everything is made of one document,
 * results.json, whose form is docs/schema/results.schema.json; texts in it come from pages and are
 * never trusted.
 */
#ifndef RUNNER_CHECKS_REPORT_REPORT_H
#define RUNNER_CHECKS_REPORT_REPORT_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdio.h>

/*
 * The members "totals" and "groups" of the document, made of its "checks": how many have which
 * state, and which of those that failed differ in the same way. Caller decrefs.
 */
json_t *report_totals(const json_t *checks);
json_t *report_groups(const json_t *checks);

/*
 * Writes results.json and index.html into a directory that exists and holds the pictures already.
 * Each file replaces its predecessor at once, with the permissions that the directory has.
 */
bool report_write(const json_t *results, const char *directory, struct br_error *err);

/*
 * Reads the results.json of a report (at most 128 MB) and checks its form: what it returns is fit
 * for every function here, and its pictures are inside the report. Caller decrefs; NULL with the
 * path and the place in it ("checks[3].status") when there is none or it is no such document.
 */
json_t *report_load(const char *directory, struct br_error *err);

/*
 * Writes JUnit XML as Jenkins, GitLab and Surefire's readers take it. `directory` is the report's,
 * as the names of the attached pictures begin with.
 */
bool report_write_junit(const json_t *results, const char *directory, const char *path,
                        struct br_error *err);

/*
 * Appends a summary in Markdown to the file at `path`, as GITHUB_STEP_SUMMARY wants it: at most
 * 512 kB, whatever there is to say.
 */
bool report_append_markdown(const json_t *results, const char *path, struct br_error *err);

/*
 * Writes GitHub's workflow commands: an error for a check that failed, a warning for one that is
 * flaky or for an environment that differs; each kind at most as often as GitHub shows it.
 */
void report_print_annotations(const json_t *results, FILE *stream);

/* How a run ended, for a person at a terminal. */
struct report_terminal {
    const char *directory; /* the report's, to be named; NULL: there is none */
    bool has_colors;
};

/*
 * Writes what failed and why, the totals, where the report is, and the command that approves. Texts
 * of pages cannot move the cursor.
 */
void report_print(const json_t *results, const struct report_terminal *terminal, FILE *stream);

/*
 * Makes one report of those of several shards, in a directory that exists: pictures are copied,
 * totals, equal changes, stale baselines and approve commands are those of the whole. A check that
 * is in two of them is INVALID_ACTION with both places; a shard that is missing is a warning in the
 * report, which is then not complete. Caller decrefs; NULL when it could not be written.
 */
json_t *report_merge(const char *const *directories, size_t count, const char *output,
                     struct br_error *err);

#endif
