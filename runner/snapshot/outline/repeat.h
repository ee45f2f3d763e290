/* The second step of making an outline: removes repetitions. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_REPEAT_H
#define RUNNER_SNAPSHOT_OUTLINE_REPEAT_H

#include "runner/snapshot/outline/builder.h"

/* Drops items without content, and items that repeat a neighbour or an ancestor. */
void outline_drop_repeated(struct outline_builder *builder);

#endif
