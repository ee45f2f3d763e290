/* Responses, and messages of others, as messages of model providers. */
#ifndef RUNNER_FORMATS_PROVIDER_H
#define RUNNER_FORMATS_PROVIDER_H

#include "runner/base/error.h"
#include "runner/formats/tool_call.h"

#include <jansson.h>

/* False with INVALID_ACTION, and the nearest name as hint, for a provider that is not known. */
bool provider_check(const char *name, struct br_error *err);

/*
 * One message of the user with what the provider takes: the response's JSON without its pictures
 * as text, then the pictures in the provider's form. Of one that takes none the response's logs say
 * how many were left out. "none" gives the response itself.
 * The response is one of stdout, its pictures whole (see history.h); it is not changed. The same
 * response always gives the same message. NULL with INVALID_ACTION. Caller decrefs.
 *
 * A message of any provider (see message.h) instead of a response becomes one of this provider with
 * the same texts and pictures, and responses in it are treated as above; of "none" it stays.
 */
json_t *provider_message(const char *name, json_t *response, struct br_error *err);

/*
 * How many pictures of a response or message provider_message() leaves out. If there are any, puts
 * the reason into *ret_why, which was NULL or an earlier one; caller frees it.
 */
size_t provider_left_out(const char *name, json_t *entry, char **ret_why);

/*
 * The messages by which a model of the provider gets the response to its call of a tool: an array,
 * as tool_call_answer() makes it. The rest as above.
 */
json_t *provider_answer(const char *name, json_t *response, const struct tool_call *call,
                        struct br_error *err);

/* The same for a response of stdout that has a `callId`, and only then. */
json_t *provider_call_answer(const char *name, json_t *response, struct br_error *err);

/*
 * Puts the messages that answer one more call to those that answer the others of the turn: into the
 * same message where the provider wants all in one (Anthropic, Gemini), and messages with pictures
 * alone behind all answers (OpenAI).
 */
void provider_join_answers(json_t *answers, const json_t *more);

#endif
