/* States. They need the roles first. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_STATE_H
#define RUNNER_SNAPSHOT_SEMANTICS_STATE_H

#include "runner/snapshot/semantics/facts.h"

/* Fills the states of a node; what is not here are levels, values and what is private. */
void snapshot_state_find(struct snapshot_facts *facts, int node);

/* Of headings, of items of trees and of rows. */
void snapshot_levels_find(struct snapshot_facts *facts);

#endif
