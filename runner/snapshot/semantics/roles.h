/* Computes the roles of all nodes, the first step of semantics.c. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_ROLES_H
#define RUNNER_SNAPSHOT_SEMANTICS_ROLES_H

#include "runner/snapshot/semantics/facts.h"

/* Sets role, is_ignored and is_focusable of all nodes. */
void snapshot_roles_find(struct snapshot_facts *facts);

#endif
