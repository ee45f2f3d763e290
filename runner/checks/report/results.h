/* The document results.json: its states, its members, its form. */
#ifndef RUNNER_CHECKS_REPORT_RESULTS_H
#define RUNNER_CHECKS_REPORT_RESULTS_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stddef.h>

/* What became of a check, the most urgent first: the order of all lists. */
enum check_status {
    CHECK_ERROR,   /* the picture could not be had */
    CHECK_FAILED,  /* the picture differs, or the page has errors that are not allowed */
    CHECK_NEW,     /* there was no baseline; the picture is it now */
    CHECK_UPDATED, /* the picture has replaced the baseline */
    CHECK_FLAKY,   /* passed in a later attempt */
    CHECK_NOT_RUN, /* the run ended before */
    CHECK_SKIPPED, /* by the suite */
    CHECK_PASSED,
    CHECK_STATUS_COUNT, /* none of the above, too */
};

/* "error", as it is written in results.json. */
const char *status_name(enum check_status status);

/* "not run", as people read it. */
const char *status_label(enum check_status status);

/* "3 errors", "1 not run". Caller frees. */
char *status_counted(enum check_status status, size_t count);

/* "1 baseline belongs to no check", and how to be rid of them. Caller frees; NULL: there is none.
 */
char *results_stale_note(const json_t *results);

/* The state of one of the "checks". */
enum check_status check_status(const json_t *check);

/* A member that is a text, else "". Borrowed. */
const char *results_text(const json_t *object, const char *key);

/* The check's problems that its reason does not tell already. Caller decrefs. */
json_t *results_other_problems(const json_t *check);

/* The picture that shows best what became of the check, such as "images/home@desktop.diff.png"; ""
 * where it has none. Borrowed. */
const char *results_picture(const json_t *check);

/* The entries of "checks". Borrowed. */
const json_t *results_checks(const json_t *results);

/* How many of the checks have the status. */
size_t results_count(const json_t *results, enum check_status status);

/*
 * Whether everything in the document has the form that is written down for it: types, numbers that
 * are not negative, different ids, and pictures that lie below "images/" and nowhere else. `source`
 * is named in the error.
 */
bool results_check(const json_t *results, const char *source, struct br_error *err);

#endif
