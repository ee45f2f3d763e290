/* Fields whose content is private. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_PRIVATE_H
#define RUNNER_SNAPSHOT_SEMANTICS_PRIVATE_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Sets is_private for all nodes whose typed content must not be shown. */
void snapshot_private_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

/* Returns whether it is an option of a private list: its selection is the list's value. */
bool snapshot_is_private_choice(const struct snapshot_tree *tree,
                                const struct node_semantics *semantics, int node);

#endif
