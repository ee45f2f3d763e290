/* The messages of a driven app that need no visit to the page: hello, results, console calls. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_MESSAGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_MESSAGES_H

#include "runner/privacy/secrets.h"

#include <browser_runner/event.h>
#include <jansson.h>

/* The app's ids in all of its messages. */
struct app_identity {
    const char *session_id, *app_id;
};

/* A message of this type with the common members and the present time. Caller decrefs. */
json_t *app_message(const struct app_identity *identity, const char *type);

/* `page` is the answer of scripts/watch.js to hello. Caller decrefs, as below. */
json_t *app_hello(const struct app_identity *identity, const json_t *page);

json_t *app_capabilities(const struct app_identity *identity, bool has_eval);

/* The command_result of a command; `why` NULL: success. Takes ownership of `result` (NULL: none).
 */
json_t *app_command_result(const struct app_identity *identity, const json_t *command,
                           const struct br_error *why, json_t *result, int64_t duration_ms);

/* The protocol's name for an error code. Static. */
const char *app_error_code(enum br_code code);

/* The message of a console call or an exception; NULL for any other event. */
json_t *app_event_message(const struct app_identity *identity, const struct br_event *event);

/* Masks all secrets in a message, also in URLs. Takes ownership, and returns a new reference. */
json_t *app_masked(const struct secrets *secrets, json_t *message);

/* Masks members with secret names. Takes ownership, and returns a new reference. */
json_t *app_without_secret_names(json_t *value);

#endif
