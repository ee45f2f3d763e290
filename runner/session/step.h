/* What has to hold after a step of `diagnose`, beside that its action succeeds. */
#ifndef RUNNER_SESSION_STEP_H
#define RUNNER_SESSION_STEP_H

#include "runner/base/clock.h"
#include "runner/base/log.h"

#include <jansson.h>

struct br_response;
struct page;

struct step {
    const json_t *terms; /* of the instruction: expectedLogs, noJsErrors, …; borrowed */
    struct deadline end; /* of all steps */
    bool wants_pre;      /* takes the picture from before all steps */
    json_t *errors;      /* array of {condition, errorCode, error, hint}; the caller's to decref */
    json_t *matched;     /* array: the messages that expectedLogs asked for; likewise */
};

/*
 * Waits until what is expected has come, each for at most STEP_PATIENCE_MS; and so long for quiet,
 * where errors are not allowed, so that late ones are seen.
 */
enum { STEP_PATIENCE_MS = 2000 };
void step_wait(struct step *step, struct page *page, const struct log_list *logs);

/*
 * Gathers what did not hold, once the response says what the page was like: the action itself
 * ("action"), errors of the page, then what did not come. The first becomes the response's error. A
 * condition that does not hold is EVAL_ERROR.
 */
void step_judge(struct step *step, const struct log_list *logs, struct br_response *response);

#endif
