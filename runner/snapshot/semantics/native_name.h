/* What HTML and SVG give names with, beside ARIA. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NATIVE_NAME_H
#define RUNNER_SNAPSHOT_SEMANTICS_NATIVE_NAME_H

#include "runner/snapshot/semantics/facts.h"

/* Names that elements of HTML have by attributes; NULL: none. Borrowed. */
const char *snapshot_native_name(const struct snapshot_facts *facts, int node);

/* Whether its author says that it has no name: alt="", and value="" of a button. */
bool snapshot_has_empty_name(const struct snapshot_facts *facts, int node);

/* The element that an element of HTML is named by: legend, caption, <title> of SVG; NONE. */
int snapshot_naming_child(const struct snapshot_facts *facts, int node);

/* What a field of text shows while it is empty; NULL: nothing. Borrowed. */
const char *snapshot_placeholder(const struct snapshot_facts *facts, int node);

/* <input> of type button, submit or reset. */
bool snapshot_is_text_button(const struct snapshot_facts *facts, int node);

/* What of a control's value others have in their names; NULL: nothing. */
const char *snapshot_value_in_name(const struct snapshot_facts *facts, int node);

/* Whether a node is named by what is in it, or, for others, gives them what is in it. */
bool snapshot_is_named_by_content(const struct snapshot_facts *facts, int node);
bool snapshot_gives_content(const struct snapshot_facts *facts, int node);

#endif
