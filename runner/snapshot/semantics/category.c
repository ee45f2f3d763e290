#include "runner/snapshot/semantics/facts.h"

#include "runner/base/memory.h"
#include "runner/snapshot/semantics/implicit_role.h"

#include <string.h>
#include <strings.h>

/* Words in classes of clickable things, separated by '-' or '_'. */
static const char *const hints[] = { "btn",      "button",      "clickable", "close",
                                     "dropdown", "interactive", "link",      "menuitem",
                                     "tab",      "toggle",      "toggler",   NULL };

/* Words before such a word that negate it: "non-interactive", "no-link". */
static const char *const denials[] = { "no", "non", "not", NULL };

/* State of a node's ancestors and descendants; local to this pass. */
enum { IN_OPERABLE = 1, HAS_OPERABLE = 2, HAS_POINTER = 4 };

static bool is_drawing(const struct snapshot_facts *facts, int node)
{
    return facts->tree->nodes[node].tag == TAG_SVG && facts->semantics[node].role != ROLE_NONE &&
           snapshot_is_large_drawing(facts, node);
}

/* Returns whether it is a group or an icon, which means nothing without a name. */
static bool is_nothing_without_name(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    return role == ROLE_GROUP || role == ROLE_GRAPHICS_SYMBOL ||
           (role == ROLE_IMAGE && facts->tree->nodes[node].is_svg);
}

static bool is_among(const char *const *words, const char *word, size_t length)
{
    for (size_t i = 0; words[i]; i++) {
        if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_class_hint(const struct snapshot_facts *facts, int node)
{
    static const char separators[] = " \t\n\f\r-_";
    const char *at = snapshot_get(&facts->attributes, node, ATTRIBUTE_CLASS);
    bool is_denied = false;
    while (at && *at != '\0') {
        size_t length = strcspn(at, separators);
        if (!is_denied && is_among(hints, at, length)) {
            return true;
        }
        bool is_denial = is_among(denials, at, length);
        at += length;
        is_denied = is_denial && (*at == '-' || *at == '_');
        at += *at != '\0';
    }
    return false;
}

/*
 * Returns whether the listener is on the page or on the one element around all content: it does not
 * make that element a control.
 */
static bool is_delegated(const struct snapshot_facts *facts, int node, unsigned around)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    enum snapshot_tag tag = nodes[node].tag;
    int parent = nodes[node].parent;
    return tag == TAG_HTML || tag == TAG_BODY ||
           (parent != SNAPSHOT_NONE && nodes[parent].tag == TAG_BODY && around & HAS_OPERABLE);
}

static bool is_interactive(const struct snapshot_facts *facts, int node, unsigned around,
                           bool begins_pointer)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    const struct snapshot_attributes *attributes = &facts->attributes;
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    /* All editable text reacts to clicks by moving the caret. */
    bool is_edited = snapshot_fact(facts, node, FACT_EDITABLE) && !semantics->is_editable;
    bool is_clickable = ((facts->tree->nodes[node].is_clickable && !is_edited) ||
                         snapshot_has(attributes, node, ATTRIBUTE_ONCLICK)) &&
                        !is_delegated(facts, node, around);
    if (tag == TAG_LABEL && facts->controls[node] != SNAPSHOT_NONE) {
        return semantics->stands_for != ROLE_UNKNOWN;
    }
    bool is_page = tag == TAG_HTML || tag == TAG_BODY;
    if (is_clickable || semantics->is_editable ||
        (!is_page &&
         (semantics->test_id || snapshot_integer(attributes, node, ATTRIBUTE_TABINDEX, -1) >= 0))) {
        return true;
    }
    bool is_free = !(around & IN_OPERABLE);
    if (begins_pointer && is_free && !is_page) {
        return true;
    }
    return is_free && !(around & HAS_OPERABLE) && snapshot_fact(facts, node, FACT_HAS_CONTENT) &&
           has_class_hint(facts, node);
}

static enum snapshot_category category_of(const struct snapshot_facts *facts, int node,
                                          unsigned around, bool begins_pointer)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    bool is_mere = (snapshot_role_is(semantics->role, IS_STRUCTURAL) ||
                    is_nothing_without_name(facts, node)) &&
                   !is_drawing(facts, node);
    bool is_named = semantics->name && semantics->name_from != NAME_FROM_CONTENT;
    if (!is_mere) {
        return CATEGORY_SEMANTIC;
    }
    /* A name neither makes nor prevents a control. */
    if (is_interactive(facts, node, around, begins_pointer)) {
        return CATEGORY_INTERACTIVE;
    }
    return is_named && semantics->role != ROLE_UNKNOWN ? CATEGORY_SEMANTIC : CATEGORY_STRUCTURAL;
}

static bool is_operable(const struct snapshot_facts *facts, int node)
{
    return snapshot_role_is(facts->semantics[node].role, IS_OPERABLE) &&
           !snapshot_fact(facts, node, FACT_UNSEEN);
}

void snapshot_categories_find(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    CLEANUP_FREE uint8_t *around = xcalloc((size_t)tree->node_count + 1, 1);
    for (int i = tree->order_count - 1; i >= 0; i--) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        if (parent != SNAPSHOT_NONE && (around[node] & HAS_OPERABLE || is_operable(facts, node))) {
            around[parent] |= HAS_OPERABLE;
        }
    }
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        unsigned above = parent == SNAPSHOT_NONE ? 0 : around[parent];
        const struct snapshot_layout *layout = snapshot_layout(tree, node);
        bool has_pointer = layout ? layout->has_pointer : (above & HAS_POINTER) != 0;
        if (parent != SNAPSHOT_NONE && (above & IN_OPERABLE || is_operable(facts, parent))) {
            around[node] |= IN_OPERABLE;
        }
        around[node] |= has_pointer ? HAS_POINTER : 0;
        facts->semantics[node].category =
            tree->nodes[node].kind != SNAPSHOT_ELEMENT
                ? CATEGORY_STRUCTURAL
                : category_of(facts, node, around[node], has_pointer && !(above & HAS_POINTER));
    }
}
