/* Computes the category of each node. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CATEGORY_H
#define RUNNER_SNAPSHOT_SEMANTICS_CATEGORY_H

#include "runner/snapshot/semantics/facts.h"

/* Requires names and states. */
void snapshot_categories_find(struct snapshot_facts *facts);

#endif
