/* The pages that `console` follows: opened ones, a warm session's, and tabs of another browser. */
#ifndef RUNNER_CLI_CONSOLE_PAGES_H
#define RUNNER_CLI_CONSOLE_PAGES_H

#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/servers/console_bridge/hub.h"

struct console_pages;

/*
 * Starts to open the operands' pages, each in a tab of its own; with --connect and no operand,
 * follows the browser's open tabs. Prints pages that cannot be opened on stderr. NULL with the
 * error.
 */
struct console_pages *console_pages_open(const struct cli_options *options, struct console_hub *hub,
                                         struct br_error *err);

/*
 * Checks the pages and restores crashed ones; follows tabs that have been opened since. Call it
 * regularly.
 */
void console_pages_look(struct console_pages *pages);

/* Becomes readable when no page is left. */
int console_pages_end_fd(const struct console_pages *pages);

/* Whether no page is left: each could not be opened, or was lost for good. */
bool console_pages_are_over(const struct console_pages *pages);

/* NULL is fine. */
void console_pages_close(struct console_pages *pages);

/* Follows a warm session until it ends, an interrupt arrives, or `has_ended` returns true. */
bool console_pages_follow(const char *session, struct console_hub *hub, struct interrupt *interrupt,
                          bool (*has_ended)(void *data), void *data, struct br_error *err);

#endif
