/* Draws console.table for a terminal. */
#ifndef RUNNER_CONSOLE_TABLE_H
#define RUNNER_CONSOLE_TABLE_H

#include "runner/console/event.h"
#include "runner/console/text.h"

enum {
    TABLE_MAX_COLUMNS = 50,
    TABLE_CELL_WIDTH = 60, /* the widest cell where there is no terminal */
};

/*
 * Draws the first argument as a table, with the columns that the second argument names, at most
 * `width` wide (0: no limit). Adds no line feed at the end. False: the argument has no rows,
 * nothing was added.
 */
bool console_add_table(struct strbuf *text, const struct console_style *style,
                       const struct console_value *args, size_t count, size_t width);

#endif
