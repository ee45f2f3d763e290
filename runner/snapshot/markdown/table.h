/* Data tables; each cell is written on one line. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_TABLE_H
#define RUNNER_SNAPSHOT_MARKDOWN_TABLE_H

#include "runner/snapshot/markdown/context.h"

void markdown_table_begin(struct markdown *markdown, int node);
void markdown_table_end(struct markdown *markdown);
void markdown_row_begin(struct markdown *markdown, int node);
void markdown_row_end(struct markdown *markdown, int node);
void markdown_cell_begin(struct markdown *markdown);
void markdown_cell_end(struct markdown *markdown, int node);
bool markdown_is_row(const struct markdown *markdown, int node);
bool markdown_is_cell(const struct markdown *markdown, int node);

#endif
