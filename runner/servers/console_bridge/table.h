/* console.table as a terminal can show it. */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_TABLE_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_TABLE_H

#include "runner/servers/console_bridge/event.h"
#include "runner/servers/console_bridge/text.h"

enum {
    TABLE_MAX_COLUMNS = 50,
    TABLE_CELL_WIDTH = 60, /* of a cell where there is no terminal */
};

/*
 * Draws the first argument as a table, with the columns that the second one names, in at most
 * `width` columns of the terminal (0: as wide as it is). Ends without a line feed. False, and
 * nothing is added, where it is nothing that has rows.
 */
bool console_add_table(struct strbuf *text, const struct console_style *style,
                       const struct console_value *args, size_t count, size_t width);

#endif
