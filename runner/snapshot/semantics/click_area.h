/* Where a click on an element goes. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_CLICK_AREA_H
#define RUNNER_SNAPSHOT_SEMANTICS_CLICK_AREA_H

#include "runner/snapshot/semantics/clip.h"

/* Whether it is no box of its own: its text, and what else is in it, is in lines. */
bool is_line_content(const struct snapshot_tree *tree, int node);

/* What can be seen of the element, or of its first line: a click goes to its middle. */
struct edges click_area(const struct snapshot_tree *tree, const struct clip_map *map,
                        const struct snapshot_placement *placements, int target);

#endif
