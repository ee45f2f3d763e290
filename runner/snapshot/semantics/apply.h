/* What Chrome's own accessibility tree says of nodes. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_APPLY_H
#define RUNNER_SNAPSHOT_SEMANTICS_APPLY_H

#include "runner/snapshot/semantics/semantics.h"

#include <jansson.h>

/*
 * Replaces role, name, description and states of the nodes of a part by those of Chrome's tree: the
 * `nodes` of Accessibility.getFullAXTree or getPartialAXTree. What Chrome leaves out is_ignored
 * with is_all; what it does not name stays, and so do names and descriptions of ours where Chrome's
 * might tell what is private or kept from models.
 */
void snapshot_semantics_apply(struct snapshot_semantics *semantics,
                              const struct snapshot_tree *tree, int part, const json_t *nodes,
                              bool is_all);

#endif
