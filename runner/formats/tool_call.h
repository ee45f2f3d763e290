/*
 * Calls of tools, as models of each provider make them. The tools are the actions: the name is the
 * action's type, the arguments are its parameters.
 *
 *     Anthropic          {"type": "tool_use", "id", "name", "input": {…}}
 *     OpenAI, chat       {"type": "function", "id", "function": {"name", "arguments": "{…}"}}
 *     OpenAI, responses  {"type": "function_call", "call_id", "name", "arguments": "{…}"}
 *     Gemini             {"functionCall": {"name", "args": {…}, "id"}}
 */
#ifndef RUNNER_FORMATS_TOOL_CALL_H
#define RUNNER_FORMATS_TOOL_CALL_H

#include "runner/base/action.h"
#include "runner/base/error.h"
#include "runner/formats/message.h"

#include <stdbool.h>

/* Returns which kind of call the object is; CALL_NONE if it is none. */
enum action_call tool_call_kind(const json_t *object);

/*
 * Sets the action's type, parameters and call id; the id also if the rest is invalid, which fails
 * with INVALID_ACTION.
 */
bool tool_call_read(const json_t *object, struct br_action *action, struct br_error *err);

/* The call that is answered. All borrowed. */
struct tool_call {
    enum action_call kind;
    const char *id, *name; /* id is NULL if the call has none */
    bool has_failed;
};

/*
 * Returns the messages that answer a model's call, made from the message without a call, which is
 * in `form`. An array of one; or of two if the format does not accept pictures in an answer to a
 * call: then the second has them. Caller decrefs.
 */
json_t *tool_call_answer(const struct tool_call *call, enum message_form form,
                         const json_t *message);

#endif
