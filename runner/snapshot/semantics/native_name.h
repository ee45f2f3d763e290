/* Names from HTML and SVG, without ARIA. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NATIVE_NAME_H
#define RUNNER_SNAPSHOT_SEMANTICS_NATIVE_NAME_H

#include "runner/snapshot/semantics/facts.h"

/* Returns a name from attributes of HTML; NULL: none. Borrowed. */
const char *snapshot_native_name(const struct snapshot_facts *facts, int node);

/* Returns whether the author states that it has no name: alt="", or value="" on a button. */
bool snapshot_has_empty_name(const struct snapshot_facts *facts, int node);

/* Returns the element that names an element: legend, caption, <title> of SVG; NONE. */
int snapshot_naming_child(const struct snapshot_facts *facts, int node);

/* Returns the text that an empty text field shows; NULL: none. Borrowed. */
const char *snapshot_placeholder(const struct snapshot_facts *facts, int node);

/* <input> of type button, submit or reset. */
bool snapshot_is_text_button(const struct snapshot_facts *facts, int node);

/* Returns the part of a control's value that counts in the name of another element; NULL: none. */
const char *snapshot_value_in_name(const struct snapshot_facts *facts, int node);

/* Return whether a node is named by its content; whether its content counts in other names. */
bool snapshot_is_named_by_content(const struct snapshot_facts *facts, int node);
bool snapshot_gives_content(const struct snapshot_facts *facts, int node);

#endif
