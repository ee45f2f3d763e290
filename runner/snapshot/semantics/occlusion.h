/* Finds what is painted over operable elements. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_OCCLUSION_H
#define RUNNER_SNAPSHOT_SEMANTICS_OCCLUSION_H

#include "runner/snapshot/semantics/clip.h"
#include "runner/snapshot/semantics/semantics.h"

/* Sets is_occluded and occluder for elements in the view; requires all other fields. */
void occlusion_find(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct clip_map *map, const struct edges *view,
                    struct snapshot_placement *placements);

#endif
