/* The subcommands: one table of them. */
#ifndef RUNNER_CLI_COMMANDS_H
#define RUNNER_CLI_COMMANDS_H

#include "runner/cli/command.h"

/* Ends with NULL. */
extern const struct command *const commands[];

/* NULL: there is none of this name. */
const struct command *command_find(const char *name);

/* Says so, with the nearest one; returns the exit code. */
int command_unknown(const char *name);

#endif
