/* The roles of all nodes of a page: semantics.h asks for them first. */
#ifndef RUNNER_SNAPSHOT_ROLES_H
#define RUNNER_SNAPSHOT_ROLES_H

#include "runner/snapshot/facts.h"

/* Fills meanings[].role, is_ignored and is_focusable. */
void snapshot_roles_find(struct snapshot_facts *facts);

/* implicit.c: of an element without a role of ARIA; what is above it must have its role. */
enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node);

/* tables.c: of tr, td, th, thead, tbody, tfoot; and which header cells of a row are those of rows.
 */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table);
enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node);
void snapshot_table_row(struct snapshot_facts *facts, int row);
bool snapshot_role_is_table(enum snapshot_role role);

/* Whether its author gave it a name: aria-label, aria-labelledby, title. */
bool snapshot_is_named(const struct snapshot_facts *facts, int node);

/* Whether the keyboard or a script can put the focus on it, were it not disabled. */
bool snapshot_takes_focus(const struct snapshot_facts *facts, int node);

/* Whether an element of SVG is more than a shape. */
bool snapshot_is_svg_part(const struct snapshot_facts *facts, int node);

#endif
