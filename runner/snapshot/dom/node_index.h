/* An index of a part's nodes by backend id, for many look-ups. */
#ifndef RUNNER_SNAPSHOT_DOM_NODE_INDEX_H
#define RUNNER_SNAPSHOT_DOM_NODE_INDEX_H

#include "runner/snapshot/dom/tree.h"

struct node_index {
    const struct snapshot_tree *tree;
    int *nodes; /* hash table */
    size_t mask;
};

/* The tree must outlive it. */
void node_index_init(struct node_index *index, const struct snapshot_tree *tree, int part);
void node_index_finish(struct node_index *index);

/* As snapshot_tree_find(). */
int node_index_find(const struct node_index *index, int64_t backend_id);

#endif
