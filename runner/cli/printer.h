/*
 * Writes lines to a file that may block, such as a terminal or a pipe, on a thread of its own.
 * Above its limit of memory it drops and counts lines, or, with keeps_all, makes the caller wait.
 */
#ifndef RUNNER_CLI_PRINTER_H
#define RUNNER_CLI_PRINTER_H

#include "runner/base/error.h"

struct printer;

/* Borrows the descriptor. NULL when no thread can be started. */
struct printer *printer_start(int fd, bool keeps_all, struct br_error *err);

/* Adds a copy of a line, without its newline. Any thread; blocks with keeps_all only. */
void printer_add(struct printer *printer, const char *line);

/* Adds text unchanged. Text that is not urgent is dropped first. */
void printer_add_text(struct printer *printer, const char *text, bool is_urgent);

/* Becomes readable when writing has failed; text that is added then is discarded. */
int printer_end_fd(const struct printer *printer);

/* The errno of the failure, ETIMEDOUT if the output is not read; 0: none. */
int printer_failure(const struct printer *printer);

/* From now on, fails when the output is not read for 2 s. */
void printer_hurry(struct printer *printer);

/* Writes what was added, as after printer_hurry(), and ends. NULL is fine. */
void printer_stop(struct printer *printer);

#endif
