/* What is painted over the elements that a person may operate. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_OCCLUSION_H
#define RUNNER_SNAPSHOT_SEMANTICS_OCCLUSION_H

#include "runner/snapshot/semantics/clip.h"
#include "runner/snapshot/semantics/semantics.h"

/* Fills in is_occluded and occluder in the view, when everything else is there. */
void occlusion_find(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct clip_map *map, const struct edges *view,
                    struct snapshot_placement *placements);

#endif
