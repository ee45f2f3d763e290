/* The roles of elements without an ARIA role. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H
#define RUNNER_SNAPSHOT_SEMANTICS_IMPLICIT_ROLE_H

#include "runner/snapshot/semantics/facts.h"

/* Requires the roles of its ancestors. */
enum snapshot_role snapshot_role_implicit(struct snapshot_facts *facts, int node);

/* Returns whether a drawing without a name is large enough to be content. */
bool snapshot_is_large_drawing(const struct snapshot_facts *facts, int node);

/* Returns whether it can be focused by keyboard or script when not disabled. */
bool snapshot_takes_focus(const struct snapshot_facts *facts, int node);

/* Returns whether it can be focused now. */
bool snapshot_is_focusable(const struct snapshot_facts *facts, int node);

/* Returns whether it is a data table, not a layout table. */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table);

/* Returns the role of tr, td, th, thead, tbody or tfoot; requires the roles of its ancestors. */
enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node);

/* Marks the header cells that are headers of their row: FACT_ROW_HEADER. */
void snapshot_table_row(struct snapshot_facts *facts, int row);

#endif
