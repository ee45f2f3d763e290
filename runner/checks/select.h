/* Selects the checks to run: by names, tags and the shard. */
#ifndef RUNNER_CHECKS_SELECT_H
#define RUNNER_CHECKS_SELECT_H

#include "runner/checks/suite.h"

#include <jansson.h>

struct select_options {
    const char *const *names;     /* only checks whose id contains one of these, or matches it as a
                                     glob; NULL-terminated; NULL: all */
    const char *const *tags;      /* only checks with one of these tags; likewise */
    int shard_index, shard_total; /* the part of the checks to run, counted from 1; 0: all */
    const json_t *timings; /* results.json of an earlier run, by whose times the checks are dealt to
                              shards; NULL: in turn */
};

struct selection {
    const struct suite_check **checks; /* in the suite's order; borrowed */
    size_t count;
    char deal[17]; /* equal for all shards that were dealt alike */
};

/*
 * INVALID_ACTION if names and tags leave no check; a shard may be empty. Skipped checks are
 * included, but only in the first shard. Caller finishes it.
 */
bool select_checks(const struct suite *suite, const struct select_options *options,
                   struct selection *ret_selection, struct br_error *err);
void selection_finish(struct selection *selection);

/* Whether the user's text matches an id or a check's name: completely, or as a glob. */
bool select_matches(const char *wanted, const char *id, const char *name);

#endif
