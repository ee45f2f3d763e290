/* The manual pages, as roff: browser-runner(1), and one for each command. */
#ifndef RUNNER_CLI_HELP_MAN_H
#define RUNNER_CLI_HELP_MAN_H

#include "runner/cli/command.h"

#include <stdio.h>

/* Prints the page of a command; NULL: of the program. */
void help_man_print(FILE *file, const struct command *command);

/* Writes all pages as files of a directory: browser-runner.1, browser-runner-run.1 and so on. */
bool help_man_write(const char *directory, struct br_error *err);

#endif
