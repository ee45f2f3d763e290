/* The verdict on an attempt: whether the check passed, why, and what the report shows of it. */
#ifndef RUNNER_CHECKS_VERDICT_H
#define RUNNER_CHECKS_VERDICT_H

#include "runner/checks/attempt.h"
#include "runner/checks/report/results.h"

/* Which baselines are written. */
enum update_mode {
    UPDATE_NONE,    /* none: a missing one fails the check */
    UPDATE_MISSING, /* missing ones */
    UPDATE_CHANGED, /* missing ones, those that are not a picture, and those whose difference
                       exceeds the limits */
    UPDATE_ALL,     /* all that are not identical byte for byte */
};

struct verdict {
    enum check_status status;
    char *reason;           /* NULL if it passed */
    json_t *comparison;     /* as in results.json; NULL: no comparison */
    unsigned char *picture; /* picture of the difference, PNG; NULL: none */
    size_t picture_size;
    bool is_written; /* the picture becomes the baseline */
    bool is_exact;   /* each pixel equals that of the baseline */
};

/*
 * Compares the attempt with the baseline. Writes nothing: if is_written, the caller writes the
 * baseline. A picture that is empty, or of a page with errors on its console, becomes a baseline
 * only if allows_errors. Caller finishes it.
 */
void verdict_make(const struct suite_check *check, const struct attempt *attempt,
                  const struct baseline *baseline, enum update_mode mode, bool allows_errors,
                  struct verdict *ret_verdict);
void verdict_finish(struct verdict *verdict);

/* Whether another attempt could improve it. */
bool verdict_is_bad(const struct verdict *verdict);

#endif
