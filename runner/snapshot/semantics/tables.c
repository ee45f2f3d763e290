#include "runner/snapshot/semantics/implicit_role.h"

#include <string.h>
#include <strings.h>

enum {
    ROWS_OF_DATA = 20,
    ROWS_ALIKE = 3, /* this many rows with the same number of cells, at least CELLS_ALIKE, make a
                       data table, too */
    CELLS_ALIKE = 3,
    MOST_LOOKED_AT = 50 /* nodes of a cell searched for a nested table */
};

static bool is_table(enum snapshot_role role)
{
    return snapshot_role_is(role, IS_TABLE) || role == ROLE_LAYOUT_TABLE;
}

static bool is_section(enum snapshot_tag tag)
{
    return tag == TAG_TBODY || tag == TAG_THEAD || tag == TAG_TFOOT;
}

static bool is_cell(enum snapshot_tag tag)
{
    return tag == TAG_TD || tag == TAG_TH;
}

/* Returns the table of a section or a row; NONE. */
static int table_of(const struct snapshot_tree *tree, int node)
{
    int above = tree->nodes[node].parent;
    if (above != SNAPSHOT_NONE && is_section(tree->nodes[above].tag)) {
        above = tree->nodes[above].parent;
    }
    return above != SNAPSHOT_NONE && tree->nodes[above].tag == TAG_TABLE ? above : SNAPSHOT_NONE;
}

/* Returns the row after `row`, or the first; NONE at the end. */
static int next_row(const struct snapshot_tree *tree, int table, int row)
{
    const struct snapshot_node *nodes = tree->nodes;
    int at = row == SNAPSHOT_NONE ? nodes[table].first_child : nodes[row].next;
    int around = row == SNAPSHOT_NONE ? table : nodes[row].parent;
    for (;;) {
        if (at == SNAPSHOT_NONE) {
            if (around == table) {
                return SNAPSHOT_NONE;
            }
            at = nodes[around].next;
            around = table;
        } else if (nodes[at].tag == TAG_TR) {
            return at;
        } else if (around == table && is_section(nodes[at].tag)) {
            around = at;
            at = nodes[at].first_child;
        } else {
            at = nodes[at].next;
        }
    }
}

struct cells {
    int count, marked; /* cells with borders or colours of their own */
    bool is_data;
    int in_first_row;
    bool are_alike; /* all rows have the same number of cells, each one column wide, and none
                       contains a table */
};

static bool holds_table(const struct snapshot_tree *tree, int cell)
{
    int left = MOST_LOOKED_AT;
    for (int i = snapshot_next(tree, cell, cell); i != SNAPSHOT_NONE && left-- > 0;
         i = snapshot_next(tree, i, cell)) {
        if (tree->nodes[i].tag == TAG_TABLE) {
            return true;
        }
    }
    return false;
}

static void count_cells(const struct snapshot_facts *facts, int row, struct cells *cells)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int before = cells->count;
    for (int i = nodes[row].first_child; i != SNAPSHOT_NONE; i = nodes[i].next) {
        const struct snapshot_layout *layout = snapshot_layout(facts->tree, i);
        if (!is_cell(nodes[i].tag)) {
            continue;
        }
        cells->count++;
        cells->are_alike =
            cells->are_alike && !snapshot_has(&facts->attributes, i, ATTRIBUTE_COLSPAN) &&
            !snapshot_has(&facts->attributes, i, ATTRIBUTE_ROWSPAN) && !holds_table(facts->tree, i);
        cells->marked += (layout && layout->has_border) ||
                         snapshot_has(&facts->attributes, i, ATTRIBUTE_BGCOLOR);
        cells->is_data = cells->is_data || nodes[i].tag == TAG_TH ||
                         snapshot_is_filled(&facts->attributes, i, ATTRIBUTE_HEADERS) ||
                         snapshot_is_filled(&facts->attributes, i, ATTRIBUTE_ABBR) ||
                         snapshot_is_filled(&facts->attributes, i, ATTRIBUTE_AXIS) ||
                         snapshot_is_filled(&facts->attributes, i, ATTRIBUTE_SCOPE);
    }
    cells->in_first_row = before == 0 ? cells->count : cells->in_first_row;
    cells->are_alike = cells->are_alike && cells->count - before == cells->in_first_row;
}

static bool has_part_of_data(const struct snapshot_facts *facts, int table)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    for (int i = nodes[table].first_child; i != SNAPSHOT_NONE; i = nodes[i].next) {
        enum snapshot_tag tag = nodes[i].tag;
        if (tag == TAG_THEAD || tag == TAG_TFOOT || tag == TAG_CAPTION || tag == TAG_COL ||
            tag == TAG_COLGROUP) {
            return true;
        }
    }
    return false;
}

/*
 * Follows Chrome's heuristic for data tables, except for most borders and the colours of styles,
 * which are too expensive to request. Instead, rows that are alike count as data.
 */
bool snapshot_table_is_data(const struct snapshot_facts *facts, int table)
{
    if (facts->tree->nodes[table].layout == SNAPSHOT_NONE ||
        snapshot_has(&facts->attributes, table, ATTRIBUTE_ROLE) ||
        snapshot_is_filled(&facts->attributes, table, ATTRIBUTE_SUMMARY) ||
        snapshot_is_filled(&facts->attributes, table, ATTRIBUTE_RULES) ||
        snapshot_fact(facts, table, FACT_EDITABLE) || has_part_of_data(facts, table)) {
        return true;
    }
    struct cells cells = { .are_alike = true };
    int rows = 0;
    for (int row = next_row(facts->tree, table, SNAPSHOT_NONE); row != SNAPSHOT_NONE;
         row = next_row(facts->tree, table, row)) {
        count_cells(facts, row, &cells);
        if (++rows >= ROWS_OF_DATA) {
            return true;
        }
    }
    if (cells.count <= 1) {
        return false;
    }
    return (cells.are_alike && rows >= ROWS_ALIKE && cells.in_first_row >= CELLS_ALIKE) ||
           cells.is_data || cells.marked >= cells.count / 2 ||
           snapshot_integer(&facts->attributes, table, ATTRIBUTE_BORDER, 0) > 0;
}

static bool is_filled_data(const struct snapshot_tree *tree, int cell)
{
    return cell != SNAPSHOT_NONE && tree->nodes[cell].tag == TAG_TD &&
           tree->nodes[cell].first_child != SNAPSHOT_NONE;
}

static bool is_header(const struct snapshot_tree *tree, int cell)
{
    return cell != SNAPSHOT_NONE && tree->nodes[cell].tag == TAG_TH;
}

/* The first two and last two cells of a row; NONE. */
struct ends {
    int first, second, before_last, last;
};

static int next_cell(const struct snapshot_tree *tree, int cell)
{
    while (cell != SNAPSHOT_NONE && !is_cell(tree->nodes[cell].tag)) {
        cell = tree->nodes[cell].next;
    }
    return cell;
}

static struct ends ends_of(const struct snapshot_tree *tree, int row)
{
    struct ends ends = { SNAPSHOT_NONE, SNAPSHOT_NONE, SNAPSHOT_NONE, SNAPSHOT_NONE };
    for (int cell = next_cell(tree, tree->nodes[row].first_child); cell != SNAPSHOT_NONE;
         cell = next_cell(tree, tree->nodes[cell].next)) {
        ends.before_last = ends.last;
        ends.last = cell;
        if (ends.first == SNAPSHOT_NONE) {
            ends.first = cell;
        } else if (ends.second == SNAPSHOT_NONE) {
            ends.second = cell;
        }
    }
    return ends;
}

void snapshot_table_row(struct snapshot_facts *facts, int row)
{
    const struct snapshot_tree *tree = facts->tree;
    struct ends ends = ends_of(tree, row);
    bool has_data = is_filled_data(tree, ends.first) || is_filled_data(tree, ends.last) ||
                    is_filled_data(tree, ends.second) || is_filled_data(tree, ends.before_last);
    int before = SNAPSHOT_NONE;
    for (int cell = ends.first; cell != SNAPSHOT_NONE;) {
        int after = next_cell(tree, tree->nodes[cell].next);
        bool is_alone = before == SNAPSHOT_NONE && after == SNAPSHOT_NONE;
        bool is_between = is_header(tree, before) && is_header(tree, after);
        if (!is_alone && !is_between &&
            (has_data || is_filled_data(tree, before) || is_filled_data(tree, after))) {
            facts->flags[cell] |= FACT_ROW_HEADER;
        }
        before = cell;
        cell = after;
    }
}

static enum snapshot_role cell_role(const struct snapshot_facts *facts, int cell)
{
    const struct snapshot_node *nodes = facts->tree->nodes;
    int row = nodes[cell].parent;
    enum snapshot_role row_role = facts->semantics[row].role;
    int table = nodes[row].tag == TAG_TR ? table_of(facts->tree, row) : SNAPSHOT_NONE;
    enum snapshot_role role = table == SNAPSHOT_NONE ? ROLE_UNKNOWN : facts->semantics[table].role;
    if (!is_table(role) || (row_role != ROLE_ROW && row_role != ROLE_LAYOUT_TABLE_ROW)) {
        return ROLE_GENERIC;
    }
    if (role == ROLE_LAYOUT_TABLE) {
        return ROLE_LAYOUT_TABLE_CELL;
    }
    if (nodes[cell].tag == TAG_TD) {
        return role == ROLE_TABLE ? ROLE_CELL : ROLE_GRIDCELL;
    }
    const char *scope = snapshot_get(&facts->attributes, cell, ATTRIBUTE_SCOPE);
    if (scope && strncasecmp(scope, "row", strlen("row")) == 0) {
        return ROLE_ROWHEADER;
    }
    if (scope && strncasecmp(scope, "col", strlen("col")) == 0) {
        return ROLE_COLUMNHEADER;
    }
    return snapshot_fact(facts, cell, FACT_ROW_HEADER) ? ROLE_ROWHEADER : ROLE_COLUMNHEADER;
}

enum snapshot_role snapshot_table_part(const struct snapshot_facts *facts, int node)
{
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    if (is_cell(tag)) {
        return cell_role(facts, node);
    }
    int table = table_of(facts->tree, node);
    enum snapshot_role role = table == SNAPSHOT_NONE ? ROLE_UNKNOWN : facts->semantics[table].role;
    if (!is_table(role) || tag == TAG_TBODY) {
        return ROLE_GENERIC;
    }
    if (tag == TAG_TR) {
        return role == ROLE_LAYOUT_TABLE ? ROLE_LAYOUT_TABLE_ROW : ROLE_ROW;
    }
    return role == ROLE_LAYOUT_TABLE ? ROLE_GENERIC : ROLE_ROWGROUP;
}
