/* Where nodes are to be seen: in the viewport, beyond it, below something else. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H
#define RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H

#include "runner/snapshot/semantics/placement.h"
#include "runner/snapshot/semantics/semantics.h"

struct snapshot_visibility {
    struct snapshot_placement *placements; /* of each node of the tree; of text: of its own box */
};

/* Linear but for the nodes that may occlude something. Never NULL. */
struct snapshot_visibility *snapshot_visibility_create(const struct snapshot_tree *tree,
                                                       const struct snapshot_semantics *semantics);
void snapshot_visibility_destroy(struct snapshot_visibility *visibility);

#endif
