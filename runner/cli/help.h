/* Prints --help and the manual page from the tables of commands and options. */
#ifndef RUNNER_CLI_HELP_H
#define RUNNER_CLI_HELP_H

#include "runner/cli/option.h"
#include "runner/cli/options.h"

#include <stdio.h>

/* Prints the help of a command, or of the program. */
void help_print(FILE *file, const struct command *command);
void help_print_all(FILE *file);

/* Prints text from `column` on, broken between words; further lines are indented. */
void help_print_wrapped(FILE *file, const char *text, size_t column, size_t indent);

/* Prints a line of a list: a name and its description. */
void help_print_entry(FILE *file, const char *name, const char *text);

/*
 * Returns what separates an option from its argument: nothing if the argument is optional. Static.
 */
const char *help_argument_gap(const struct option *option);

/* Exit codes and their meanings; NULL ends the table. */
extern const char *const help_exit_codes[][2];

#endif
