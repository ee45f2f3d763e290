/*
 * Reads console events from messages. Accepts more than the protocol: extensions send further types
 * of values, and values without a type.
 */
#ifndef RUNNER_CONSOLE_READ_H
#define RUNNER_CONSOLE_READ_H

#include "runner/console/event.h"

enum {
    CONSOLE_MAX_DEPTH = 20,     /* of nested values; deeper ones become KIND_MAX_DEPTH */
    CONSOLE_MAX_MEMBERS = 1000, /* of a value; also the maximum of arguments */
    CONSOLE_MAX_VALUES = 50000, /* of an event, in total */
};

/*
 * Reads a message's payload and source (NULL: none). NULL: a member is missing or has the wrong
 * type; *ret_field is its name ("payload.method") and *ret_why the reason (NULL: it is missing),
 * both static. Caller destroys the event.
 */
struct console_event *console_read(const json_t *payload, const json_t *source, int64_t time_ms,
                                   const char **ret_field, const char **ret_why);

/* Formats a number as JavaScript does. Caller frees. */
char *console_number_text(double number);

#endif
