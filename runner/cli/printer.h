/*
 * Lines for a file that may block, such as a terminal or a pipe, written by a thread of its own.
 * What does not fit into its memory is left out, and counted; or waited for, where all is kept.
 */
#ifndef RUNNER_CLI_PRINTER_H
#define RUNNER_CLI_PRINTER_H

#include "runner/base/error.h"

struct printer;

/* The descriptor stays the caller's. NULL when there is no thread to be had. */
struct printer *printer_start(int fd, bool keeps_all, struct br_error *err);

/* Adds a line, without its newline; copied. Any thread; never blocks but where all is kept. */
void printer_add(struct printer *printer, const char *line);

/* Adds text as it stands. What is not urgent is left out first. */
void printer_add_text(struct printer *printer, const char *text, bool is_urgent);

/* Becomes readable when nothing can be written any more; what is added then is left out. */
int printer_end_fd(const struct printer *printer);

/* Why; 0: it can. */
int printer_failure(const struct printer *printer);

/* From now on nobody waits longer than 2 s for somebody to read. */
void printer_hurry(struct printer *printer);

/* Writes what is there and ends, in a hurry. NULL is fine. */
void printer_stop(struct printer *printer);

#endif
