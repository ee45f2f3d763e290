/* Tables and their parts. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_TABLES_H
#define RUNNER_SNAPSHOT_SEMANTICS_TABLES_H

#include "runner/snapshot/semantics/facts.h"

/* Whether a table is there for its data, and not to lay out the page. */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table);

/* Of tr, td, th, thead, tbody and tfoot; those around it must have their roles. */
enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node);

/* Finds which header cells of a row are headers of the row: FACT_ROW_HEADER. */
void snapshot_table_row(struct snapshot_facts *facts, int row);

#endif
