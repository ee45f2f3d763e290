#include "runner/snapshot/semantics/facts.h"

#include "runner/base/memory.h"

#include <strings.h>

enum { MOST_CHILDREN = 1000 /* limit of the search for a legend, caption or title */ };

int *snapshot_new_indices(size_t count)
{
    int *indices = xmalloc((count + 1) * sizeof(*indices));
    for (size_t i = 0; i <= count; i++) {
        indices[i] = SNAPSHOT_NONE;
    }
    return indices;
}

bool snapshot_is_input(const struct snapshot_facts *facts, int node, const char *type)
{
    if (facts->tree->nodes[node].tag != TAG_INPUT) {
        return false;
    }
    const char *actual = snapshot_get(&facts->attributes, node, ATTRIBUTE_TYPE);
    return strcasecmp(actual ? actual : "text", type) == 0;
}

bool snapshot_is_labelable(const struct snapshot_facts *facts, int node)
{
    switch (facts->tree->nodes[node].tag) {
    case TAG_INPUT:
        return !snapshot_is_input(facts, node, "hidden");
    case TAG_BUTTON:
    case TAG_METER:
    case TAG_OUTPUT:
    case TAG_PROGRESS:
    case TAG_SELECT:
    case TAG_TEXTAREA:
        return true;
    default:
        return false;
    }
}

int snapshot_facts_child(const struct snapshot_facts *facts, int node, enum snapshot_tag tag)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int child = nodes[node].first_child;
    /* Limited, since many nodes may ask for the same element's children, as <use> does. */
    for (int i = 0; i < MOST_CHILDREN && child != SNAPSHOT_NONE; i++) {
        if (nodes[child].tag == tag) {
            return child;
        }
        child = nodes[child].next;
    }
    return SNAPSHOT_NONE;
}

bool snapshot_is_drawn_whole(const struct snapshot_facts *facts, int select)
{
    int size = snapshot_integer(&facts->attributes, select, ATTRIBUTE_SIZE, 0);
    return size > 1 || (size < 1 && snapshot_has(&facts->attributes, select, ATTRIBUTE_MULTIPLE));
}

void snapshot_facts_init(struct snapshot_facts *facts, const struct snapshot_tree *tree,
                         struct node_semantics *semantics, struct arena *arena)
{
    size_t count = (size_t)tree->node_count;
    *facts = (struct snapshot_facts){
        .tree = tree,
        .semantics = semantics,
        .arena = arena,
        .flags = xcalloc(count + 1, sizeof(*facts->flags)),
        .scopes = snapshot_new_indices(count),
        .controls = snapshot_new_indices(count),
        .first_label = snapshot_new_indices(count),
        .next_label = snapshot_new_indices(count),
    };
    snapshot_attributes_init(&facts->attributes, tree);
}

void snapshot_facts_finish(struct snapshot_facts *facts)
{
    snapshot_attributes_finish(&facts->attributes);
    free(facts->flags);
    free(facts->scopes);
    free(facts->controls);
    free(facts->first_label);
    free(facts->next_label);
    free(facts->owned.owners);
    free(facts->owned.first);
    free(facts->owned.next);
    free(facts->ids);
}
