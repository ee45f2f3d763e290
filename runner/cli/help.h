/* What the tables of commands and options say: --help and the manual page, from one source. */
#ifndef RUNNER_CLI_HELP_H
#define RUNNER_CLI_HELP_H

#include "runner/cli/options.h"

#include <stdio.h>

/* The help of a command; the help of the program. */
void help_print(FILE *file, const struct command *command);
void help_print_all(FILE *file);

/* The manual page browser-runner(1), as roff. */
void help_print_man(FILE *file);

#endif
