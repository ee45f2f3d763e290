/* Accessible names, descriptions and placeholders. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAME_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAME_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Sets the name, name_from, description and placeholder of a node. */
void snapshot_name_node(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                        int node);

#endif
