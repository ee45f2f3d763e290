/* What an attempt means for its check: passed or not, why, and what of it goes into the report. */
#ifndef RUNNER_CHECKS_VERDICT_H
#define RUNNER_CHECKS_VERDICT_H

#include "runner/checks/attempt.h"
#include "runner/checks/report/results.h"

/* When baselines are written. */
enum update_mode {
    UPDATE_NONE,    /* never: a missing one fails the check */
    UPDATE_MISSING, /* those that are missing */
    UPDATE_CHANGED, /* those, those that are no picture, and those that the picture differs from by
                       more than is allowed */
    UPDATE_ALL,     /* all whose bytes are not the same already */
};

struct verdict {
    enum check_status status;
    char *reason;           /* NULL when it passed */
    json_t *comparison;     /* as in results.json; NULL: nothing was compared */
    unsigned char *picture; /* of the difference, PNG; NULL: there is none */
    size_t picture_size;
    bool is_written; /* the picture is the baseline from now on */
    bool is_exact;   /* each pixel is that of the baseline */
};

/*
 * Compares the attempt with the baseline. It writes nothing: with is_written the caller does.
 * Caller finishes it.
 */
void verdict_make(const struct suite_check *check, const struct attempt *attempt,
                  const struct baseline *baseline, enum update_mode mode,
                  struct verdict *ret_verdict);
void verdict_finish(struct verdict *verdict);

/* Whether another attempt could make it better. */
bool verdict_is_bad(const struct verdict *verdict);

#endif
