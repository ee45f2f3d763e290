/* The second step of an outline: nothing is said twice. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_REPEAT_H
#define RUNNER_SNAPSHOT_OUTLINE_REPEAT_H

#include "runner/snapshot/outline/builder.h"

/* Lets go of what says nothing, or says again what is said beside or around it. */
void outline_drop_repeated(struct outline_builder *builder);

#endif
