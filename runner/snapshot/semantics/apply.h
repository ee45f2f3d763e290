/* Applies Chrome's own accessibility tree. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_APPLY_H
#define RUNNER_SNAPSHOT_SEMANTICS_APPLY_H

#include "runner/snapshot/semantics/semantics.h"

#include <jansson.h>

/*
 * Replaces role, name, description and states of a part's nodes by those of Chrome's tree: the
 * `nodes` of Accessibility.getFullAXTree or getPartialAXTree. With is_all, nodes that Chrome omits
 * become is_ignored. Values that Chrome does not give stay, as do our names and descriptions where
 * Chrome's might reveal something private or kept from models.
 */
void snapshot_semantics_apply(struct snapshot_semantics *semantics,
                              const struct snapshot_tree *tree, int part, const json_t *nodes,
                              bool is_all);

#endif
