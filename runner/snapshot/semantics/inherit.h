/* The facts that a node has from its ancestors or descendants. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_INHERIT_H
#define RUNNER_SNAPSHOT_SEMANTICS_INHERIT_H

#include "runner/snapshot/semantics/facts.h"

/* Computes the flags and scopes of all nodes. */
void snapshot_facts_inherit(struct snapshot_facts *facts);

#endif
