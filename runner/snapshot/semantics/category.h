/* How the nodes of a page come to be of interest. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CATEGORY_H
#define RUNNER_SNAPSHOT_SEMANTICS_CATEGORY_H

#include "runner/snapshot/semantics/facts.h"

/* Needs names and states. */
void snapshot_categories_find(struct snapshot_facts *facts);

#endif
