/* Prints arguments of console calls as Chrome's own console does. */
#ifndef RUNNER_CONSOLE_VALUES_H
#define RUNNER_CONSOLE_VALUES_H

#include "runner/console/event.h"
#include "runner/console/text.h"

/* Bytes of a text that is an argument itself, and of a text inside another value. */
enum { CONSOLE_TEXT_MAX = 10000, CONSOLE_INNER_TEXT_MAX = 1000 };

/*
 * Adds all arguments with spaces between them: texts unchanged, short values on one line, long ones
 * with a line for each member. A first text with %s, %d, %i, %f, %o, %O or %c is a format of the
 * Console Standard; styles are omitted.
 */
void console_add_args(struct strbuf *text, const struct console_style *style,
                      const struct console_value *args, size_t count);

/* Adds one value on one line; texts in quotes if `is_inner`. */
void console_add_value_line(struct strbuf *text, const struct console_style *style,
                            const struct console_value *value, bool is_inner);

#endif
