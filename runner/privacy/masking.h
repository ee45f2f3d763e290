/*
 * What nobody is to read, taken out of all that a session answers, tells and writes: texts that
 * were typed into private fields, and what is secret by its name. See docs/privacy.md.
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

/* All of a response but its logs and its pictures; its result only with `with_result`. */
void masking_response(const struct secrets *secrets, struct br_response *response,
                      bool with_result);

/* An event of any kind, headers and what was posted included. */
void masking_event(const struct secrets *secrets, struct br_event *event);

/* The value, which may be NULL, or a new one where texts or keys of it are secret. Caller decrefs.
 */
json_t *masking_json(const struct secrets *secrets, json_t *value);

#endif
