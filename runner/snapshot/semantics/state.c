#include "runner/snapshot/semantics/facts.h"

#include "runner/base/memory.h"
#include "runner/snapshot/semantics/input_type.h"
#include "runner/snapshot/semantics/references.h"

#include <string.h>
#include <strings.h>

enum { DEEPEST_HEADING = 9, USUAL_HEADING = 2, POPOVER_DEPTH = 64 };

static enum snapshot_check check(bool is_on)
{
    return is_on ? CHECK_TRUE : CHECK_FALSE;
}

static enum snapshot_check tristate(const char *value, enum snapshot_role role)
{
    if (strcasecmp(value, "mixed") == 0) {
        return snapshot_role_is(role, MAY_BE_MIXED) ? CHECK_MIXED : CHECK_FALSE;
    }
    return check(strcasecmp(value, "false") != 0);
}

static bool has_native_check(const struct snapshot_facts *facts, int node)
{
    return snapshot_is_input(facts, node, "checkbox") || snapshot_is_input(facts, node, "radio");
}

static enum snapshot_check native_check(const struct snapshot_node *node)
{
    return node->is_mixed ? CHECK_MIXED : check(node->is_checked);
}

static enum snapshot_check checked_of(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_CHECKED);
    if (!snapshot_role_is(role, IS_CHECKABLE) &&
        !((role == ROLE_OPTION || role == ROLE_TREEITEM) && value)) {
        return CHECK_NONE;
    }
    if (has_native_check(facts, node)) {
        return native_check(&facts->tree->nodes[node]);
    }
    return value ? tristate(value, role) : CHECK_FALSE;
}

static enum snapshot_check pressed_of(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_PRESSED);
    if (role != ROLE_BUTTON || !value || value[0] == '\0' || strcasecmp(value, "undefined") == 0) {
        return CHECK_NONE;
    }
    return has_native_check(facts, node) ? native_check(&facts->tree->nodes[node])
                                         : tristate(value, role);
}

/* Returns the state of a popover's button; NONE if it opens none. */
static enum snapshot_check popover_of(const struct snapshot_facts *facts, int node)
{
    const char *id = snapshot_get(&facts->attributes, node, ATTRIBUTE_POPOVERTARGET);
    /* A submit button does nothing else. */
    bool sends = snapshot_fact(facts, node, FACT_IN_FORM) &&
                 !snapshot_is(&facts->attributes, node, ATTRIBUTE_TYPE, "button");
    int popover = id && !sends ? snapshot_facts_find(facts, node, id, strlen(id)) : SNAPSHOT_NONE;
    if (popover == SNAPSHOT_NONE || !snapshot_has(&facts->attributes, popover, ATTRIBUTE_POPOVER)) {
        return CHECK_NONE;
    }
    int levels = POPOVER_DEPTH;
    for (int i = node; i != SNAPSHOT_NONE && levels-- > 0; i = facts->tree->nodes[i].parent) {
        if (i == popover) {
            return CHECK_NONE; /* it closes the popover that contains it */
        }
    }
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, popover);
    return check(layout && layout->is_in_top_layer);
}

static enum snapshot_check expanded_of(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (!snapshot_role_is(facts->semantics[node].role, IS_EXPANDABLE)) {
        return CHECK_NONE;
    }
    if (it->tag == TAG_SELECT) {
        return facts->semantics[node].role == ROLE_COMBOBOX ? CHECK_FALSE : CHECK_NONE;
    }
    if (it->tag == TAG_SUMMARY && facts->tree->nodes[it->parent].tag == TAG_DETAILS) {
        return check(snapshot_has(&facts->attributes, it->parent, ATTRIBUTE_OPEN));
    }
    enum snapshot_check popover = popover_of(facts, node);
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_EXPANDED);
    if (popover != CHECK_NONE || !value || value[0] == '\0' ||
        strcasecmp(value, "undefined") == 0) {
        return popover;
    }
    return check(strcasecmp(value, "false") != 0);
}

static enum snapshot_check selected_of(const struct snapshot_facts *facts, int node)
{
    if (!snapshot_role_is(facts->semantics[node].role, IS_SELECTABLE)) {
        return CHECK_NONE;
    }
    if (facts->tree->nodes[node].tag == TAG_OPTION) {
        return check(facts->tree->nodes[node].is_selected);
    }
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_SELECTED);
    if (!value || value[0] == '\0' || strcasecmp(value, "undefined") == 0) {
        return facts->semantics[node].role == ROLE_TAB ? CHECK_FALSE : CHECK_NONE;
    }
    return check(strcasecmp(value, "false") != 0);
}

static bool is_option_disabled(const struct snapshot_facts *facts, int option)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int above = nodes[option].parent;
    for (int i = 0; i < 2 && above != SNAPSHOT_NONE; i++, above = nodes[above].parent) {
        enum snapshot_tag tag = nodes[above].tag;
        if ((tag == TAG_OPTGROUP || tag == TAG_SELECT) &&
            (snapshot_has(&facts->attributes, above, ATTRIBUTE_DISABLED) ||
             (tag == TAG_SELECT && snapshot_fact(facts, above, FACT_FIELDSET_OFF)))) {
            return true;
        }
    }
    return snapshot_has(&facts->attributes, option, ATTRIBUTE_DISABLED);
}

static bool has_document(const struct snapshot_tree *tree, int node)
{
    int child = tree->nodes[node].last_child;
    return child != SNAPSHOT_NONE && tree->nodes[child].kind == SNAPSHOT_DOCUMENT;
}

static bool is_natively_disabled(const struct snapshot_facts *facts, int node)
{
    switch (facts->tree->nodes[node].tag) {
    case TAG_OPTION:
        return is_option_disabled(facts, node);
    case TAG_BUTTON:
    case TAG_INPUT:
    case TAG_SELECT:
    case TAG_TEXTAREA:
        return snapshot_has(&facts->attributes, node, ATTRIBUTE_DISABLED) ||
               snapshot_fact(facts, node, FACT_FIELDSET_OFF);
    case TAG_OBJECT: /* one that shows only its fallback content */
        return !has_document(facts->tree, node);
    default:
        return false;
    }
}

/*
 * Returns whether the control is in the shadow tree of a disabled element, such as <my-button
 * disabled>.
 */
static bool has_disabled_host(const struct snapshot_facts *facts, int node)
{
    int scope = facts->scopes[node];
    return facts->tree->nodes[scope].kind == SNAPSHOT_ELEMENT &&
           snapshot_role_is(facts->semantics[node].role, IS_OPERABLE) &&
           snapshot_has(&facts->attributes, scope, ATTRIBUTE_DISABLED);
}

static bool is_disabled(const struct snapshot_facts *facts, int node)
{
    return is_natively_disabled(facts, node) || has_disabled_host(facts, node) ||
           snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_DISABLED) ||
           (snapshot_fact(facts, node, FACT_ARIA_OFF) && facts->semantics[node].is_focusable);
}

static int heading_level(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    int native = tag >= TAG_H1 && tag <= TAG_H6 ? tag - TAG_H1 + 1 : USUAL_HEADING;
    bool is_native = tag >= TAG_H1 && tag <= TAG_H6;
    int level = snapshot_integer(&facts->attributes, node, ATTRIBUTE_ARIA_LEVEL, native);
    return level > DEEPEST_HEADING ? native : level < 1 ? (is_native ? native : 1) : level;
}

static void find_level(struct snapshot_facts *facts, int node, int *levels)
{
    struct node_semantics *semantics = &facts->semantics[node];
    int parent = facts->tree->nodes[node].parent;
    int around = parent == SNAPSHOT_NONE ? 0 : levels[parent];
    levels[node] = semantics->role == ROLE_TREE    ? 0
                   : semantics->role == ROLE_GROUP ? around + 1
                                                   : around;
    int given = snapshot_integer(&facts->attributes, node, ATTRIBUTE_ARIA_LEVEL, 0);
    if (semantics->role == ROLE_HEADING) {
        semantics->level = heading_level(facts, node);
    } else if (semantics->role == ROLE_TREEITEM) {
        semantics->level = given > 0 ? given : around + 1;
    } else if (semantics->role == ROLE_ROW) {
        semantics->level = given > 0 ? given : 0;
    }
}

void snapshot_levels_find(struct snapshot_facts *facts)
{
    CLEANUP_FREE int *levels = xcalloc((size_t)facts->tree->node_count + 1, sizeof(*levels));
    for (int i = 0; i < facts->tree->order_count; i++) {
        find_level(facts, facts->tree->order[i], levels);
    }
}

static const char *current_of(const struct snapshot_facts *facts, int node)
{
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_CURRENT);
    return value && value[0] != '\0' && strcasecmp(value, "false") != 0 ? value : NULL;
}

static const char *popup_of(const struct snapshot_facts *facts, int node)
{
    static const char *const known[] = { "listbox", "tree", "grid", "dialog", "menu" };
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_HASPOPUP);
    if (value && strcasecmp(value, "true") == 0) {
        return "menu";
    }
    for (size_t i = 0; value && i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcasecmp(value, known[i]) == 0) {
            return known[i];
        }
    }
    return NULL;
}

/* Returns whether `readonly` and `required` apply to it (HTML, "Input type attributes apply"). */
static bool is_typed(const struct snapshot_facts *facts, int node)
{
    return snapshot_takes_text(facts, node) || snapshot_takes_date(facts, node);
}

static bool may_be_required(const struct snapshot_facts *facts, int node)
{
    return is_typed(facts, node) || has_native_check(facts, node) ||
           facts->tree->nodes[node].tag == TAG_SELECT || snapshot_is_input(facts, node, "file");
}

static bool is_invalid(const struct snapshot_facts *facts, int node)
{
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_INVALID);
    if (value && value[0] != '\0') {
        return strcasecmp(value, "false") != 0;
    }
    return facts->tree->nodes[node].is_invalid;
}

static bool is_multiline(const struct snapshot_facts *facts, int node)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    return facts->tree->nodes[node].tag == TAG_TEXTAREA ||
           (semantics->role == ROLE_TEXTBOX &&
            (snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_MULTILINE) ||
             (semantics->is_editable &&
              !snapshot_is(&facts->attributes, node, ATTRIBUTE_ARIA_MULTILINE, "false"))));
}

static bool is_modal(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    return (role == ROLE_DIALOG || role == ROLE_ALERTDIALOG) &&
           (snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_MODAL) ||
            (facts->tree->nodes[node].tag == TAG_DIALOG && layout && layout->is_in_top_layer &&
             !snapshot_has(&facts->attributes, node, ATTRIBUTE_POPOVER)));
}

static bool begins_editing(const struct snapshot_facts *facts, int node)
{
    int parent = facts->tree->nodes[node].parent;
    return snapshot_fact(facts, node, FACT_EDITABLE) &&
           !(parent != SNAPSHOT_NONE && snapshot_fact(facts, parent, FACT_EDITABLE));
}

static int span_of(const struct snapshot_facts *facts, int node,
                   enum snapshot_attribute_number number)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    int span = snapshot_integer(&facts->attributes, node, number, 0);
    return (tag == TAG_TD || tag == TAG_TH) && span > 1 ? span : 0;
}

void snapshot_state_find(struct snapshot_facts *facts, int node)
{
    const struct snapshot_attributes *attributes = &facts->attributes;
    struct node_semantics *semantics = &facts->semantics[node];
    semantics->is_editable = begins_editing(facts, node);
    semantics->checked = checked_of(facts, node);
    semantics->pressed = pressed_of(facts, node);
    semantics->expanded = expanded_of(facts, node);
    semantics->selected = selected_of(facts, node);
    semantics->is_disabled = is_disabled(facts, node);
    semantics->is_required =
        snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_REQUIRED) ||
        (may_be_required(facts, node) && snapshot_has(attributes, node, ATTRIBUTE_REQUIRED));
    semantics->is_readonly =
        snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_READONLY) ||
        (is_typed(facts, node) && snapshot_has(attributes, node, ATTRIBUTE_READONLY));
    semantics->is_invalid = is_invalid(facts, node);
    semantics->is_focused = facts->tree->nodes[node].is_focused;
    semantics->is_busy = snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_BUSY);
    semantics->is_multiline = is_multiline(facts, node);
    semantics->is_multiselectable =
        snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_MULTISELECTABLE) ||
        (facts->tree->nodes[node].tag == TAG_SELECT &&
         snapshot_has(attributes, node, ATTRIBUTE_MULTIPLE));
    semantics->is_modal = is_modal(facts, node);
    semantics->current = current_of(facts, node);
    semantics->has_popup = popup_of(facts, node);
    semantics->row_span = span_of(facts, node, ATTRIBUTE_ROWSPAN);
    semantics->column_span = span_of(facts, node, ATTRIBUTE_COLSPAN);
}
