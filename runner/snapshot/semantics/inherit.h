/* What holds for a node because of what is around or in it. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_INHERIT_H
#define RUNNER_SNAPSHOT_SEMANTICS_INHERIT_H

#include "runner/snapshot/semantics/facts.h"

/* Finds the flags and the scopes of all nodes. */
void snapshot_facts_inherit(struct snapshot_facts *facts);

#endif
