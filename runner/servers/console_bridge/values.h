/* Arguments of console calls as texts, in the words of Chrome's own console. */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_VALUES_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_VALUES_H

#include "runner/servers/console_bridge/event.h"
#include "runner/servers/console_bridge/text.h"

/* In bytes: of a text that is an argument itself, and of one inside of another value. */
enum { CONSOLE_TEXT_MAX = 10000, CONSOLE_INNER_TEXT_MAX = 1000 };

/*
 * All arguments, a blank between two: texts as they are, the rest so that what is short stands in a
 * line, and what is long has a line for each member. A first text with %s, %d, %i, %f, %o, %O, %c
 * is a format, as the console standard has it; styles are left out.
 */
void console_add_args(struct strbuf *text, const struct console_style *style,
                      const struct console_value *args, size_t count);

/* One value in one line; texts in quotes if `is_inner`. */
void console_add_value_line(struct strbuf *text, const struct console_style *style,
                            const struct console_value *value, bool is_inner);

#endif
