/* Prints the actions and their parameters for people at a terminal. */
#ifndef RUNNER_CLI_HELP_ACTIONS_H
#define RUNNER_CLI_HELP_ACTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Prints a line for each action. */
void help_print_actions(FILE *file);

/* Prints all parameters of an action; returns false if there is no such action. */
bool help_print_action(FILE *file, const char *name);

#endif
