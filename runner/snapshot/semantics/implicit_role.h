/* The roles of elements without an ARIA role. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H
#define RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H

#include "runner/snapshot/semantics/facts.h"

/* Requires the roles of its ancestors. */
enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node);

/* Returns whether a drawing without a name is large enough to be content. */
bool snapshot_is_large_drawing(const struct snapshot_facts *facts, int node);

#endif
