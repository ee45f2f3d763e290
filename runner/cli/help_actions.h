/* The actions and their parameters, for people at a terminal. */
#ifndef RUNNER_CLI_HELP_ACTIONS_H
#define RUNNER_CLI_HELP_ACTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* A line for each action. */
void help_print_actions(FILE *file);

/* All that an action takes; false when there is none of this name. */
bool help_print_action(FILE *file, const char *name);

#endif
