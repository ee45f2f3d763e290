#include "runner/snapshot/semantics/facts.h"

#include "runner/base/memory.h"

#include <string.h>
#include <strings.h>

enum {
    HANDED_DOWN = FACT_CLIPPED_AWAY | FACT_ARIA_HIDDEN | FACT_INERT | FACT_LEFT_OUT |
                  FACT_EDITABLE | FACT_FIELDSET_OFF | FACT_ARIA_OFF | FACT_IN_CANVAS | FACT_FOLDED |
                  FACT_IN_LIST | FACT_IN_FORM,
    /* Facts that a frame's document does not inherit from its frame. */
    STAYS_OUTSIDE =
        FACT_ARIA_HIDDEN | FACT_EDITABLE | FACT_FIELDSET_OFF | FACT_ARIA_OFF | FACT_IN_FORM,
};

static bool is_assigned(const struct snapshot_facts *facts, int node, int slot)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    if (nodes[node].shadow == SNAPSHOT_LIGHT) {
        return true;
    }
    if (nodes[facts->scopes[slot]].shadow == SNAPSHOT_LIGHT) {
        return false;
    }
    /*
     * The node comes from one shadow tree into the next, or is the slot's fallback: the reply does
     * not say.
     */
    const char *name = snapshot_get(&facts->attributes, slot, ATTRIBUTE_NAME);
    const char *wanted = snapshot_get(&facts->attributes, node, ATTRIBUTE_SLOT);
    return strcmp(name ? name : "", wanted ? wanted : "") == 0;
}

/* The reply marks nodes in a shadow tree, but not where a nested one begins. */
static bool begins_shadow(const struct snapshot_node *nodes, int node, int parent)
{
    return nodes[node].shadow != SNAPSHOT_LIGHT &&
           (nodes[node].shadow != nodes[parent].shadow || nodes[parent].tag == TAG_CUSTOM);
}

/* Assigned nodes refer to ids where they come from; fallback content to those around the slot. */
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

/* Returns whether it is the first legend of its fieldset; must be asked in document order. */
static bool leaves_fieldset(struct snapshot_facts *facts, int node)
{
    int parent = facts->tree->nodes[node].parent;
    bool is_first = facts->tree->nodes[node].tag == TAG_LEGEND &&
                    !snapshot_fact(facts, parent, FACT_HAS_LEGEND);
    facts->flags[parent] |= is_first ? FACT_HAS_LEGEND : 0;
    return is_first;
}

/* Folded content may have boxes, since find-in-page searches it. */
static bool is_folded(const struct snapshot_facts *facts, int node, int parent)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, parent);
    enum snapshot_tag tag = nodes[parent].tag;
    bool is_part_of_table = tag == TAG_TBODY || tag == TAG_TD || tag == TAG_TFOOT ||
                            tag == TAG_TH || tag == TAG_THEAD || tag == TAG_TR;
    return (tag == TAG_DETAILS && nodes[node].tag != TAG_SUMMARY &&
            !snapshot_has(&facts->attributes, parent, ATTRIBUTE_OPEN)) ||
           (layout && layout->skips_content && !is_part_of_table);
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
    if (is_folded(facts, node, parent)) {
        flags |= FACT_FOLDED;
    }
    switch (nodes[parent].tag) {
    case TAG_CANVAS:
        return flags | FACT_IN_CANVAS;
    case TAG_FORM:
        return flags | FACT_IN_FORM;
    case TAG_OPTION:
    case TAG_SELECT:
        return flags | FACT_IN_LIST;
    default:
        return flags;
    }
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

/* Areas of a map share the state of the picture; which picture is not determined. */
static bool is_in_map(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    return it->tag == TAG_AREA && facts->tree->nodes[it->parent].tag == TAG_MAP &&
           snapshot_fact(facts, facts->tree->documents[it->document].root, FACT_HAS_MAP);
}

/*
 * Returns whether a missing box means hidden: for an option of a list drawn whole, or the button of
 * one that is not.
 */
static bool is_missing_in_list(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    if (nodes[node].tag != TAG_OPTION && nodes[node].tag != TAG_OPTGROUP) {
        return nodes[node].tag == TAG_BUTTON;
    }
    int list = nodes[node].parent;
    list = nodes[list].tag == TAG_OPTGROUP ? nodes[list].parent : list;
    return nodes[list].tag == TAG_SELECT && snapshot_is_drawn_whole(facts, list);
}

static unsigned rendering_flags(const struct snapshot_facts *facts, int node)
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
    if (is_in_map(facts, node)) {
        return flags;
    }
    if (flags & FACT_IN_LIST && !is_missing_in_list(facts, node)) {
        return flags | (facts->flags[tree->nodes[node].parent] & (FACT_UNSEEN | FACT_UNRENDERED));
    }
    if (flags & FACT_HAS_CONTENT || tree->nodes[node].kind == SNAPSHOT_DOCUMENT) {
        return flags;
    }
    return flags | FACT_UNRENDERED | (flags & FACT_IN_CANVAS ? 0 : FACT_UNSEEN);
}

/* Returns the open modal dialog of each document, the last of several; NONE. */
static int *find_modals(const struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    int *modals = snapshot_new_indices((size_t)tree->document_count);
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

void snapshot_facts_inherit(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    CLEANUP_FREE int *modals = find_modals(facts);
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
        facts->flags[node] = flags;
        if (tree->nodes[node].layout != SNAPSHOT_NONE &&
            snapshot_has(&facts->attributes, node, ATTRIBUTE_USEMAP)) {
            facts->flags[tree->documents[tree->nodes[node].document].root] |= FACT_HAS_MAP;
        }
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
        facts->flags[node] = rendering_flags(facts, node);
    }
}
