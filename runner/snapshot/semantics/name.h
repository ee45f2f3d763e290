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

#endif
