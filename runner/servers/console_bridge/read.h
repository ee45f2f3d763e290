/*
 * Console events as messages have them. What is meant is read generously: extensions send more
 * types than the protocol has, and values without a type.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_READ_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_READ_H

#include "runner/servers/console_bridge/event.h"

enum {
    CONSOLE_MAX_DEPTH = 20,     /* of values in values; deeper ones are KIND_MAX_DEPTH */
    CONSOLE_MAX_MEMBERS = 1000, /* of a value, and arguments */
    CONSOLE_MAX_VALUES = 50000, /* of an event, all together */
};

/*
 * The event of a message's payload and source (NULL: none). NULL when a member is missing or of
 * another kind; then *ret_field is its name ("payload.method") and *ret_why what is wrong (NULL: it
 * is missing), both static. Caller destroys it.
 */
struct console_event *console_read(const json_t *payload, const json_t *source, int64_t time_ms,
                                   const char **ret_field, const char **ret_why);

/* A number as JavaScript writes it. Caller frees. */
char *console_number_text(double number);

/* An argument as a message has it. Caller finishes it. */
struct console_value console_read_value(const json_t *argument);

#endif
