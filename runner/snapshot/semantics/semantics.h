/*
 * The semantics of a page's nodes: role, accessible name, states and value, as assistive technology
 * and Chrome's own accessibility tree present them, computed from the decoded page alone. Sources:
 * HTML-AAM 1.0, ARIA in HTML, WAI-ARIA 1.2, accname 1.2, SVG-AAM.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_SEMANTICS_H
#define RUNNER_SNAPSHOT_SEMANTICS_SEMANTICS_H

#include "runner/snapshot/dom/tree.h"
#include "runner/snapshot/semantics/node_semantics.h"

#include <jansson.h>

struct snapshot_semantics {
    struct node_semantics *nodes; /* one for each node of the tree */
    struct snapshot_owned owned;
    struct arena *arena; /* memory of the computed strings */
};

/* Never fails. The tree must outlive it. */
struct snapshot_semantics *snapshot_semantics_create(const struct snapshot_tree *tree);
void snapshot_semantics_destroy(struct snapshot_semantics *semantics);

/* Returns whether the node or an ancestor has data-no-ai. */
bool snapshot_is_left_out(const struct snapshot_semantics *semantics,
                          const struct snapshot_tree *tree, int node);

/*
 * Replaces role, name, description and states of a part's nodes by those of Chrome's tree: the
 * `nodes` of Accessibility.getFullAXTree or getPartialAXTree. With is_all, nodes that Chrome omits
 * become is_ignored. Values that Chrome does not give stay, as do our names and descriptions where
 * Chrome's might reveal something private or kept from models.
 */
void snapshot_semantics_apply(struct snapshot_semantics *semantics,
                              const struct snapshot_tree *tree, int part, const json_t *nodes,
                              bool is_all);

#endif
