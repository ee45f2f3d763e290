#include "runner/snapshot/markdown/main_part.h"

#include "runner/base/memory.h"

struct main_part main_part_find(const struct snapshot_tree *tree,
                                const struct snapshot_semantics *semantics, int root)
{
    struct main_part part = {
        .root = root,
        .reason = "page",
        .is_dropped = xcalloc((size_t)tree->node_count + 1, sizeof(*part.is_dropped)),
    };
    for (int i = 0; i < tree->order_count && root == SNAPSHOT_NONE; i++) {
        int node = tree->order[i];
        if (semantics->nodes[node].role == ROLE_MAIN && !semantics->nodes[node].is_hidden) {
            part.root = node;
            part.reason = "main";
            break;
        }
    }
    return part;
}

void main_part_finish(struct main_part *part)
{
    free(part->is_dropped);
    *part = (struct main_part){ .root = SNAPSHOT_NONE };
}
