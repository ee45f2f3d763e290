/* The table of subcommands. */
#ifndef RUNNER_CLI_COMMANDS_H
#define RUNNER_CLI_COMMANDS_H

#include "runner/cli/command.h"

/* NULL-terminated. */
extern const struct command *const commands[];

/* Returns NULL if there is no such command. */
const struct command *command_find(const char *name);

/* Reports an unknown command, with the nearest one; returns the exit code. */
int command_unknown(const char *name);

#endif
