/*
 * Values as Chrome serialises them: DeepSerializedValue of the DevTools protocol, to which
 * observe/console_value.h adds `description` and `className` where Chrome says them.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_DEEP_VALUE_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_DEEP_VALUE_H

#include "runner/servers/console_bridge/event.h"

/* The protocol's limits for senders. */
enum {
    DEEP_MAX_DEPTH = 10,        /* of values in values; deeper ones are KIND_MAX_DEPTH */
    DEEP_MAX_MEMBERS = 1000,    /* of a value */
    DEEP_MAX_TEXT = 10 * 1024,  /* bytes of a text, which is cut there */
    DEEP_MAX_VALUES = 5000,     /* of an argument, repetitions included */
    DEEP_MAX_BYTES = 256 * 1024 /* of an argument's texts */
};

/*
 * An argument. An object that stands inside of itself is KIND_CIRCULAR there; one that is there a
 * second time is written again. Caller finishes it.
 */
struct console_value deep_value_read(const json_t *typed);

#endif
