/* The last step of making an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_FILTER_H
#define RUNNER_SNAPSHOT_OUTLINE_FILTER_H

#include "runner/snapshot/outline/builder.h"

/* Drops the items that the options exclude. */
void outline_filter(struct outline_builder *builder);

#endif
