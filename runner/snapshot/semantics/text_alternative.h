/*
 * The computation of a text alternative, which names and descriptions are (accname 1.2, 4.3.2;
 * HTML-AAM), and the texts of parts of a page. A text ends at SNAPSHOT_NAME_LIMIT bytes, and after
 * as many nodes as Chrome goes through for one.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_TEXT_ALTERNATIVE_H
#define RUNNER_SNAPSHOT_SEMANTICS_TEXT_ALTERNATIVE_H

#include "runner/snapshot/semantics/naming.h"

/* What is tried for an element, in this order, until one of them says something. */
enum naming_step {
    STEP_EMBEDDED_CONTROL, /* the value of a control within somebody else's name */
    STEP_LABELLED_BY,      /* aria-labelledby */
    STEP_ARIA_LABEL,
    STEP_LABELS,         /* host language label: its <label>s */
    STEP_NAMING_CHILD,   /* host language label: legend, caption, <title> of SVG */
    STEP_HOST_ATTRIBUTE, /* host language label: alt, value of a button and the like */
    STEP_CONTENT,        /* name from content */
    STEP_TOOLTIP,        /* title */
    STEP_PLACEHOLDER,
    STEP_NONE, /* there is no text */
};

/* All texts are borrowed from the arena, their whitespace is collapsed; NULL: nothing. */

/* The name of an element, and what it came from. */
const char *snapshot_naming_name(struct snapshot_naming *naming, int node,
                                 enum naming_step *ret_step);

/* The texts of the elements that have the ids in `words`. */
const char *snapshot_naming_references(struct snapshot_naming *naming, int node, const char *words);

/* What is in a node, for those who read of `reader`, which may be the node. */
const char *snapshot_naming_content(struct snapshot_naming *naming, int node, int reader);

/* The same, of what a widget shows as its value: without the controls in it and what it opens. */
const char *snapshot_naming_value(struct snapshot_naming *naming, int node, int reader);

/* What an attribute says. */
const char *snapshot_naming_attribute(struct snapshot_naming *naming, int node,
                                      enum snapshot_attribute_number number);

#endif
