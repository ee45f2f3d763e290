/* The point that a click on an element goes to. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CLICK_AREA_H
#define RUNNER_SNAPSHOT_SEMANTICS_CLICK_AREA_H

#include "runner/snapshot/semantics/clip.h"

/* Returns whether the node has no box of its own, but only text and content in lines. */
bool is_line_content(const struct snapshot_tree *tree, int node);

/* Returns the visible part of the element, or of its first line; a click goes to the middle. */
struct edges click_area(const struct snapshot_tree *tree, const struct clip_map *map,
                        const struct snapshot_placement *placements, int target);

#endif
