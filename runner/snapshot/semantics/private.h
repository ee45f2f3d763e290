/* What is nobody's business. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_PRIVATE_H
#define RUNNER_SNAPSHOT_SEMANTICS_PRIVATE_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Fills is_private of all nodes: what is typed there is nobody's business. */
void snapshot_private_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

/* An option of a list that is private: whether it is chosen is the list's value. */
bool snapshot_is_private_choice(const struct snapshot_tree *tree,
                                const struct node_semantics *semantics, int node);

#endif
