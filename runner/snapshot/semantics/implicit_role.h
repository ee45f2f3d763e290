/* The roles of elements without a role of ARIA. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H
#define RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H

#include "runner/snapshot/semantics/facts.h"

/* What is above it must have its role. */
enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node);

/* Whether a drawing is so large that it is content, although nobody says what it shows. */
bool snapshot_is_large_drawing(const struct snapshot_facts *facts, int node);

#endif
