/* The roles of all nodes of a page: semantics.h asks for them first. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_ROLES_H
#define RUNNER_SNAPSHOT_SEMANTICS_ROLES_H

#include "runner/snapshot/semantics/facts.h"

/* Fills meanings[].role, is_ignored and is_focusable. */
void snapshot_roles_find(struct snapshot_facts *facts);

/* implicit.c: of an element without a role of ARIA; what is above it must have its role. */
enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node);

/* tables.c: whether a table is there for its data, and not to lay out the page. */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table);

/* Of tr, td, th, thead, tbody and tfoot; those around it must have their roles. */
enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node);

/* Finds which header cells of a row are headers of the row: FACT_ROW_HEADER. */
void snapshot_table_row(struct snapshot_facts *facts, int row);

/* Whether its author gave it a name: aria-label, aria-labelledby, title. */
bool snapshot_is_named(const struct snapshot_facts *facts, int node);

/* Whether a drawing is so large that it is content, although nobody says what it shows. */
bool snapshot_is_large_drawing(const struct snapshot_facts *facts, int node);

/* Whether the keyboard or a script can put the focus on it, were it not disabled. */
bool snapshot_takes_focus(const struct snapshot_facts *facts, int node);

#endif
