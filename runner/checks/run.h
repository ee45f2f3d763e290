/* Runs a suite: several pages of one browser at the same time. */
#ifndef RUNNER_CHECKS_RUN_H
#define RUNNER_CHECKS_RUN_H

#include "runner/checks/select.h"
#include "runner/checks/suite.h"
#include "runner/checks/verdict.h"

#include <browser_runner/session.h>
#include <jansson.h>

struct check_options {
    const struct br_browser_options *browser;
    const struct br_session_options *session; /* for each page */
    const char *report;                       /* folder; pictures are written to its "images" */
    const char *command; /* the command that runs the suite, for commands that users copy */
    struct select_options select;
    int jobs;            /* number of pages open at the same time, at least 1 */
    int retries;         /* default for checks without their own */
    int max_failures;    /* the run ends after so many failed checks; 0: no limit */
    const char *against; /* compares with this address or revision; NULL: with baselines */
    bool is_ci;
    enum update_mode update;
    bool allows_errors; /* also of pictures that verdict_make() doubts */
    int interrupt_fd;   /* the run ends early when it becomes readable; -1: none */
    /* Called with the entry of each check when it ends, from one thread at a time; may be NULL. */
    void (*on_result)(void *data, const json_t *check, size_t done, size_t total);
    void *data;
};

/*
 * Runs the checks of the suite, writes baselines according to `update`, and the report's pictures.
 * Returns the document results.json, except for writing the report; caller decrefs. NULL if nothing
 * could run: INVALID_ACTION if names and tags leave no check or a folder cannot be written, an
 * error of the server, BROWSER_NOT_FOUND and the like.
 */
json_t *check_run(const struct suite *suite, const struct check_options *options,
                  struct br_error *err);

#endif
