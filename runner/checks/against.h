/*
 * `--against`: the other side of a comparison without baselines. It is another address of the same
 * site, or a revision of the suite's git repository, whose files are checked out and whose server
 * is started there.
 */
#ifndef RUNNER_CHECKS_AGAINST_H
#define RUNNER_CHECKS_AGAINST_H

#include "runner/checks/attempt.h"
#include "runner/checks/suite.h"

struct against;

/*
 * Prepares the other side. `name` is an address, with or without its scheme, or else a revision,
 * which is checked out into a temporary folder. Returns NULL with INVALID_ACTION if the suite has
 * no baseUrl, there is no such revision, or the suite has no server that could run there. The suite
 * must outlive it. Caller closes it.
 */
struct against *against_open(const struct suite *suite, const char *name, struct br_error *err);

/* Removes the files that were checked out. NULL is fine. */
void against_close(struct against *against);

/* Returns how to show it: the address, or the revision with its hash. Borrowed. */
const char *against_label(const struct against *against);

/* Returns the server to start for it; NULL: none. Borrowed. */
const struct suite_server *against_server(const struct against *against);

/* Returns how addresses of the suite become those of the other side. Borrowed. */
const struct attempt_side *against_side(const struct against *against);

#endif
