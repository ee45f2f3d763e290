/* Formats a response's logs as lines for a person at a terminal. */
#ifndef RUNNER_FORMATS_TERMINAL_LOG_H
#define RUNNER_FORMATS_TERMINAL_LOG_H

#include "runner/base/strbuf.h"

#include <browser_runner/response.h>
#include <stdbool.h>
#include <stdint.h>

struct terminal_log {
    enum br_log_type least; /* less severe entries are omitted */
    bool has_colors;        /* the levels are coloured with escape sequences */
};

/*
 * Returns the text in a form that is safe to show: control characters and direction marks become \n
 * or \u{1b}, invalid bytes U+FFFD, and it is cut after TERMINAL_LINE_MAX bytes. Text that GitHub
 * would read as a command ("##[", and a leading "::") is broken up in the same way. Caller frees.
 */
enum { TERMINAL_LINE_MAX = 4096 };
char *terminal_harmless(const char *text);

/* The same, with a blank instead of each ASCII control character. Caller frees. */
char *terminal_one_line(const char *text);

/* The same, added to a buffer up to its limit; the second function keeps line feeds and tabs. */
void terminal_add_harmless(struct strbuf *line, const char *text);
void terminal_add_harmless_lines(struct strbuf *lines, const char *text);

/* Adds one line of terminal_log_text(), whatever the entry's level. */
void terminal_log_add(const struct terminal_log *log, const struct br_log *entry,
                      struct strbuf *text);

/*
 * Adds a line "browser:LEVEL [category] message [3 times] (location)" for each log, then, for a
 * failed action, "browser:error TYPE: CODE: message; hint"; each escaped as above. Returns "" if
 * there is nothing to print. Caller frees.
 */
char *terminal_log_text(const struct terminal_log *log, const struct br_response *response);

#endif
