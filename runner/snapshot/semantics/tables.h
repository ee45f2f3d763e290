/* Tables and their parts. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_TABLES_H
#define RUNNER_SNAPSHOT_SEMANTICS_TABLES_H

#include "runner/snapshot/semantics/facts.h"

/* Returns whether it is a data table, not a layout table. */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table);

/* Returns the role of tr, td, th, thead, tbody or tfoot; requires the roles of its ancestors. */
enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node);

/* Marks the header cells that are headers of their row: FACT_ROW_HEADER. */
void snapshot_table_row(struct snapshot_facts *facts, int row);

#endif
