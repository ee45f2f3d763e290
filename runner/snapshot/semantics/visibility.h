/* Where nodes are visible: in the viewport, outside it, or covered. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H
#define RUNNER_SNAPSHOT_SEMANTICS_VISIBILITY_H

#include "runner/snapshot/semantics/placement.h"
#include "runner/snapshot/semantics/semantics.h"

struct clip_map;

struct snapshot_visibility {
    struct snapshot_placement *placements; /* for each node of the tree; for text: of its own box */
    struct clip_map *map;                  /* for snapshot_visibility_shown() */
};

/* Takes linear time, except for nodes that may cover others. Never NULL. */
struct snapshot_visibility *snapshot_visibility_create(const struct snapshot_tree *tree,
                                                       const struct snapshot_semantics *semantics);

/*
 * As snapshot_visibility_create(), for another rectangle in coordinates of the page's viewport: a
 * picture of the whole page also shows what is below the viewport.
 */
struct snapshot_visibility *snapshot_visibility_create_within(
    const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
    const struct snapshot_box *view);

/* Computes the visible part of a box of a node that has a place; false if nothing is visible. */
bool snapshot_visibility_shown(const struct snapshot_visibility *visibility, int node,
                               const struct snapshot_box *box, struct snapshot_box *ret_shown);

/* The same for a line of its text, counted from the first one of its layout. */
bool snapshot_visibility_line_shown(const struct snapshot_visibility *visibility,
                                    const struct snapshot_tree *tree, int node, int line,
                                    struct snapshot_box *ret_shown);
void snapshot_visibility_destroy(struct snapshot_visibility *visibility);

#endif
