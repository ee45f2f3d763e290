/* The roles of all nodes of a page: semantics.c asks for them first. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_ROLES_H
#define RUNNER_SNAPSHOT_SEMANTICS_ROLES_H

#include "runner/snapshot/semantics/facts.h"

/* Fills role, is_ignored and is_focusable of all nodes. */
void snapshot_roles_find(struct snapshot_facts *facts);

#endif
