/* What a response has to say, as lines for a person at a terminal. */
#ifndef RUNNER_FORMATS_TERMINAL_LOG_H
#define RUNNER_FORMATS_TERMINAL_LOG_H

#include "runner/base/strbuf.h"

#include <browser_runner/response.h>
#include <stdbool.h>
#include <stdint.h>

struct terminal_log {
    enum br_log_type least; /* what is less severe is left out */
    bool has_colors;        /* the levels are coloured with escape sequences */
};

/*
 * The text as one that may be shown: control characters and marks of direction are written as \n
 * or \u{1b}, broken bytes as U+FFFD, and after TERMINAL_LINE_MAX bytes it is cut. What GitHub would
 * read as a command ("##[", and "::" in front) is broken up in the same way. Caller frees.
 */
enum { TERMINAL_LINE_MAX = 4096 };
char *terminal_harmless(const char *text);

/* The same, with a blank for each control character of ASCII. Caller frees. */
char *terminal_one_line(const char *text);

/* The same, added to a buffer up to its limit; the second one keeps line feeds and tabs. */
void terminal_add_harmless(struct strbuf *line, const char *text);
void terminal_add_harmless_lines(struct strbuf *lines, const char *text);

/* True for what moves the cursor, ends the line, begins an escape sequence or reverses the text. */
bool terminal_is_control(uint32_t character);

/* Adds one line of terminal_log_text(), whatever the entry's level. */
void terminal_log_add(const struct terminal_log *log, const struct br_log *entry,
                      struct strbuf *text);

/*
 * A line "browser:LEVEL [category] message [3 times] (location)" for each log, then, of an action
 * that failed, "browser:error TYPE: CODE: message; hint"; each harmless as above. "" when there is
 * nothing to say. Caller frees.
 */
char *terminal_log_text(const struct terminal_log *log, const struct br_response *response);

#endif
