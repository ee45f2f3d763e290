#include "runner/snapshot/semantics/references.h"

#include "runner/base/memory.h"

#include <string.h>

enum { MOST_STEPS = 1000000 /* of walking up from owners, for the whole page */ };

static size_t hash_of(int scope, const char *id, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)scope;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)id[i]) * UINT64_C(1099511628211);
    }
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the id's place in the table, or the free place for it. */
static size_t find_slot(const struct snapshot_facts *facts, int scope, const char *id,
                        size_t length)
{
    size_t slot = hash_of(scope, id, length) & facts->id_mask;
    while (facts->ids[slot] != SNAPSHOT_NONE) {
        int node = facts->ids[slot];
        const char *other = snapshot_get(&facts->attributes, node, ATTRIBUTE_ID);
        if (facts->scopes[node] == scope && strncmp(other, id, length) == 0 &&
            other[length] == '\0') {
            break;
        }
        slot = (slot + 1) & facts->id_mask;
    }
    return slot;
}

static void index_ids(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    size_t count = 0;
    for (int i = 0; i < tree->order_count; i++) {
        count += snapshot_has(&facts->attributes, tree->order[i], ATTRIBUTE_ID);
    }
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
    facts->id_mask = size - 1;
    facts->ids = snapshot_new_indices(size);
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const char *id = snapshot_get(&facts->attributes, node, ATTRIBUTE_ID);
        if (id && id[0] != '\0') {
            size_t slot = find_slot(facts, facts->scopes[node], id, strlen(id));
            if (facts->ids[slot] == SNAPSHOT_NONE) {
                facts->ids[slot] = node;
            }
        }
    }
}

int snapshot_facts_find(const struct snapshot_facts *facts, int from, const char *id, size_t length)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int scope = facts->scopes[from];
    int node = length == 0 ? SNAPSHOT_NONE : facts->ids[find_slot(facts, scope, id, length)];
    /* What was assumed to be a nested shadow tree may not be one. */
    if (node == SNAPSHOT_NONE && length > 0 && nodes[scope].shadow != SNAPSHOT_LIGHT) {
        node = facts->ids[find_slot(facts, facts->scopes[scope], id, length)];
    }
    return node;
}

static int control_by_id(const struct snapshot_facts *facts, int label, const char *id)
{
    int control = snapshot_facts_find(facts, label, id, strlen(id));
    return control != SNAPSHOT_NONE && snapshot_is_labelable(facts, control) ? control
                                                                             : SNAPSHOT_NONE;
}

/* Assigns a control to the enclosing labels without a control. */
static void label_from_inside(struct snapshot_facts *facts, int control, const int *around)
{
    int label = around[control];
    while (label != SNAPSHOT_NONE && facts->controls[label] == SNAPSHOT_NONE &&
           facts->scopes[label] == facts->scopes[control]) {
        facts->controls[label] = control;
        int parent = facts->tree->nodes[label].parent;
        label = parent == SNAPSHOT_NONE ? SNAPSHOT_NONE : around[parent];
    }
}

static void append_label(struct snapshot_facts *facts, int label, int *last_label)
{
    int control = facts->controls[label];
    if (control == SNAPSHOT_NONE) {
        return;
    }
    if (last_label[control] == SNAPSHOT_NONE) {
        facts->first_label[control] = label;
    } else {
        facts->next_label[last_label[control]] = label;
    }
    last_label[control] = label;
}

static void find_labels(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    /* For each node the enclosing label without `for`; later the last label of each control. */
    CLEANUP_FREE int *around = snapshot_new_indices((size_t)tree->node_count);
    CLEANUP_FREE int *last_label = snapshot_new_indices((size_t)tree->node_count);
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        bool is_label = tree->nodes[node].tag == TAG_LABEL;
        const char *id = is_label ? snapshot_get(&facts->attributes, node, ATTRIBUTE_FOR) : NULL;
        around[node] = is_label && !id           ? node
                       : parent == SNAPSHOT_NONE ? SNAPSHOT_NONE
                                                 : around[parent];
        if (id) {
            facts->controls[node] = control_by_id(facts, node, id);
        } else if (around[node] != SNAPSHOT_NONE && snapshot_is_labelable(facts, node)) {
            label_from_inside(facts, node, around);
        }
    }
    for (int i = 0; i < tree->order_count; i++) {
        if (tree->nodes[tree->order[i]].tag == TAG_LABEL) {
            append_label(facts, tree->order[i], last_label);
        }
    }
}

/* An element whose children are not shown, or that is hidden itself, cannot own nodes. */
static bool may_own(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    return !snapshot_tag_is_leaf(tag) && !snapshot_tag_is_frame(tag) && tag != TAG_SELECT &&
           !snapshot_fact(facts, node, FACT_UNSEEN | FACT_IN_CANVAS | FACT_IN_LIST);
}

/*
 * Returns whether a node is inside `outer`, by parents and owners, or might be, if *steps reaches
 * zero. Prevents an element from owning its ancestors.
 */
static bool is_in(const struct snapshot_facts *facts, int node, int outer, int *steps)
{
    while (node != outer && node != SNAPSHOT_NONE && --*steps > 0) {
        int owner = facts->owned.owners[node];
        node = owner == SNAPSHOT_NONE ? facts->tree->nodes[node].parent : owner;
    }
    return node == outer || *steps <= 0;
}

/* If several claim a node, the first one owns it; what data-no-ai hides is never moved. */
static void find_owned(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    struct snapshot_owned *owned = &facts->owned;
    int steps = MOST_STEPS;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_OWNS);
        const char *id = NULL;
        if (words && !owned->owners) {
            owned->owners = snapshot_new_indices((size_t)tree->node_count);
            owned->first = snapshot_new_indices((size_t)tree->node_count);
            owned->next = snapshot_new_indices((size_t)tree->node_count);
        }
        int *link = words ? &owned->first[node] : NULL;
        for (size_t length; words && (length = snapshot_word(&words, &id)) > 0;) {
            int other = snapshot_facts_find(facts, node, id, length);
            if (other != SNAPSHOT_NONE && owned->owners[other] == SNAPSHOT_NONE &&
                may_own(facts, node) &&
                snapshot_fact(facts, node, FACT_LEFT_OUT) ==
                    snapshot_fact(facts, other, FACT_LEFT_OUT) &&
                !is_in(facts, node, other, &steps)) {
                owned->owners[other] = node;
                *link = other;
                link = &owned->next[other];
            }
        }
    }
}

void snapshot_references_find(struct snapshot_facts *facts)
{
    index_ids(facts);
    find_labels(facts);
    find_owned(facts);
}

bool snapshot_is_named_by_reference(const struct snapshot_facts *facts, int node)
{
    const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_LABELLEDBY);
    if (!words) {
        words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_LABELEDBY);
    }
    const char *id = NULL;
    for (size_t length; words && (length = snapshot_word(&words, &id)) > 0;) {
        if (snapshot_facts_find(facts, node, id, length) != SNAPSHOT_NONE) {
            return true;
        }
    }
    return false;
}

bool snapshot_is_named(const struct snapshot_facts *facts, int node)
{
    return snapshot_is_filled(&facts->attributes, node, ATTRIBUTE_ARIA_LABEL) ||
           snapshot_has(&facts->attributes, node, ATTRIBUTE_TITLE) ||
           snapshot_is_named_by_reference(facts, node);
}
