/*
 * Masks secrets in everything that a session returns, reports and writes: texts that were typed
 * into private fields, and values with secret names. See docs/privacy.md.
 */
#ifndef RUNNER_PRIVACY_MASKING_H
#define RUNNER_PRIVACY_MASKING_H

#include "runner/base/event.h"
#include "runner/base/log.h"
#include "runner/privacy/secrets.h"

#include <browser_runner/response.h>

#include <jansson.h>

void masking_log(const struct secrets *secrets, struct br_log *log);
void masking_logs(const struct secrets *secrets, struct log_list *logs);

/* Masks everything in a response except its logs and pictures; its result only if `with_result`. */
void masking_response(const struct secrets *secrets, struct br_response *response,
                      bool with_result);

/* Masks an event of any kind, including headers and posted data. */
void masking_event(const struct secrets *secrets, struct br_event *event);

/*
 * Returns the value, which may be NULL, or a new one if its texts or keys contain secrets. Caller
 * decrefs.
 */
json_t *masking_json(const struct secrets *secrets, json_t *value);

#endif
