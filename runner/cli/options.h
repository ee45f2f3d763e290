/* Reading a command line by the table of options. */
#ifndef RUNNER_CLI_OPTIONS_H
#define RUNNER_CLI_OPTIONS_H

#include "runner/cli/option.h"

/*
 * Fills the options from the arguments behind the command's name. False with INVALID_ACTION; or
 * with BR_OK when --help was asked for. Strings are borrowed from args. Caller finishes them.
 */
bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err);

void options_finish(struct cli_options *options);

#endif
