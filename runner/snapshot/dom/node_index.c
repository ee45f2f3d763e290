#include "runner/snapshot/dom/node_index.h"

#include "runner/base/memory.h"

/* Returns the id's place in the table, or the free place for it. */
static size_t slot_of(const struct node_index *index, int64_t backend_id)
{
    size_t slot = (size_t)((uint64_t)backend_id * UINT64_C(0x9E3779B97F4A7C15) >> 32) & index->mask;
    while (index->nodes[slot] != SNAPSHOT_NONE &&
           index->tree->nodes[index->nodes[slot]].backend_id != backend_id) {
        slot = (slot + 1) & index->mask;
    }
    return slot;
}

void node_index_init(struct node_index *index, const struct snapshot_tree *tree, int part)
{
    const struct snapshot_part *in = &tree->parts[part];
    size_t size = 16;
    while (size < (size_t)(in->end_node - in->first_node) * 2) {
        size *= 2;
    }
    *index = (struct node_index){
        .tree = tree,
        .nodes = xmalloc(size * sizeof(*index->nodes)),
        .mask = size - 1,
    };
    for (size_t i = 0; i < size; i++) {
        index->nodes[i] = SNAPSHOT_NONE;
    }
    for (int i = in->end_node; i-- > in->first_node;) {
        index->nodes[slot_of(index, tree->nodes[i].backend_id)] = i;
    }
}

void node_index_finish(struct node_index *index)
{
    free(index->nodes);
}

int node_index_find(const struct node_index *index, int64_t backend_id)
{
    return index->nodes[slot_of(index, backend_id)];
}
