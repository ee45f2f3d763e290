#include "runner/snapshot/semantics/facts.h"
#include "runner/snapshot/semantics/text_alternative.h"

#include <string.h>

/* Returns what describes a table that is not named by it, or a part of SVG; NONE. */
static int describing_child(const struct snapshot_facts *facts, int node, enum naming_step step)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    return it->is_svg ? snapshot_facts_child(facts, node, TAG_DESC)
           : it->tag == TAG_TABLE && step != STEP_NAMING_CHILD ? snapshot_naming_child(facts, node)
                                                               : SNAPSHOT_NONE;
}

/* Returns the text about a node beyond the name, which came from `step`. */
static const char *description_of(struct snapshot_naming *naming,
                                  const struct snapshot_facts *facts, int node,
                                  enum naming_step step)
{
    const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_DESCRIBEDBY);
    const char *text = words ? snapshot_naming_references(naming, node, words) : NULL;
    text = text ? text : snapshot_naming_attribute(naming, node, ATTRIBUTE_ARIA_DESCRIPTION);
    if (!text && step != STEP_HOST_ATTRIBUTE && snapshot_is_text_button(facts, node)) {
        text = snapshot_naming_attribute(naming, node, ATTRIBUTE_VALUE);
    }
    int child = text ? SNAPSHOT_NONE : describing_child(facts, node, step);
    if (child != SNAPSHOT_NONE) {
        text = snapshot_naming_content(naming, child, node);
    }
    if (!text && step != STEP_TOOLTIP) {
        text = snapshot_naming_attribute(naming, node, ATTRIBUTE_TITLE);
    }
    const char *name = facts->semantics[node].name;
    return text && name && strcmp(text, name) == 0 ? NULL : text;
}

/* Returns whether it is Chrome's meaningless name for the frame of a PDF. */
static bool is_token(const char *name)
{
    enum { DIGITS = 32 };
    return strlen(name) == DIGITS && strspn(name, "0123456789ABCDEF") == DIGITS;
}

void snapshot_name_node(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                        int node)
{
    static const enum snapshot_name_from from[] = {
        [STEP_EMBEDDED_CONTROL] = NAME_FROM_NOTHING, [STEP_LABELLED_BY] = NAME_FROM_ELEMENT,
        [STEP_ARIA_LABEL] = NAME_FROM_ATTRIBUTE,     [STEP_LABELS] = NAME_FROM_ELEMENT,
        [STEP_NAMING_CHILD] = NAME_FROM_ELEMENT,     [STEP_HOST_ATTRIBUTE] = NAME_FROM_ATTRIBUTE,
        [STEP_CONTENT] = NAME_FROM_CONTENT,          [STEP_TOOLTIP] = NAME_FROM_ATTRIBUTE,
        [STEP_PLACEHOLDER] = NAME_FROM_PLACEHOLDER,  [STEP_NONE] = NAME_FROM_NOTHING,
    };
    struct node_semantics *semantics = &facts->semantics[node];
    enum naming_step step;
    semantics->name = snapshot_naming_name(naming, node, &step);
    if (!semantics->name && snapshot_tag_is_frame(facts->tree->nodes[node].tag)) {
        /* The name used by scripts and links is all that distinguishes it from others. */
        const char *name = snapshot_naming_attribute(naming, node, ATTRIBUTE_NAME);
        semantics->name = name && !is_token(name) ? name : NULL;
        step = semantics->name ? STEP_HOST_ATTRIBUTE : step;
    }
    semantics->name_from = from[step];
    semantics->description = description_of(naming, facts, node, step);
    if (step != STEP_PLACEHOLDER) {
        semantics->placeholder = snapshot_placeholder(facts, node);
    }
}

/* Returns whether the control's box is hidden and its label is all that is visible. */
static bool is_seen_as_label(const struct snapshot_facts *facts, int control)
{
    return snapshot_fact(facts, control, FACT_UNSEEN) &&
           (snapshot_is_input(facts, control, "checkbox") ||
            snapshot_is_input(facts, control, "radio") ||
            snapshot_is_input(facts, control, "file"));
}

/* Returns its first visible label; NONE. */
static int seen_label(const struct snapshot_facts *facts, int control)
{
    int label = facts->first_label[control];
    while (label != SNAPSHOT_NONE && snapshot_fact(facts, label, FACT_UNSEEN)) {
        label = facts->next_label[label];
    }
    return label;
}

static void stand_in(struct snapshot_naming *naming, const struct snapshot_facts *facts, int label,
                     int control)
{
    const struct node_semantics *hidden = &facts->semantics[control];
    struct node_semantics *semantics = &facts->semantics[label];
    const char *name = snapshot_naming_attribute(naming, control, ATTRIBUTE_ARIA_LABEL);
    enum snapshot_name_from from = name ? NAME_FROM_ATTRIBUTE : NAME_FROM_CONTENT;
    name = name ? name : snapshot_naming_content(naming, label, label);
    semantics->stands_for = hidden->role;
    semantics->name_from = name ? from : semantics->name_from;
    semantics->name = name ? name : semantics->name;
    semantics->checked = hidden->checked;
    semantics->is_disabled = hidden->is_disabled;
    semantics->is_required = hidden->is_required;
    semantics->is_invalid = hidden->is_invalid;
}

void snapshot_stand_ins_find(struct snapshot_naming *naming, const struct snapshot_facts *facts)
{
    for (int i = 0; i < facts->tree->order_count; i++) {
        int label = facts->tree->order[i];
        int control = facts->controls[label];
        if (control != SNAPSHOT_NONE && is_seen_as_label(facts, control) &&
            seen_label(facts, control) == label && !snapshot_is_kept_from(facts, control, label)) {
            stand_in(naming, facts, label, control);
        }
    }
}
