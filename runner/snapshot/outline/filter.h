/* The last step of an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_FILTER_H
#define RUNNER_SNAPSHOT_OUTLINE_FILTER_H

#include "runner/snapshot/outline/builder.h"

/* Lets go of what the options do not want to see. */
void outline_filter(struct outline_builder *builder);

#endif
