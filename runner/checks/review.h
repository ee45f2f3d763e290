/*
 * `check review`: a local server whose page is the report, in which pictures become baselines. Its
 * pages receive each other's decisions over WebSockets.
 */
#ifndef RUNNER_CHECKS_REVIEW_H
#define RUNNER_CHECKS_REVIEW_H

#include "runner/checks/suite.h"
#include "runner/loop/loop.h"

#include <jansson.h>

struct review_options {
    const struct suite *suite;
    const char *report; /* its folder */
    int port;           /* 0: any free port */
};

struct review;

/* Everything must outlive the review. Returns NULL with the error. */
struct review *review_open(struct loop *loop, const struct review_options *options,
                           struct br_error *err);

/* Returns the address of the page, with its token. Borrowed. */
const char *review_url(const struct review *review);

/* Becomes readable when the user has ended the review, or closed its last page. */
int review_end_fd(const struct review *review);

/*
 * Ends the review. Returns what was decided: {accepted, rejected: arrays of ids, open: number}.
 * Caller decrefs.
 */
json_t *review_close(struct review *review);

#endif
