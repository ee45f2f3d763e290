#include "runner/snapshot/markdown/context.h"

#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/control.h"

#include <string.h>

static enum snapshot_role role_of(const struct markdown *markdown, int node)
{
    return markdown->semantics->nodes[node].role;
}

bool markdown_is_row(const struct markdown *markdown, int node)
{
    return markdown->tree->nodes[node].tag == TAG_TR || role_of(markdown, node) == ROLE_ROW;
}

static bool is_header(const struct markdown *markdown, int node)
{
    return markdown->tree->nodes[node].tag == TAG_TH ||
           role_of(markdown, node) == ROLE_COLUMNHEADER;
}

bool markdown_is_cell(const struct markdown *markdown, int node)
{
    enum snapshot_tag tag = markdown->tree->nodes[node].tag;
    return tag == TAG_TD || tag == TAG_TH || snapshot_role_is(role_of(markdown, node), IS_CELL);
}

static int span_of(int span)
{
    return span < 1 ? 1 : span > MARKDOWN_MAX_COLUMNS ? MARKDOWN_MAX_COLUMNS : span;
}

/* Returns the number of columns of the widest row. */
static int count_columns(const struct markdown *markdown, int table)
{
    const struct snapshot_tree *tree = markdown->tree;
    int widest = 0;
    int columns = 0;
    int node = snapshot_next(tree, table, table);
    while (node != SNAPSHOT_NONE) {
        if (markdown_is_row(markdown, node)) {
            columns = 0;
        }
        bool is_cell = markdown_is_cell(markdown, node);
        if (is_cell && columns < MARKDOWN_MAX_COLUMNS) {
            columns += span_of(markdown->semantics->nodes[node].column_span);
            widest = columns > widest ? columns : widest;
        }
        node = is_cell ? snapshot_skip(tree, node, table) : snapshot_next(tree, node, table);
    }
    return widest < MARKDOWN_MAX_COLUMNS ? widest : MARKDOWN_MAX_COLUMNS;
}

void markdown_table_begin(struct markdown *markdown, int node)
{
    markdown_block(&markdown->writer, 2);
    markdown->table = (struct markdown_table){ .node = node };
    markdown->table.columns = count_columns(markdown, node);
    if (markdown->table.columns == 0) {
        markdown->table.node = SNAPSHOT_NONE;
    }
}

void markdown_table_end(struct markdown *markdown)
{
    markdown->table.node = SNAPSHOT_NONE;
    markdown_block(&markdown->writer, 2);
}

/* Adds a row that repeats one cell, and ends its line. */
static void add_even_row(struct markdown *markdown, const char *cell)
{
    markdown_block(&markdown->writer, 1);
    for (int i = 0; i < markdown->table.columns; i++) {
        (i == 0 ? markdown_raw : markdown_glue)(&markdown->writer, cell);
    }
    markdown_glue(&markdown->writer, "|");
}

/* Returns whether the row contains the column headers. */
static bool is_header_row(const struct markdown *markdown, int row)
{
    const struct snapshot_tree *tree = markdown->tree;
    int parent = tree->nodes[row].parent;
    if (parent != SNAPSHOT_NONE && tree->nodes[parent].tag == TAG_THEAD) {
        return true;
    }
    bool has_cell = false;
    for (int cell = tree->nodes[row].first_child; cell != SNAPSHOT_NONE;
         cell = tree->nodes[cell].next) {
        if (markdown_is_cell(markdown, cell)) {
            has_cell = true;
            if (!is_header(markdown, cell)) {
                return false;
            }
        }
    }
    return has_cell;
}

void markdown_row_begin(struct markdown *markdown, int node)
{
    struct markdown_table *table = &markdown->table;
    if (table->rows == 0 && !is_header_row(markdown, node)) {
        add_even_row(markdown, "| ");
        add_even_row(markdown, "| --- ");
        table->rows++;
    }
    table->column = 0;
    markdown_block(&markdown->writer, 1);
}

static void add_empty_cell(struct markdown *markdown)
{
    markdown_raw(&markdown->writer, "| ");
    markdown->table.column++;
}

/* Skips columns that cells of earlier rows span. */
static void skip_spans(struct markdown *markdown)
{
    struct markdown_table *table = &markdown->table;
    while (table->column < table->columns && table->spans[table->column] > 0) {
        table->spans[table->column]--;
        add_empty_cell(markdown);
    }
}

void markdown_cell_begin(struct markdown *markdown)
{
    skip_spans(markdown);
    markdown_open(&markdown->writer, "| ");
    markdown->writer.one_line++;
    markdown->writer.cell++;
}

void markdown_cell_end(struct markdown *markdown, int node)
{
    struct markdown_table *table = &markdown->table;
    const struct node_semantics *semantics = &markdown->semantics->nodes[node];
    markdown->writer.one_line--;
    markdown->writer.cell--;
    markdown_block(&markdown->writer, 0);
    markdown_glue(&markdown->writer, markdown->writer.is_fresh ? "" : " ");
    for (int i = 0; i < span_of(semantics->column_span) && table->column < table->columns; i++) {
        table->spans[table->column] = semantics->row_span > 1 ? semantics->row_span - 1 : 0;
        if (i == 0) {
            table->column++;
        } else {
            add_empty_cell(markdown);
        }
    }
}

void markdown_row_end(struct markdown *markdown, int node)
{
    struct markdown_table *table = &markdown->table;
    skip_spans(markdown);
    while (table->column < table->columns) {
        add_empty_cell(markdown);
    }
    if (markdown_control(markdown, node)) {
        markdown_annotate(markdown, node); /* belongs to the last cell */
        markdown_glue(&markdown->writer, " ");
    }
    markdown_glue(&markdown->writer, "|");
    if (table->rows++ == 0) {
        add_even_row(markdown, "| --- ");
    }
}
