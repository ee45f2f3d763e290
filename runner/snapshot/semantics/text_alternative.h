/*
 * Computes text alternatives, that is names and descriptions (accname 1.2, 4.3.2; HTML-AAM), and
 * the texts of parts of a page. A text ends at SNAPSHOT_NAME_LIMIT bytes, or after the number of
 * nodes after which Chrome stops.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_TEXT_ALTERNATIVE_H
#define RUNNER_SNAPSHOT_SEMANTICS_TEXT_ALTERNATIVE_H

#include "runner/snapshot/semantics/naming.h"

/* The sources of a text, in the order in which they are tried until one gives a text. */
enum naming_step {
    STEP_EMBEDDED_CONTROL, /* the value of a control inside another element's name */
    STEP_LABELLED_BY,      /* aria-labelledby */
    STEP_ARIA_LABEL,
    STEP_LABELS,         /* host language label: its <label>s */
    STEP_NAMING_CHILD,   /* host language label: legend, caption, <title> of SVG */
    STEP_HOST_ATTRIBUTE, /* host language label: alt, value of a button and the like */
    STEP_CONTENT,        /* name from content */
    STEP_TOOLTIP,        /* title */
    STEP_PLACEHOLDER,
    STEP_NONE, /* no text */
};

/* All texts are borrowed from the arena, with collapsed whitespace; NULL: none. */

/* Returns the name of an element, and its source. */
const char *snapshot_naming_name(struct snapshot_naming *naming, int node,
                                 enum naming_step *ret_step);

/* Returns the texts of the elements whose ids are in `words`. */
const char *snapshot_naming_references(struct snapshot_naming *naming, int node, const char *words);

/* Returns the content of a node, as visible to `reader`, which may be the node. */
const char *snapshot_naming_content(struct snapshot_naming *naming, int node, int reader);

/*
 * Returns the text that a widget shows as its value: without controls in it and popups that it
 * opens.
 */
const char *snapshot_naming_value(struct snapshot_naming *naming, int node, int reader);

/* Returns an attribute's text. */
const char *snapshot_naming_attribute(struct snapshot_naming *naming, int node,
                                      enum snapshot_attribute_number number);

/* Sets the name, name_from, description and placeholder of a node. */
void snapshot_name_node(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                        int node);

/* Finds the labels of hidden checkboxes, radio buttons and file inputs; requires their names. */
void snapshot_stand_ins_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

/* Returns the value as a person reads it; NULL if there is none or it is private. Borrowed. */
const char *snapshot_value(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node);

#endif
