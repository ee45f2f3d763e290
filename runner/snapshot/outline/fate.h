/* Decides which elements an outline keeps. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_FATE_H
#define RUNNER_SNAPSHOT_OUTLINE_FATE_H

#include "runner/snapshot/outline/builder.h"

/* Returns the fate of an element; those of its descendants are already decided. */
enum outline_fate outline_fate_of(const struct outline_builder *builder, int item);

/*
 * A pointer cursor on a listitem or row with controls belongs to these: the item is not operable.
 */
void outline_settle_pointer(struct outline_builder *builder, int item);

#endif
