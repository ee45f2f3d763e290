/*
 * What the nodes of a page mean: role, accessible name, states, value, as a person with assistive
 * technology, or Chrome's own accessibility tree, has them; computed from the decoded page alone.
 * Sources: HTML-AAM 1.0, ARIA in HTML, WAI-ARIA 1.2, accname 1.2, SVG-AAM.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_SEMANTICS_H
#define RUNNER_SNAPSHOT_SEMANTICS_SEMANTICS_H

#include "runner/snapshot/dom/tree.h"
#include "runner/snapshot/semantics/node_semantics.h"

struct snapshot_semantics {
    struct node_semantics *nodes; /* of each node of the tree */
    struct snapshot_owned owned;
    struct arena *arena; /* what the new strings live in */
};

/* Never NULL: whatever the page is, it means something. The tree outlives it. */
struct snapshot_semantics *snapshot_semantics_create(const struct snapshot_tree *tree);
void snapshot_semantics_destroy(struct snapshot_semantics *semantics);

/* Whether data-no-ai is on the node or around it. */
bool snapshot_is_left_out(const struct snapshot_semantics *semantics,
                          const struct snapshot_tree *tree, int node);

#endif
