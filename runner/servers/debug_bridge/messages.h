/*
 * The messages of debug-bridge, as a relay needs them: where the members of the top level stand in
 * one that it passes on, and the messages that it makes itself.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_MESSAGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_MESSAGES_H

#include "runner/servers/debug_bridge/peers.h"

#include <stdbool.h>
#include <stddef.h>

/* A value as written in the message, a string with its quotes; length 0: missing. */
struct bridge_value {
    const char *from;
    size_t length;
};

struct bridge_message {
    struct bridge_value type, request_id, app_id, origin, version;
    size_t close;  /* offset of its last brace */
    bool is_empty; /* has no member */
};

/* Finds the members of the top level; skips what is inside of their values. False: not an object.
 */
bool bridge_scan(const char *text, size_t length, struct bridge_message *ret_message);

/* Whether the value is this string, which must need no escapes in JSON. */
bool bridge_value_is(struct bridge_value value, const char *text);

/*
 * Returns a string decoded, any other value as written; the results are equal if the values are.
 * NULL: missing, or cannot be decoded. Caller frees.
 */
char *bridge_value_text(struct bridge_value value);

/* A connection_event for a peer that has joined or left its session. Caller frees. */
char *bridge_event_text(const struct peer *peer, bool is_there, size_t *ret_length);

/* A command_result for a command that was not passed on. Caller frees. */
char *bridge_refusal_text(const struct peer *agent, const struct bridge_message *command,
                          const char *code, const char *why, size_t *ret_length);

#endif
