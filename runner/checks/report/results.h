/* The document results.json: its statuses, its members, its form. */
#ifndef RUNNER_CHECKS_REPORT_RESULTS_H
#define RUNNER_CHECKS_REPORT_RESULTS_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stddef.h>

/* The result of a check. Lists are sorted in this order, the most urgent first. */
enum check_status {
    CHECK_ERROR,   /* no picture could be taken */
    CHECK_FAILED,  /* the picture differs, or the page has errors that are not allowed */
    CHECK_NEW,     /* there was no baseline; the picture is the baseline now */
    CHECK_UPDATED, /* the picture has replaced the baseline */
    CHECK_FLAKY,   /* passed in a later attempt */
    CHECK_NOT_RUN, /* the run ended before */
    CHECK_SKIPPED, /* by the suite */
    CHECK_PASSED,
    CHECK_STATUS_COUNT, /* number of statuses */
};

/* Returns the name in results.json: "error". */
const char *status_name(enum check_status status);

/* Returns the name for people: "not run". */
const char *status_label(enum check_status status);

/* Returns "3 errors", "1 not run". Caller frees. */
char *status_counted(enum check_status status, size_t count);

/*
 * Returns "1 baseline belongs to no check", and how to remove it. Caller frees; NULL if there is
 * none.
 */
char *results_stale_note(const json_t *results);

/* Returns the status of one of the "checks". */
enum check_status check_status(const json_t *check);

/* Returns a member that is a text, else "". Borrowed. */
const char *results_text(const json_t *object, const char *key);

/* Returns the check's problems that its reason does not mention. Caller decrefs. */
json_t *results_other_problems(const json_t *check);

/*
 * Returns the picture that shows best why the check has its status, such as
 * "images/home@desktop.diff.png"; "" if there is none. Borrowed.
 */
const char *results_picture(const json_t *check);

/* Returns the entries of "checks". Borrowed. */
const json_t *results_checks(const json_t *results);

/* Returns how many checks have the status. */
size_t results_count(const json_t *results, enum check_status status);

/*
 * Checks the document's form: types, non-negative numbers, distinct ids, and pictures only below
 * "images/". `source` is named in the error.
 */
bool results_check(const json_t *results, const char *source, struct br_error *err);

#endif
