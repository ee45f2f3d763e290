/* The first step of making an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_WALK_H
#define RUNNER_SNAPSHOT_OUTLINE_WALK_H

#include "runner/snapshot/outline/builder.h"

/* Adds all items that may be shown, with their texts. */
void outline_walk(struct outline_builder *builder);

#endif
