/*
 * The messages of a driven app that are made without looking at its page: what they all begin with,
 * hello, results of commands, and what the page said.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_MESSAGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_MESSAGES_H

#include "runner/privacy/secrets.h"

#include <browser_runner/event.h>
#include <jansson.h>

/* Who it is, in all of its messages. */
struct app_identity {
    const char *session_id, *app_id;
};

/* A message of this type with what all have; the present time. Caller decrefs. */
json_t *app_message(const struct app_identity *identity, const char *type);

/* `page` is what scripts/watch.js answers to hello. */
json_t *app_hello(const struct app_identity *identity, const json_t *page);

json_t *app_capabilities(const struct app_identity *identity, bool has_eval);

/* What a command has come to. Takes ownership of `result`, which may be NULL. */
json_t *app_command_result(const struct app_identity *identity, const json_t *command,
                           const struct br_error *why, json_t *result, int64_t duration_ms);

/* The protocol's code for one of ours. Static. */
const char *app_error_code(enum br_code code);

/* The message of a console call or an exception; NULL for any other event. */
json_t *app_event_message(const struct app_identity *identity, const struct br_event *event);

/* The same message with all secrets masked, in URLs as well. Takes ownership, and gives it. */
json_t *app_masked(const struct secrets *secrets, json_t *message);

/* The value without what is secret by the name of its member. Takes ownership, and gives it. */
json_t *app_without_secret_names(json_t *value);

#endif
