/*
 * What a relay looks at of a message: the members of its top level, where they stand. What is
 * inside of these is stepped over.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_SCAN_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A value as it stands in the message, a string with its quotes; length 0: it is not there. */
struct bridge_value {
    const char *from;
    size_t length;
};

struct bridge_message {
    struct bridge_value type, request_id, app_id, origin, version;
    size_t close;  /* where its last brace is */
    bool is_empty; /* without a member */
};

/* False: it is no object, or no whole one. */
bool bridge_scan(const char *text, size_t length, struct bridge_message *ret_message);

/* Whether it is this string, which needs no escapes in JSON. */
bool bridge_value_is(struct bridge_value value, const char *text);

/*
 * A string decoded, anything else as it stands: two of them are equal if what they mean is. Caller
 * frees. NULL: it is not there, or cannot be decoded.
 */
char *bridge_value_text(struct bridge_value value);

#endif
