/* State of writing a page as Markdown, and what writes fields and tables. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_CONTEXT_H
#define RUNNER_SNAPSHOT_MARKDOWN_CONTEXT_H

#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/markdown/markdown.h"
#include "runner/snapshot/markdown/writer.h"
#include "runner/snapshot/outline/outline.h"

/* Further columns of a table are merged. */
enum { MARKDOWN_MAX_COLUMNS = 100 };

struct markdown_table {
    int node; /* NONE: not in a table, or in a layout table */
    int columns;
    int rows; /* so far */
    int column;
    int spans[MARKDOWN_MAX_COLUMNS]; /* for each column: rows that a cell above still spans */
};

/* State of an enclosing element, to be restored at its end. */
struct markdown_saved {
    size_t length; /* of the text, or of the line prefix */
    int number;
};

struct markdown {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct outline_options *options;
    const struct markdown_options *how;
    struct selector_map *selectors;
    struct markdown_writer writer;
    struct markdown_saved *saved;
    size_t saved_count, saved_capacity;
    int number; /* number of the next list item; 0: not numbered */
    struct markdown_table table;
};

/* Writes "[email: Your address = ann@example.org]" with the annotation. */
void markdown_field(struct markdown *markdown, int node);

/* Data tables; each cell is written on one line. */
void markdown_table_begin(struct markdown *markdown, int node);
void markdown_table_end(struct markdown *markdown);
void markdown_row_begin(struct markdown *markdown, int node);
void markdown_row_end(struct markdown *markdown, int node);
void markdown_cell_begin(struct markdown *markdown);
void markdown_cell_end(struct markdown *markdown, int node);
bool markdown_is_row(const struct markdown *markdown, int node);
bool markdown_is_cell(const struct markdown *markdown, int node);

#endif
