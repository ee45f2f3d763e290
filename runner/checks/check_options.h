/* What a run of checks is asked for. */
#ifndef RUNNER_CHECKS_CHECK_OPTIONS_H
#define RUNNER_CHECKS_CHECK_OPTIONS_H

#include "runner/checks/verdict.h"

#include <browser_runner/session.h>
#include <jansson.h>

struct check_options {
    const struct br_browser_options *browser;
    const struct br_session_options *session; /* of each page */
    const char *report;                       /* directory; pictures go into its "images" */
    const char *command;          /* what a user types to run the suite, for commands to copy */
    const char *const *names;     /* only checks whose id has one of these in it, or matches it as a
                                     glob; NULL-terminated; NULL: all */
    const char *const *tags;      /* only checks with one of these; likewise */
    int jobs;                     /* pages at the same time, at least 1 */
    int shard_index, shard_total; /* the part of the checks to run, counted from 1; 0: all */
    const json_t *timings;        /* results.json of a run before, by whose times the shards are
                                     dealt; NULL: in turn */
    int retries;                  /* of a check that does not say */
    int max_failures;             /* checks that fail before the run ends; 0: any number */
    bool is_ci;
    enum update_mode update;
    int interrupt_fd; /* readable: the run ends early; -1: none */
    /* Called with the entry of each check as it ends, from one thread at a time; may be NULL. */
    void (*on_result)(void *data, const json_t *check, size_t done, size_t total);
    void *data;
};

#endif
