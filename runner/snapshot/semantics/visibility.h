/* Where nodes are to be seen: in the viewport, beyond it, below something else. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H
#define RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H

#include "runner/snapshot/semantics/placement.h"
#include "runner/snapshot/semantics/semantics.h"

struct clip_map;

struct snapshot_visibility {
    struct snapshot_placement *placements; /* of each node of the tree; of text: of its own box */
    struct clip_map *map;                  /* for snapshot_visibility_shown() */
};

/* Linear but for the nodes that may occlude something. Never NULL. */
struct snapshot_visibility *snapshot_visibility_create(const struct snapshot_tree *tree,
                                                       const struct snapshot_semantics *semantics);

/*
 * The same for who looks through another rectangle than the page's viewport, in whose coordinates
 * it is: a picture of the whole page shows what lies below.
 */
struct snapshot_visibility *snapshot_visibility_create_within(
    const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
    const struct snapshot_box *view);

/* What can be seen of a box of the node, which has a place; false for nothing. */
bool snapshot_visibility_shown(const struct snapshot_visibility *visibility, int node,
                               const struct snapshot_box *box, struct snapshot_box *ret_shown);

/* The same of a line of its text, which is counted from the first one of its layout. */
bool snapshot_visibility_line_shown(const struct snapshot_visibility *visibility,
                                    const struct snapshot_tree *tree, int node, int line,
                                    struct snapshot_box *ret_shown);
void snapshot_visibility_destroy(struct snapshot_visibility *visibility);

#endif
