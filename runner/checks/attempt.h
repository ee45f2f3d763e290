/*
 * One attempt at a check: opens its page, brings it into the requested state, and takes its
 * picture.
 */
#ifndef RUNNER_CHECKS_ATTEMPT_H
#define RUNNER_CHECKS_ATTEMPT_H

#include "runner/checks/baseline.h"
#include "runner/checks/suite.h"

#include <browser_runner/session.h>

/* Where an attempt takes place; all members may be NULL. */
struct attempt_side {
    const char *state;     /* a file of cookies and storage to begin with */
    const char *from, *to; /* addresses move from one site to another, see url_move() */
};

struct attempt {
    struct br_error error; /* why there is no picture; BR_OK if there is one */
    bool has_begun;        /* the browser has opened its page */
    bool is_lost;          /* the browser or the page crashed: this says nothing about the check */
    char *png;             /* the picture */
    size_t size;
    int width, height; /* pixels */
    int http_status;   /* of the page; 0: none */
    json_t *ignored;   /* array: {x, y, width, height} in pixels of the picture: does not count */
    json_t *zones;     /* likewise, with `threshold` */
    json_t *unstable;  /* array: why the page did not come to rest, as sentences */
    json_t *warnings;  /* array: selectors of hide, remove and mask that match nothing */
    json_t *problems;  /* array: console errors and failed requests, as sentences; only if the check
                          expects none */
    json_t *errors;    /* array: console errors, as sentences */
    json_t *logs, *failures, *metrics; /* as in results.json */
};

/*
 * Runs the check's steps in the session, which must not take pictures by itself. A picture that is
 * identical to the baseline, byte for byte, needs no second one to prove that it is stable. Without
 * a baseline it is the suite's `setup`: instead of taking a picture, saves cookies and local
 * storage to the side's state. Reports failures only in attempt->error. Caller finishes it.
 */
void attempt_run(struct br_session *session, const struct suite_check *check,
                 const struct attempt_side *side, const struct baseline *baseline,
                 struct attempt *ret_attempt);
void attempt_finish(struct attempt *attempt);

#endif
