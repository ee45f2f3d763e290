#include "runner/snapshot/semantics/facts.h"

#include "runner/base/memory.h"
#include "runner/snapshot/semantics/implicit_role.h"
#include "runner/snapshot/semantics/references.h"

#include <string.h>

/* Global ARIA attributes except names: an element with one is not presentational. */
static bool has_global_state(const struct snapshot_facts *facts, int node)
{
    static const uint8_t global[] = {
        ATTRIBUTE_ARIA_ATOMIC,      ATTRIBUTE_ARIA_BUSY,
        ATTRIBUTE_ARIA_CONTROLS,    ATTRIBUTE_ARIA_CURRENT,
        ATTRIBUTE_ARIA_DESCRIBEDBY, ATTRIBUTE_ARIA_DESCRIPTION,
        ATTRIBUTE_ARIA_DETAILS,     ATTRIBUTE_ARIA_DROPEFFECT,
        ATTRIBUTE_ARIA_FLOWTO,      ATTRIBUTE_ARIA_GRABBED,
        ATTRIBUTE_ARIA_HIDDEN,      ATTRIBUTE_ARIA_KEYSHORTCUTS,
        ATTRIBUTE_ARIA_LIVE,        ATTRIBUTE_ARIA_OWNS,
        ATTRIBUTE_ARIA_RELEVANT,    ATTRIBUTE_ARIA_ROLEDESCRIPTION,
        ATTRIBUTE_ARIA_LABEL,       ATTRIBUTE_ARIA_LABELLEDBY,
    };
    for (size_t i = 0; i < sizeof(global); i++) {
        if (snapshot_has(&facts->attributes, node, (enum snapshot_attribute_number)global[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the first valid role in the role attribute. */
static enum snapshot_role first_role(const struct snapshot_facts *facts, int node)
{
    const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ROLE);
    const char *word = NULL;
    for (size_t length; words && (length = snapshot_word(&words, &word)) > 0;) {
        char name[32];
        if (length >= sizeof(name)) {
            continue;
        }
        memcpy(name, word, length);
        name[length] = '\0';
        enum snapshot_role role = snapshot_role_from_name(name);
        if (role != ROLE_UNKNOWN && !snapshot_role_is(role, IS_OF_CHROME)) {
            return role;
        }
    }
    return ROLE_UNKNOWN;
}

/*
 * Returns the role of the nearest ancestor that has one; contexts[] holds those of complete nodes.
 */
static enum snapshot_role context_of(const struct snapshot_facts *facts, int node,
                                     const uint8_t *contexts)
{
    int owner = facts->owned.owners ? facts->owned.owners[node] : SNAPSHOT_NONE;
    int around = owner == SNAPSHOT_NONE ? facts->tree->nodes[node].parent : owner;
    return around == SNAPSHOT_NONE ? ROLE_UNKNOWN : (enum snapshot_role)contexts[around];
}

static bool is_out_of_context(enum snapshot_role role, enum snapshot_role context)
{
    switch (role) {
    case ROLE_LISTITEM:
        return context != ROLE_LIST && context != ROLE_GROUP;
    case ROLE_OPTION:
        return context != ROLE_LISTBOX && context != ROLE_GROUP;
    case ROLE_TREEITEM:
        return context != ROLE_TREE && context != ROLE_GROUP && context != ROLE_TREEITEM;
    default:
        return false;
    }
}

/* Returns the role set by the author; UNKNOWN: none, or one that does not apply. */
static enum snapshot_role given_role(const struct snapshot_facts *facts, int node,
                                     const uint8_t *contexts)
{
    enum snapshot_role role = first_role(facts, node);
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    if ((role == ROLE_FORM || role == ROLE_REGION) && !snapshot_is_named(facts, node) &&
        !snapshot_has(&facts->attributes, node, ATTRIBUTE_ARIA_ROLEDESCRIPTION)) {
        return ROLE_UNKNOWN;
    }
    if (role == ROLE_NONE && (tag == TAG_IFRAME || tag == TAG_FRAME)) {
        return ROLE_IFRAME_PRESENTATIONAL;
    }
    if (role == ROLE_NONE && (snapshot_takes_focus(facts, node) || has_global_state(facts, node))) {
        return ROLE_UNKNOWN;
    }
    return is_out_of_context(role, context_of(facts, node, contexts)) ? ROLE_UNKNOWN : role;
}

/* Returns whether it is an element that never has a meaning. */
static bool is_no_content(const struct snapshot_node *node)
{
    switch (node->tag) {
    case TAG_BASE:
    case TAG_COL:
    case TAG_COLGROUP:
    case TAG_DATALIST:
    case TAG_HEAD:
    case TAG_LINK:
    case TAG_META:
    case TAG_NOEMBED:
    case TAG_NOFRAMES:
    case TAG_NOSCRIPT:
    case TAG_SCRIPT:
    case TAG_SOURCE:
    case TAG_STYLE:
    case TAG_TEMPLATE:
    case TAG_TRACK:
        return true;
    case TAG_TITLE:
        return true;
    case TAG_DESC:
    case TAG_SYMBOL:
        return node->is_svg;
    default:
        return false;
    }
}

static enum snapshot_role role_of(struct snapshot_facts *facts, int node, const uint8_t *contexts)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (it->kind == SNAPSHOT_DOCUMENT) {
        return ROLE_ROOT_WEB_AREA;
    }
    if (it->kind != SNAPSHOT_ELEMENT || is_no_content(it)) {
        return ROLE_UNKNOWN;
    }
    if (it->tag == TAG_TR) {
        snapshot_table_row(facts, node);
    }
    enum snapshot_role role = snapshot_has(&facts->attributes, node, ATTRIBUTE_ROLE)
                                  ? given_role(facts, node, contexts)
                                  : ROLE_UNKNOWN;
    return role == ROLE_UNKNOWN ? snapshot_role_implicit(facts, node) : role;
}

static unsigned section_flags(const struct snapshot_facts *facts, int node)
{
    switch (facts->semantics[node].role) {
    case ROLE_MAIN:
        return FACT_IN_MAIN;
    case ROLE_ARTICLE:
    case ROLE_COMPLEMENTARY:
    case ROLE_NAVIGATION:
        return FACT_IN_SECTION;
    case ROLE_GENERIC:
    case ROLE_REGION:
        return facts->tree->nodes[node].tag == TAG_SECTION ? FACT_IN_SECTION : 0;
    case ROLE_GRID:
    case ROLE_TREEGRID:
        return FACT_IN_GRID;
    default:
        return 0;
    }
}

/* Returns whether a label only repeats the name of a visible checkbox or radio button. */
static bool is_redundant_label(const struct snapshot_facts *facts, int label)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int control = facts->controls[label];
    const struct snapshot_layout *layout =
        control == SNAPSHOT_NONE ? NULL : snapshot_layout(facts->tree, control);
    if (!layout || layout->width <= 1 || layout->height <= 1 ||
        snapshot_fact(facts, control, FACT_UNSEEN) ||
        !(snapshot_is_input(facts, control, "checkbox") ||
          snapshot_is_input(facts, control, "radio")) ||
        snapshot_is_filled(&facts->attributes, control, ATTRIBUTE_ARIA_LABEL) ||
        snapshot_is_named_by_reference(facts, control) ||
        snapshot_has(&facts->attributes, label, ATTRIBUTE_TITLE)) {
        return false;
    }
    int elements = 0;
    bool is_alone = true;
    for (int i = nodes[label].first_child; i != SNAPSHOT_NONE; i = nodes[i].next) {
        elements += nodes[i].kind == SNAPSHOT_ELEMENT;
        is_alone = is_alone && (nodes[i].kind != SNAPSHOT_ELEMENT || i == control);
    }
    return elements == 0 || (elements == 1 && is_alone);
}

static bool is_ignored(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (it->kind == SNAPSHOT_DOCUMENT) {
        return false;
    }
    if (snapshot_fact(facts, node, FACT_UNSEEN | FACT_ARIA_HIDDEN | FACT_INERT)) {
        return true;
    }
    if (it->kind != SNAPSHOT_ELEMENT) {
        return false;
    }
    switch (facts->semantics[node].role) {
    case ROLE_UNKNOWN:
    case ROLE_NONE:
        return true;
    case ROLE_PARAGRAPH:
    case ROLE_CAPTION:
        return !snapshot_fact(facts, node, FACT_HAS_CONTENT | FACT_IN_CANVAS) &&
               !snapshot_has(&facts->attributes, node, ATTRIBUTE_ROLE) &&
               !snapshot_is_named(facts, node);
    case ROLE_LABEL_TEXT:
        return is_redundant_label(facts, node);
    default:
        return false;
    }
}

/* An <svg> without meaningful parts is a picture. */
static void find_pictures(struct snapshot_facts *facts)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    for (int i = facts->tree->order_count - 1; i >= 0; i--) {
        int node = facts->tree->order[i];
        int parent = nodes[node].parent;
        struct node_semantics *semantics = &facts->semantics[node];
        bool has_part = snapshot_fact(facts, node, FACT_HAS_PART);
        if (semantics->role == ROLE_SVG_ROOT && !has_part) {
            semantics->role = ROLE_IMAGE;
        }
        bool is_part = nodes[node].kind == SNAPSHOT_ELEMENT &&
                       (!semantics->is_ignored || nodes[node].tag == TAG_USE);
        if (parent != SNAPSHOT_NONE && nodes[parent].is_svg && (is_part || has_part)) {
            facts->flags[parent] |= FACT_HAS_PART;
        }
    }
}

void snapshot_roles_find(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    CLEANUP_FREE uint8_t *contexts = xcalloc((size_t)tree->node_count + 1, 1);
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        struct node_semantics *semantics = &facts->semantics[node];
        if (tree->nodes[node].kind != SNAPSHOT_DOCUMENT && parent != SNAPSHOT_NONE) {
            facts->flags[node] |=
                facts->flags[parent] & (FACT_IN_SECTION | FACT_IN_MAIN | FACT_IN_GRID);
        }
        semantics->role = role_of(facts, node, contexts);
        if (semantics->role == ROLE_TABLE || semantics->role == ROLE_LAYOUT_TABLE) {
            facts->flags[node] &= ~(unsigned)FACT_IN_GRID;
        }
        facts->flags[node] |= section_flags(facts, node);
        semantics->is_ignored = is_ignored(facts, node);
        semantics->is_focusable = snapshot_is_focusable(facts, node);
        bool says_something = semantics->role != ROLE_UNKNOWN && semantics->role != ROLE_NONE &&
                              semantics->role != ROLE_GENERIC;
        contexts[node] =
            says_something || parent == SNAPSHOT_NONE ? (uint8_t)semantics->role : contexts[parent];
    }
    find_pictures(facts);
}
