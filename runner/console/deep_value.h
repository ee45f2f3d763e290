/*
 * Reads values in the form of CDP's DeepSerializedValue, with the members that
 * observe/console_typed.h adds.
 */
#ifndef RUNNER_CONSOLE_DEEP_VALUE_H
#define RUNNER_CONSOLE_DEEP_VALUE_H

#include "runner/console/event.h"

/* The protocol's limits for senders. */
enum {
    DEEP_MAX_DEPTH = 10,        /* of nested values; deeper ones become KIND_MAX_DEPTH */
    DEEP_MAX_MEMBERS = 1000,    /* of a value */
    DEEP_MAX_TEXT = 10 * 1024,  /* bytes of a text; longer ones are cut */
    DEEP_MAX_VALUES = 5000,     /* of an argument, with repetitions */
    DEEP_MAX_BYTES = 256 * 1024 /* of all texts of an argument */
};

/*
 * Reads an argument. An object inside itself becomes KIND_CIRCULAR there; any other repeated object
 * is written out again. Caller finishes the value.
 */
struct console_value deep_value_read(const json_t *typed);

#endif
