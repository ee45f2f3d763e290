#include "runner/snapshot/facts.h"

#include "runner/base/memory.h"

#include <string.h>
#include <strings.h>

enum {
    HANDED_DOWN = FACT_CLIPPED_AWAY | FACT_ARIA_HIDDEN | FACT_INERT | FACT_LEFT_OUT |
                  FACT_EDITABLE | FACT_FIELDSET_OFF | FACT_ARIA_OFF | FACT_IN_CANVAS | FACT_FOLDED,
    /* What a frame's document does not take from the frame. */
    STAYS_OUTSIDE = FACT_ARIA_HIDDEN | FACT_EDITABLE | FACT_FIELDSET_OFF | FACT_ARIA_OFF,
};

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
    while (child != SNAPSHOT_NONE && nodes[child].tag != tag) {
        child = nodes[child].next;
    }
    return child;
}

static bool is_assigned(const struct snapshot_facts *facts, int node, int slot)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    if (nodes[node].shadow == SNAPSHOT_LIGHT) {
        return true;
    }
    if (nodes[facts->scopes[slot]].shadow == SNAPSHOT_LIGHT) {
        return false;
    }
    /* From one shadow into the next, or the slot's own: the reply does not say. */
    const char *name = snapshot_get(&facts->attributes, slot, ATTRIBUTE_NAME);
    const char *wanted = snapshot_get(&facts->attributes, node, ATTRIBUTE_SLOT);
    return strcmp(name ? name : "", wanted ? wanted : "") == 0;
}

/* The reply marks all that is in a shadow, but not where one begins in another. */
static bool begins_shadow(const struct snapshot_node *nodes, int node, int parent)
{
    return nodes[node].shadow != SNAPSHOT_LIGHT &&
           (nodes[node].shadow != nodes[parent].shadow || nodes[parent].tag == TAG_CUSTOM);
}

/* What is assigned to a slot sees the ids of where it comes from, its fallback those around it. */
static int scope_of(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int parent = nodes[node].parent;
    if (nodes[node].kind == SNAPSHOT_DOCUMENT || parent == SNAPSHOT_NONE) {
        return node;
    }
    int scope = facts->scopes[parent];
    if (nodes[parent].tag == TAG_SLOT && nodes[scope].kind == SNAPSHOT_ELEMENT) {
        return is_assigned(facts, node, parent) ? facts->scopes[scope] : scope;
    }
    return begins_shadow(nodes, node, parent) ? parent : scope;
}

static bool is_off(const struct snapshot_facts *facts, int node)
{
    return snapshot_is(&facts->attributes, node, ATTRIBUTE_CONTENTEDITABLE, "false");
}

static bool is_on(const struct snapshot_facts *facts, int node)
{
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_CONTENTEDITABLE);
    return value && (value[0] == '\0' || strcasecmp(value, "true") == 0 ||
                     strcasecmp(value, "plaintext-only") == 0);
}

/* Whether it is the first legend of its fieldset, which is asked in document order. */
static bool leaves_fieldset(struct snapshot_facts *facts, int node)
{
    int parent = facts->tree->nodes[node].parent;
    bool is_first = facts->tree->nodes[node].tag == TAG_LEGEND &&
                    !snapshot_fact(facts, parent, FACT_HAS_LEGEND);
    facts->flags[parent] |= is_first ? FACT_HAS_LEGEND : 0;
    return is_first;
}

static unsigned inherited(struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int parent = nodes[node].parent;
    if (parent == SNAPSHOT_NONE) {
        return 0;
    }
    unsigned flags = facts->flags[parent] & HANDED_DOWN;
    if (nodes[node].kind == SNAPSHOT_DOCUMENT) {
        return flags & ~(unsigned)STAYS_OUTSIDE;
    }
    if (nodes[parent].tag == TAG_FIELDSET &&
        snapshot_has(&facts->attributes, parent, ATTRIBUTE_DISABLED) &&
        !leaves_fieldset(facts, node)) {
        flags |= FACT_FIELDSET_OFF;
    }
    /* It has boxes all the same, since the page may be searched through. */
    if (nodes[parent].tag == TAG_DETAILS && nodes[node].tag != TAG_SUMMARY &&
        !snapshot_has(&facts->attributes, parent, ATTRIBUTE_OPEN)) {
        flags |= FACT_FOLDED;
    }
    return nodes[parent].tag == TAG_CANVAS ? flags | FACT_IN_CANVAS : flags;
}

static unsigned own_flags(const struct snapshot_facts *facts, int node, unsigned flags)
{
    const struct snapshot_attributes *attributes = &facts->attributes;
    if (snapshot_is_true(attributes, node, ATTRIBUTE_ARIA_HIDDEN)) {
        flags |= FACT_ARIA_HIDDEN;
    }
    if (snapshot_has(attributes, node, ATTRIBUTE_INERT)) {
        flags |= FACT_INERT;
    }
    if (snapshot_has(attributes, node, ATTRIBUTE_DATA_NO_AI)) {
        flags |= FACT_LEFT_OUT;
    }
    if (snapshot_is_true(attributes, node, ATTRIBUTE_ARIA_DISABLED)) {
        flags |= FACT_ARIA_OFF;
    } else if (snapshot_is(attributes, node, ATTRIBUTE_ARIA_DISABLED, "false")) {
        flags &= ~(unsigned)FACT_ARIA_OFF;
    }
    if (is_on(facts, node)) {
        flags |= FACT_EDITABLE;
    } else if (is_off(facts, node)) {
        flags &= ~(unsigned)FACT_EDITABLE;
    }
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    if (layout && (layout->is_fixed || layout->is_absolute)) {
        flags &= ~(unsigned)FACT_CLIPPED_AWAY;
    }
    if (layout &&
        ((layout->clips_x && layout->width <= 0) || (layout->clips_y && layout->height <= 0))) {
        flags |= FACT_CLIPPED_AWAY;
    }
    return flags;
}

/* Options have no boxes of their own; they are as their list is. */
static bool is_in_list(const struct snapshot_tree *tree, int node)
{
    int parent = tree->nodes[node].parent;
    enum snapshot_tag above = parent == SNAPSHOT_NONE ? TAG_NONE : tree->nodes[parent].tag;
    return above == TAG_SELECT || above == TAG_OPTGROUP || above == TAG_OPTION;
}

static unsigned sight(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_tree *tree = facts->tree;
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    unsigned flags = facts->flags[node];
    if (flags & FACT_FOLDED) {
        return flags | FACT_UNSEEN | FACT_UNRENDERED;
    }
    if (layout) {
        return layout->is_invisible ? flags | FACT_UNSEEN : flags;
    }
    if (is_in_list(tree, node)) {
        return flags | (facts->flags[tree->nodes[node].parent] & (FACT_UNSEEN | FACT_UNRENDERED));
    }
    if (flags & FACT_HAS_CONTENT || tree->nodes[node].kind == SNAPSHOT_DOCUMENT) {
        return flags;
    }
    return flags | FACT_UNRENDERED | (flags & FACT_IN_CANVAS ? 0 : FACT_UNSEEN);
}

static int *new_indices(size_t count)
{
    int *indices = xmalloc((count + 1) * sizeof(*indices));
    for (size_t i = 0; i <= count; i++) {
        indices[i] = SNAPSHOT_NONE;
    }
    return indices;
}

/* The modal that is open in each document, the last one of several; NONE. */
static int *find_modals(const struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    int *modals = new_indices((size_t)tree->document_count);
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_layout *layout = snapshot_layout(tree, node);
        if (tree->nodes[node].tag == TAG_DIALOG && layout && layout->is_in_top_layer &&
            !snapshot_has(&facts->attributes, node, ATTRIBUTE_POPOVER)) {
            modals[tree->nodes[node].document] = node;
        }
    }
    return modals;
}

/* Of each document, whether an image in it shows the areas of a map, which have no boxes. */
static bool *find_maps(const struct snapshot_tree *tree)
{
    bool *has_map = xcalloc((size_t)tree->document_count + 1, sizeof(*has_map));
    for (int i = 0; i < tree->order_count; i++) {
        const struct snapshot_node *node = &tree->nodes[tree->order[i]];
        if (node->tag == TAG_IMG && node->layout != SNAPSHOT_NONE &&
            snapshot_attribute(tree, tree->order[i], "usemap")) {
            has_map[node->document] = true;
        }
    }
    return has_map;
}

static void find_flags(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    CLEANUP_FREE int *modals = find_modals(facts);
    CLEANUP_FREE bool *has_map = find_maps(tree);
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        int modal = modals[tree->nodes[node].document];
        facts->scopes[node] = scope_of(facts, node);
        unsigned flags = inherited(facts, node);
        if (tree->nodes[node].kind == SNAPSHOT_ELEMENT) {
            flags = own_flags(facts, node, node == modal ? flags & ~(unsigned)FACT_INERT : flags);
        } else if (tree->nodes[node].kind == SNAPSHOT_DOCUMENT && modal != SNAPSHOT_NONE) {
            flags |= FACT_INERT;
        }
        if (tree->nodes[node].tag == TAG_AREA && has_map[tree->nodes[node].document]) {
            flags |= FACT_HAS_CONTENT;
        }
        facts->flags[node] = flags;
    }
    for (int i = tree->order_count - 1; i >= 0; i--) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        bool is_rendered =
            tree->nodes[node].layout != SNAPSHOT_NONE || facts->flags[node] & FACT_HAS_CONTENT;
        if (is_rendered && parent != SNAPSHOT_NONE && tree->nodes[node].kind != SNAPSHOT_DOCUMENT) {
            facts->flags[parent] |= FACT_HAS_CONTENT;
        }
    }
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        facts->flags[node] = sight(facts, node);
    }
}

static size_t hash_of(int scope, const char *id, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)scope;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)id[i]) * UINT64_C(1099511628211);
    }
    return (size_t)(hash ^ hash >> 32);
}

/* The place in the table where that id is, or would be. */
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
    facts->ids = new_indices(size);
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
    /* What was taken for a shadow in a shadow may be none. */
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

/* Gives a control to the labels that it stands in and that have none yet. */
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
    /* The label without an id that a node is, or stands in; then the last label of a control. */
    CLEANUP_FREE int *around = new_indices((size_t)tree->node_count);
    CLEANUP_FREE int *last_label = new_indices((size_t)tree->node_count);
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

static void find_owners(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_OWNS);
        const char *id = NULL;
        for (size_t length; words && (length = snapshot_word(&words, &id)) > 0;) {
            int owned = snapshot_facts_find(facts, node, id, length);
            if (!facts->owners) {
                facts->owners = new_indices((size_t)tree->node_count);
            }
            if (owned != SNAPSHOT_NONE && owned != node) {
                facts->owners[owned] = node;
            }
        }
    }
}

void snapshot_facts_init(struct snapshot_facts *facts, const struct snapshot_tree *tree,
                         struct snapshot_semantics *semantics)
{
    size_t count = (size_t)tree->node_count;
    *facts = (struct snapshot_facts){
        .tree = tree,
        .meanings = semantics->meanings,
        .arena = semantics->arena,
        .flags = xcalloc(count + 1, sizeof(*facts->flags)),
        .scopes = new_indices(count),
        .controls = new_indices(count),
        .first_label = new_indices(count),
        .next_label = new_indices(count),
    };
    snapshot_attributes_init(&facts->attributes, tree);
    find_flags(facts);
    index_ids(facts);
    find_labels(facts);
    find_owners(facts);
}

void snapshot_facts_finish(struct snapshot_facts *facts)
{
    snapshot_attributes_finish(&facts->attributes);
    free(facts->flags);
    free(facts->scopes);
    free(facts->controls);
    free(facts->first_label);
    free(facts->next_label);
    free(facts->owners);
    free(facts->ids);
}
