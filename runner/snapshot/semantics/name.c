#include "runner/snapshot/semantics/name.h"

#include "runner/snapshot/semantics/native_name.h"

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
