/* The actions as tools that a model may call. */
#ifndef RUNNER_ACTIONS_TOOLS_H
#define RUNNER_ACTIONS_TOOLS_H

#include <jansson.h>
#include <stdbool.h>

/* Whose API takes them. */
enum tools_provider { TOOLS_ANTHROPIC, TOOLS_OPENAI, TOOLS_GEMINI };
extern const char *const tools_provider_names[]; /* ends with NULL */

/*
 * The `tools` of a request: a tool for each type of action, whose arguments are its parameters.
 * Only what is usual, in a sentence each; all types and parameters, in all words and with their
 * limits, with `is_all`. What goes together is not said: no provider takes that. Caller decrefs.
 */
json_t *tools_make(enum tools_provider provider, bool is_all);

#endif
