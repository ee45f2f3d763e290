/*
 * What a session was told in confidence, taken out of all that it answers and writes: texts that
 * were typed into private fields, see docs/privacy.md.
 */
#ifndef RUNNER_SESSION_MASKING_H
#define RUNNER_SESSION_MASKING_H

#include "runner/base/response.h"
#include "runner/base/secrets.h"

#include <jansson.h>

void masking_logs(const struct secrets *secrets, struct log_list *logs);

/* All of a response but its logs and its pictures; its result only with `with_result`. */
void masking_response(const struct secrets *secrets, struct br_response *response,
                      bool with_result);

/* The texts of a JSON value as a text, in place, which may be NULL. */
void masking_json(const struct secrets *secrets, char **text);

#endif
