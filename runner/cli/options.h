/* Reading a command line by the tables of options, and printing what they say. */
#ifndef RUNNER_CLI_OPTIONS_H
#define RUNNER_CLI_OPTIONS_H

#include "runner/cli/command.h"

#include <stdio.h>

/*
 * Fills the options from the arguments behind the command's name. False with INVALID_ACTION; or
 * with BR_OK when --help was asked for. Strings are borrowed from args. Caller finishes them.
 */
bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err);

void options_finish(struct cli_options *options);

/* The help of a command; the help of the program. */
void help_print(FILE *file, const struct command *command);
void help_print_all(FILE *file);

/* The manual page browser-runner(1), as roff. */
void help_print_man(FILE *file);

#endif
