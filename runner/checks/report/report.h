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

#endif
