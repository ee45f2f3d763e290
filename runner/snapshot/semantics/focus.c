#include "runner/snapshot/semantics/implicit_role.h"

#include <string.h>

static bool has_tab_index(const struct snapshot_facts *facts, int node)
{
    const char *value = snapshot_get(&facts->attributes, node, ATTRIBUTE_TABINDEX);
    const char *digits = value ? value + strspn(value, " \t\n\f\r") : "";
    digits += *digits == '-' || *digits == '+';
    return *digits >= '0' && *digits <= '9';
}

bool snapshot_takes_focus(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    const struct snapshot_attributes *attributes = &facts->attributes;
    switch (it->tag) {
    case TAG_A:
    case TAG_AREA:
        if (snapshot_has(attributes, node, ATTRIBUTE_HREF) ||
            (it->is_svg && snapshot_has(attributes, node, ATTRIBUTE_XLINK_HREF))) {
            return true;
        }
        break;
    case TAG_INPUT:
        return !snapshot_is_input(facts, node, "hidden");
    case TAG_AUDIO:
    case TAG_VIDEO:
        if (snapshot_has(attributes, node, ATTRIBUTE_CONTROLS)) {
            return true;
        }
        break;
    case TAG_SUMMARY:
        if (facts->tree->nodes[it->parent].tag == TAG_DETAILS) {
            return true;
        }
        break;
    case TAG_BUTTON:
    case TAG_FRAME:
    case TAG_IFRAME:
    case TAG_SELECT:
    case TAG_TEXTAREA:
        return true;
    default:
        break;
    }
    if (has_tab_index(facts, node)) {
        return true;
    }
    return snapshot_has(attributes, node, ATTRIBUTE_CONTENTEDITABLE) &&
           snapshot_fact(facts, node, FACT_EDITABLE);
}

static bool is_disabled_natively(const struct snapshot_facts *facts, int node)
{
    return snapshot_has(&facts->attributes, node, ATTRIBUTE_DISABLED) ||
           snapshot_fact(facts, node, FACT_FIELDSET_OFF);
}

bool snapshot_is_focusable(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    return snapshot_takes_focus(facts, node) && tag != TAG_IFRAME && tag != TAG_FRAME &&
           facts->tree->nodes[node].layout != SNAPSHOT_NONE &&
           !(snapshot_is_labelable(facts, node) && is_disabled_natively(facts, node)) &&
           !snapshot_fact(facts, node, FACT_UNSEEN | FACT_INERT);
}
