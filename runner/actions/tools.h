/* The actions as tools for models to call. */
#ifndef RUNNER_ACTIONS_TOOLS_H
#define RUNNER_ACTIONS_TOOLS_H

#include "runner/actions/action_type.h"
#include "runner/base/strbuf.h"

#include <jansson.h>
#include <stdbool.h>

/* The provider whose API gets them. */
enum tools_provider { TOOLS_ANTHROPIC, TOOLS_OPENAI, TOOLS_GEMINI };
extern const char *const tools_provider_names[]; /* ends with NULL */

/*
 * Returns the `tools` of a request: one tool per action type, whose arguments are its parameters.
 * Has the common ones with a sentence each; with `is_all`, all types and parameters with their full
 * texts and limits. Omits rules about combinations, which no provider accepts. Caller decrefs.
 */
json_t *tools_make(enum tools_provider provider, bool is_all);

/*
 * Returns the schema of an object with these parameters of a type, a sentence each; names are
 * separated by spaces. Nothing in it is required. Caller decrefs.
 */
json_t *tools_arguments(const struct action_type *type, const char *names);

/*
 * Adds one line with the common actions other than those that only read, and their parameters:
 * "click(element, button?); …".
 */
void tools_forms(struct strbuf *text);

#endif
