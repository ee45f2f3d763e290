#include "runner/snapshot/semantics/stand_in.h"

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
