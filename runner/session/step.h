/* The expectations of a step of `diagnose`, in addition to its action's success. */
#ifndef RUNNER_SESSION_STEP_H
#define RUNNER_SESSION_STEP_H

#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <jansson.h>

struct br_response;
struct page;

struct step {
    const json_t *terms; /* from the instruction: expectedLogs, noJsErrors, …; borrowed */
    struct deadline end; /* of all steps */
    bool wants_pre;      /* take the picture from before all steps */
    json_t *errors;      /* array of {condition, errorCode, error, hint}; the caller decrefs */
    json_t *matched;     /* array: the messages that matched expectedLogs; the caller decrefs */
};

/*
 * Waits for each expected entry, at most STEP_PATIENCE_MS each. Where errors are forbidden, waits
 * as long for a quiet page, so that late errors are found.
 */
enum { STEP_PATIENCE_MS = 2000 };
void step_wait(struct step *step, struct page *page, const struct log_list *logs);

/*
 * Collects the failed expectations, once the response describes the page: the action itself
 * ("action"), errors of the page, then missing entries. The first becomes the response's error. A
 * condition that is false gives EVAL_ERROR.
 */
void step_judge(struct step *step, const struct log_list *logs, struct br_response *response);

#endif
