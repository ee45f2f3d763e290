/* One attempt at a check: its page is opened anew, brought where the check wants it, and pictured.
 */
#ifndef RUNNER_CHECKS_ATTEMPT_H
#define RUNNER_CHECKS_ATTEMPT_H

#include "runner/checks/baseline.h"
#include "runner/checks/suite.h"

#include <browser_runner/session.h>

struct attempt {
    struct br_error error; /* why there is no picture; BR_OK when there is one */
    bool has_begun;        /* the browser gave it a page */
    bool is_lost;          /* browser or page died under it: that says nothing about the check */
    char *png;             /* the picture */
    size_t size;
    int width, height; /* pixels */
    int http_status;   /* of the page; 0: it has none */
    json_t *unstable;  /* array: in what the page did not come to rest, as sentences */
    json_t *warnings;  /* array: selectors of hide, remove and mask that match nothing */
    json_t *problems;  /* array: errors on the console and failed requests, as sentences */
    json_t *logs, *failures, *metrics; /* as in results.json */
};

/*
 * Runs the check's steps in the session, which takes its own pictures only when asked. A picture
 * that is the baseline's, byte for byte, needs no second one to prove that it is stable. Never
 * fails otherwise than by attempt->error. Caller finishes it.
 */
void attempt_run(struct br_session *session, const struct suite_check *check,
                 const struct baseline *baseline, struct attempt *ret_attempt);
void attempt_finish(struct attempt *attempt);

#endif
