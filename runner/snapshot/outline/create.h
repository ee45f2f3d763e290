/* Creates an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_CREATE_H
#define RUNNER_SNAPSHOT_OUTLINE_CREATE_H

#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/outline/outline.h"

/* All arguments are borrowed and must outlive the outline; `ids` supplies the ids. Never NULL. */
struct outline *outline_create(const struct snapshot_tree *tree,
                               const struct snapshot_semantics *semantics,
                               const struct snapshot_visibility *visibility,
                               const struct outline_options *options, struct snapshot_ids *ids);

#endif
