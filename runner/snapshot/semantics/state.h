/* Computes states; requires the roles. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_STATE_H
#define RUNNER_SNAPSHOT_SEMANTICS_STATE_H

#include "runner/snapshot/semantics/facts.h"

/* Sets the states of a node, except level, value and is_private. */
void snapshot_state_find(struct snapshot_facts *facts, int node);

/* Sets the levels of headings, tree items and rows. */
void snapshot_levels_find(struct snapshot_facts *facts);

#endif
