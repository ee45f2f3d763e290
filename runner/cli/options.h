/* Reading a command line by the table of options. */
#ifndef RUNNER_CLI_OPTIONS_H
#define RUNNER_CLI_OPTIONS_H

#include "runner/cli/command.h"

/* A row of the table of options. */
struct option {
    const char *name;     /* without its hyphens */
    char letter;          /* of the short form; 0: none */
    const char *argument; /* as in the help; NULL: a switch; "[=…]": it need not be there */
    const char *help;
    int group;
    bool (*set)(struct cli_options *options, const char *value, struct br_error *err);
};

/* The row at an index; NULL behind the last one. */
const struct option *option_at(size_t index);

bool option_is_of(const struct option *option, const struct command *command);

/*
 * Fills the options from the arguments behind the command's name. False with INVALID_ACTION; or
 * with BR_OK when --help was asked for. Strings are borrowed from args. Caller finishes them.
 */
bool options_parse(const struct command *command, int count, char **args,
                   struct cli_options *ret_options, struct br_error *err);

void options_finish(struct cli_options *options);

#endif
