/*
 * Accessible names and descriptions (accname 1.2, HTML-AAM), and the texts of parts of a page.
 * Nothing here recurses: a page may be as deep as it likes. A text ends at NAME_LIMIT bytes, and
 * after as many nodes as Chrome goes through for one.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAME_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAME_H

#include "runner/snapshot/semantics/facts.h"

enum { SNAPSHOT_NAME_LIMIT = 10000 };

struct snapshot_naming;

/* After the roles and values are known. The facts outlive it. */
struct snapshot_naming *snapshot_naming_create(struct snapshot_facts *facts);
void snapshot_naming_destroy(struct snapshot_naming *naming);

/* Fills the meaning's name, name_from, description and placeholder. */
void snapshot_naming_node(struct snapshot_naming *naming, int node);

/* What is in a node, whitespace collapsed, for those who read of `reader`, which may be the node;
 * NULL: nothing. Borrowed from the arena. */
const char *snapshot_naming_content(struct snapshot_naming *naming, int node, int reader);

/* The same, of what a widget shows as its value: without the controls in it and what it opens. */
const char *snapshot_naming_value(struct snapshot_naming *naming, int node, int reader);

/* What an attribute says, whitespace collapsed; NULL: nothing. Borrowed from the arena. */
const char *snapshot_naming_attribute(struct snapshot_naming *naming, int node,
                                      enum snapshot_attribute_number number);

/* native_name.c: names that elements of HTML have by attributes; NULL: none. Borrowed. */
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

/* Whether a title is its name when it has no other. */
bool snapshot_is_named_by_title(enum snapshot_role role);

#endif
