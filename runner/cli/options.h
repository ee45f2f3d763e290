/* Parses a command line by the table of options. */
#ifndef RUNNER_CLI_OPTIONS_H
#define RUNNER_CLI_OPTIONS_H

#include "runner/cli/option.h"

/*
 * Fills the options from the arguments after the command's name. Returns false with INVALID_ACTION;
 * or with BR_OK if --help was given. Strings are borrowed from args. Caller finishes them.
 */
bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err);

void options_finish(struct cli_options *options);

#endif
