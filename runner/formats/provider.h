/* Converts responses, and messages of other providers, to messages of a model provider. */
#ifndef RUNNER_FORMATS_PROVIDER_H
#define RUNNER_FORMATS_PROVIDER_H

#include "runner/base/error.h"
#include "runner/formats/tool_call.h"

#include <jansson.h>

/* Fails with INVALID_ACTION, and the nearest name as hint, for an unknown provider. */
bool provider_check(const char *name, struct br_error *err);

/*
 * Returns one user message: the response's JSON without its pictures as text, then the pictures in
 * the provider's format. If the provider accepts none, the response's logs say how many were
 * omitted. "none" returns the response itself. The response comes from the output of `run` with
 * complete pictures (see history.h); it is not changed. The same response always gives the same
 * message. NULL with INVALID_ACTION. Caller decrefs. A message of any provider (see message.h) is
 * converted to one of this provider with the same texts and pictures, and responses in it are
 * treated as above; "none" returns it unchanged.
 */
json_t *provider_message(const char *name, json_t *response, struct br_error *err);

/*
 * Returns how many pictures of a response or message provider_message() omits. If there are any,
 * stores the reason in *ret_why, which was NULL or an earlier reason; caller frees it.
 */
size_t provider_left_out(const char *name, json_t *entry, char **ret_why);

/*
 * Returns the messages that answer a model's tool call with the response: an array, as
 * tool_call_answer() makes it. Otherwise like provider_message().
 */
json_t *provider_answer(const char *name, json_t *response, const struct tool_call *call,
                        struct br_error *err);

/* The same, but only for a response that has a `callId`. */
json_t *provider_call_answer(const char *name, json_t *response, struct br_error *err);

/*
 * Adds the answer to one more call to the answers of the same turn: into the same message if the
 * provider requires one (Anthropic, Gemini); messages with only pictures follow after all answers
 * (OpenAI).
 */
void provider_join_answers(json_t *answers, const json_t *more);

#endif
