/* What the tables of commands and options say: --help and the manual page, from one source. */
#ifndef RUNNER_CLI_HELP_H
#define RUNNER_CLI_HELP_H

#include "runner/cli/option.h"
#include "runner/cli/options.h"

#include <stdio.h>

/* The help of a command; the help of the program. */
void help_print(FILE *file, const struct command *command);
void help_print_all(FILE *file);

/* Text that begins at `column`, broken between words; further lines are indented. */
void help_print_wrapped(FILE *file, const char *text, size_t column, size_t indent);

/* A line of a list: its name, and behind it what it means. */
void help_print_entry(FILE *file, const char *name, const char *text);

/* What is between an option and its argument: nothing where that need not be there. Static. */
const char *help_argument_gap(const struct option *option);

/* Codes and what they mean; NULL ends the table. */
extern const char *const help_exit_codes[][2];

#endif
