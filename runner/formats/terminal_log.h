/* What a response has to say, as lines for a person at a terminal. */
#ifndef RUNNER_FORMATS_TERMINAL_LOG_H
#define RUNNER_FORMATS_TERMINAL_LOG_H

#include <browser_runner/response.h>
#include <stdbool.h>

struct terminal_log {
    enum br_log_type least; /* what is less severe is left out */
    bool has_colors;        /* the levels are coloured with escape sequences */
};

/*
 * The text as one that may be shown: control characters and marks of direction are written as \n
 * or \u{1b}, broken bytes as U+FFFD, and after TERMINAL_LINE_MAX bytes it is cut. Caller frees.
 */
enum { TERMINAL_LINE_MAX = 4096 };
char *terminal_harmless(const char *text);

/*
 * A line "browser:LEVEL [category] message [3 times] (location)" for each log, then, of an action
 * that failed, "browser:error TYPE: CODE: message; hint"; each harmless as above. "" when there is
 * nothing to say. Caller frees.
 */
char *terminal_log_text(const struct terminal_log *log, const struct br_response *response);

#endif
