/* Which elements of an outline stay. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_FATE_H
#define RUNNER_SNAPSHOT_OUTLINE_FATE_H

#include "runner/snapshot/outline/builder.h"

/* What becomes of an element; what becomes of all in it is known before. */
enum outline_fate outline_fate_of(const struct outline_builder *builder, int item);

/* The pointing hand over a listitem or a row with controls in it is theirs: it is not operable. */
void outline_settle_pointer(struct outline_builder *builder, int item);

#endif
