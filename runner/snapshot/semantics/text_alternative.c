#include "runner/snapshot/semantics/text_alternative.h"

#include "runner/snapshot/semantics/facts.h"
#include "runner/snapshot/semantics/naming.h"
#include "runner/snapshot/semantics/references.h"

enum { MOST_NODES = 100 /* nodes with content in one text: Chrome's limit */ };

/* Tries the steps from `first` on until one gives a text; returns it, or STEP_NONE. */
static enum naming_step add_element(struct snapshot_naming *naming,
                                    const struct naming_element *element, enum naming_step first);

/* Returns whether it is a control or picture, which separates words whatever its display is. */
static bool is_box(const struct snapshot_node *node)
{
    switch (node->tag) {
    case TAG_AUDIO:
    case TAG_BUTTON:
    case TAG_CANVAS:
    case TAG_EMBED:
    case TAG_IFRAME:
    case TAG_IMG:
    case TAG_INPUT:
    case TAG_METER:
    case TAG_OBJECT:
    case TAG_PROGRESS:
    case TAG_SELECT:
    case TAG_SVG:
    case TAG_TEXTAREA:
    case TAG_VIDEO:
        return true;
    default:
        return false;
    }
}

/* data-no-ai: it contributes only to names of elements inside it. */
static bool is_kept_back(const struct snapshot_naming *naming, int node)
{
    return snapshot_fact(naming->facts, node, FACT_LEFT_OUT) && !naming->is_left_out;
}

/*
 * Returns whether it operates the widget, such as a button to remove a selection or an empty search
 * field, or is opened by it.
 */
static bool is_beside_value(const struct snapshot_facts *facts, int node)
{
    const struct node_semantics *semantics = &facts->semantics[node];
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    return snapshot_role_is(semantics->role, IS_BESIDE_VALUES) ||
           ((tag == TAG_INPUT || tag == TAG_TEXTAREA) && !semantics->value);
}

/* accname: hidden and not referenced. */
static bool is_hidden(const struct snapshot_naming *naming, int node, bool shows_hidden)
{
    const struct snapshot_facts *facts = naming->facts;
    if (is_kept_back(naming, node) || facts->semantics[node].role == ROLE_UNKNOWN ||
        (naming->is_value && is_beside_value(facts, node))) {
        return true;
    }
    if (shows_hidden) {
        return false;
    }
    return snapshot_fact(facts, node, FACT_UNSEEN) ||
           (snapshot_fact(facts, node, FACT_INERT) && !naming->is_inert) ||
           (snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_HIDDEN) &&
            !facts->semantics[node].is_focusable);
}

static bool stands_alone(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    enum snapshot_role role = facts->semantics[node].role;
    return (is_box(it) && role != ROLE_NONE) ||
           (name_text_is_apart(snapshot_layout(facts->tree, node)) &&
            !snapshot_fact(facts, node, FACT_IN_LIST)) ||
           role == ROLE_LINE_BREAK || it->tag == TAG_WBR;
}

/* Adds an element inside the text of another; `around` has what applies to all of it. */
static void visit_element(struct snapshot_naming *naming, int node,
                          const struct naming_element *around)
{
    const struct snapshot_facts *facts = naming->facts;
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    if (is_hidden(naming, node, around->shows_hidden)) {
        naming_set_apart(naming, layout && layout->display == DISPLAY_BLOCK &&
                                     !layout->is_absolute && !layout->is_fixed);
        return;
    }
    bool is_known = naming->rounds[node] == naming->round;
    bool is_alone = stands_alone(facts, node);
    naming_set_apart(naming, is_alone);
    if ((is_known && !around->is_referenced) || tag == TAG_RT || tag == TAG_RP) {
        return;
    }
    naming->nodes += is_alone || facts->semantics[node].role != ROLE_GENERIC;
    struct naming_element element = naming_meet(naming, node);
    element.is_referenced = around->is_referenced;
    element.shows_hidden = around->shows_hidden;
    element.stands_alone = is_alone;
    add_element(naming, &element, STEP_EMBEDDED_CONTROL);
}

static void visit_text(struct snapshot_naming *naming, int node, bool shows_hidden)
{
    const struct snapshot_facts *facts = naming->facts;
    if (shows_hidden || !snapshot_fact(facts, node, FACT_UNSEEN)) {
        naming->nodes++;
        naming_set_apart(naming, facts->tree->nodes[node].layout == SNAPSHOT_NONE &&
                                     !snapshot_fact(facts, node, FACT_IN_LIST));
        name_text_add_node(&naming->text, facts->tree, node);
    }
}

static void visit(struct snapshot_naming *naming, int node, const struct naming_element *around)
{
    switch (naming->facts->tree->nodes[node].kind) {
    case SNAPSHOT_TEXT:
        visit_text(naming, node, around->shows_hidden);
        break;
    case SNAPSHOT_PSEUDO:
        naming->nodes++;
        name_text_add_pseudo(&naming->text, naming->facts->tree, node);
        break;
    case SNAPSHOT_ELEMENT:
        visit_element(naming, node, around);
        break;
    case SNAPSHOT_DOCUMENT:
        break;
    }
}

/*
 * Returns whether a reference to it counts: a reader of the referring element cannot read inert
 * content.
 */
static bool is_open_to(const struct snapshot_naming *naming, int node, bool shows_hidden)
{
    return !is_kept_back(naming, node) &&
           (shows_hidden || naming->is_inert || !snapshot_fact(naming->facts, node, FACT_INERT));
}

/* Returns the element of the next id in *words; NONE at the end. */
static int next_reference(struct snapshot_naming *naming, int from, const char **words)
{
    const char *id = NULL;
    for (size_t length; naming_take_step(naming) && (length = snapshot_word(words, &id)) > 0;) {
        int node = snapshot_facts_find(naming->facts, from, id, length);
        if (node != SNAPSHOT_NONE) {
            return node;
        }
    }
    return SNAPSHOT_NONE;
}

static void add_references(struct snapshot_naming *naming, int from, const char *words)
{
    int node;
    while (naming_take_step(naming) && words &&
           (node = next_reference(naming, from, &words)) != SNAPSHOT_NONE) {
        bool shows_hidden = snapshot_fact(naming->facts, node, FACT_UNSEEN | FACT_ARIA_HIDDEN);
        if (is_open_to(naming, node, shows_hidden)) {
            naming->text.needs_space = true;
            struct naming_element element = naming_meet(naming, node);
            element.is_referenced = true;
            element.shows_hidden = shows_hidden;
            element.stands_alone = true;
            add_element(naming, &element, STEP_EMBEDDED_CONTROL);
        }
    }
}

static const char *labelled_by(const struct snapshot_naming *naming,
                               const struct naming_element *element)
{
    const struct snapshot_attributes *attributes = &naming->facts->attributes;
    if (element->is_referenced || element->is_known) {
        return NULL;
    }
    const char *words = snapshot_get(attributes, element->node, ATTRIBUTE_ARIA_LABELLEDBY);
    return words ? words : snapshot_get(attributes, element->node, ATTRIBUTE_ARIA_LABELEDBY);
}

static void add_labels(struct snapshot_naming *naming, int control)
{
    const struct naming_element label = { .node = control };
    int next = naming->facts->first_label[control];
    while (naming_take_step(naming) && next != SNAPSHOT_NONE) {
        naming->text.needs_space = true;
        visit(naming, next, &label);
        next = naming->facts->next_label[next];
    }
}

/* Legends and captions are visited like others; the <title> of SVG is never rendered. */
static void add_naming_child(struct snapshot_naming *naming, int node)
{
    int child = snapshot_naming_child(naming->facts, node);
    if (!naming_take_step(naming) || child == SNAPSHOT_NONE || is_kept_back(naming, child)) {
        return;
    }
    if (naming->facts->tree->nodes[child].is_svg) {
        struct naming_element element = naming_meet(naming, child);
        element.is_referenced = true;
        element.shows_hidden = true;
        add_element(naming, &element, STEP_CONTENT);
    } else {
        visit(naming, child, &(struct naming_element){ .node = node });
    }
}

static bool gives_content(const struct snapshot_naming *naming,
                          const struct naming_element *element)
{
    const struct snapshot_facts *facts = naming->facts;
    enum snapshot_tag tag = facts->tree->nodes[element->node].tag;
    if (tag == TAG_SELECT || tag == TAG_TEXTAREA || tag == TAG_INPUT ||
        facts->semantics[element->node].is_private) {
        return false;
    }
    return element->is_referenced ||
           (element->is_root ? snapshot_is_named_by_content(facts, element->node)
                             : snapshot_gives_content(facts, element->node));
}

/* An owned node is read at its owner, not at its own place. */
static int skip_owned(const struct snapshot_facts *facts, int child)
{
    while (child != SNAPSHOT_NONE && facts->owned.owners &&
           facts->owned.owners[child] != SNAPSHOT_NONE) {
        child = facts->tree->nodes[child].next;
    }
    return child;
}

/* Adds the nodes of aria-owns that were not visited before. */
static void add_owned(struct snapshot_naming *naming, const struct naming_element *element)
{
    const struct snapshot_facts *facts = naming->facts;
    const char *words = facts->owned.owners && !naming->is_value
                            ? snapshot_get(&facts->attributes, element->node, ATTRIBUTE_ARIA_OWNS)
                            : NULL;
    while (words && naming->nodes <= MOST_NODES) {
        naming->text.needs_space = true;
        int node = next_reference(naming, element->node, &words);
        if (node == SNAPSHOT_NONE) {
            return;
        }
        if (facts->owned.owners[node] == element->node && naming->rounds[node] != naming->round) {
            visit(naming, node, element);
            naming_take_step(naming);
        }
    }
}

static void add_content(struct snapshot_naming *naming, const struct naming_element *element)
{
    const struct snapshot_facts *facts = naming->facts;
    bool is_open = gives_content(naming, element);
    int child = skip_owned(facts, facts->tree->nodes[element->node].first_child);
    while (naming_take_step(naming) && is_open && child != SNAPSHOT_NONE &&
           naming->nodes <= MOST_NODES) {
        visit(naming, child, element);
        child = skip_owned(facts, facts->tree->nodes[child].next);
    }
    if (is_open && naming->steps >= 0) {
        add_owned(naming, element);
    }
}

static void add_attribute(struct snapshot_naming *naming, int node,
                          enum snapshot_attribute_number number)
{
    name_text_add_apart(&naming->text, snapshot_get(&naming->facts->attributes, node, number));
}

static bool is_named_by_title(const struct snapshot_facts *facts,
                              const struct naming_element *element)
{
    return (element->is_referenced ||
            !snapshot_role_is(facts->semantics[element->node].role, HAS_NO_TITLE)) &&
           !snapshot_has_empty_name(facts, element->node);
}

/* Handles steps that use an attribute, or the value of a control. */
static void add_own_text(struct snapshot_naming *naming, const struct naming_element *element,
                         enum naming_step step)
{
    const struct snapshot_facts *facts = naming->facts;
    int node = element->node;
    if (!naming_take_step(naming)) {
        return;
    }
    if (step == STEP_EMBEDDED_CONTROL && !element->is_root && !element->is_known) {
        name_text_add_apart(&naming->text, snapshot_value_in_name(facts, node));
    } else if (step == STEP_ARIA_LABEL) {
        add_attribute(naming, node, ATTRIBUTE_ARIA_LABEL);
    } else if (step == STEP_HOST_ATTRIBUTE) {
        name_text_add_apart(&naming->text, snapshot_native_name(facts, node));
    } else if (step == STEP_TOOLTIP && is_named_by_title(facts, element)) {
        add_attribute(naming, node, ATTRIBUTE_TITLE);
    } else if (step == STEP_PLACEHOLDER) {
        name_text_add_apart(&naming->text, snapshot_placeholder(facts, node));
    }
}

static void add_step(struct snapshot_naming *naming, const struct naming_element *element,
                     enum naming_step step)
{
    switch (step) {
    case STEP_LABELLED_BY:
        add_references(naming, element->node, labelled_by(naming, element));
        break;
    case STEP_LABELS:
        add_labels(naming, element->node);
        break;
    case STEP_NAMING_CHILD:
        add_naming_child(naming, element->node);
        break;
    case STEP_CONTENT:
        add_content(naming, element);
        break;
    default:
        add_own_text(naming, element, step);
        break;
    }
}

static enum naming_step add_element(struct snapshot_naming *naming,
                                    const struct naming_element *element, enum naming_step first)
{
    size_t start = naming->text.whole.length;
    enum naming_step step = first;
    for (; step < STEP_NONE; step++) {
        add_step(naming, element, step);
        if (naming->steps < 0 || naming->text.whole.length > start) {
            break;
        }
    }
    naming_set_apart(naming, element->stands_alone);
    return step;
}

const char *snapshot_naming_name(struct snapshot_naming *naming, int node,
                                 enum naming_step *ret_step)
{
    struct naming_element root = naming_begin(naming, node);
    enum naming_step step = add_element(naming, &root, STEP_EMBEDDED_CONTROL);
    const char *name = naming_finish(naming);
    *ret_step = name ? step : STEP_NONE;
    return name;
}

const char *snapshot_naming_references(struct snapshot_naming *naming, int node, const char *words)
{
    naming_begin(naming, node);
    add_references(naming, node, words);
    return naming_finish(naming);
}

static const char *content_of(struct snapshot_naming *naming, int node, int reader, bool is_value)
{
    if (snapshot_is_kept_from(naming->facts, node, reader)) {
        return NULL;
    }
    struct naming_element root = naming_begin(naming, node);
    root.is_referenced = true;
    root.shows_hidden = snapshot_fact(naming->facts, node, FACT_UNSEEN);
    naming->is_value = is_value;
    add_content(naming, &root);
    return naming_finish(naming);
}

const char *snapshot_naming_content(struct snapshot_naming *naming, int node, int reader)
{
    return content_of(naming, node, reader, false);
}

const char *snapshot_naming_value(struct snapshot_naming *naming, int node, int reader)
{
    return content_of(naming, node, reader, true);
}

const char *snapshot_naming_attribute(struct snapshot_naming *naming, int node,
                                      enum snapshot_attribute_number number)
{
    if (!snapshot_has(&naming->facts->attributes, node, number)) {
        return NULL;
    }
    naming_clear(naming);
    add_attribute(naming, node, number);
    return naming_finish(naming);
}
