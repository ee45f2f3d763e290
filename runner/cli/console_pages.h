/* The sources of `console` that are pages: ours, a warm session's, those of a browser of others. */
#ifndef RUNNER_CLI_CONSOLE_PAGES_H
#define RUNNER_CLI_CONSOLE_PAGES_H

#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/servers/console_bridge/hub.h"

struct console_pages;

/*
 * Opens the pages of the operands, each in a tab of its own; with --connect and no operand, takes
 * the tabs that the browser has open. Returns when that has begun: what cannot be opened is told on
 * stderr. NULL with the error.
 */
struct console_pages *console_pages_open(const struct cli_options *options, struct console_hub *hub,
                                         struct br_error *err);

/* Looks whether they are still there, and brings back what is not; to be called now and then. */
void console_pages_look(struct console_pages *pages);

/* Readable when none of them is left. */
int console_pages_end_fd(const struct console_pages *pages);

/* Whether none is left: they could not be opened, or were lost for good. */
bool console_pages_are_over(const struct console_pages *pages);

/* NULL is fine. */
void console_pages_close(struct console_pages *pages);

/* Follows a warm session until its end, the interrupt's, or `has_ended`. */
bool console_pages_follow(const char *session, struct console_hub *hub, struct interrupt *interrupt,
                          bool (*has_ended)(void *data), void *data, struct br_error *err);

#endif
