/* Limits and callbacks that all readers of instructions share, whatever their format. */
#ifndef RUNNER_FORMATS_INSTRUCTION_H
#define RUNNER_FORMATS_INSTRUCTION_H

#include "runner/base/action.h"
#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Larger input is refused with BR_LIMIT_EXCEEDED. */
enum {
    INSTRUCTION_MAX_BYTES = 10 * 1024 * 1024, /* of a batch, or of one instruction of a stream */
    INSTRUCTION_MAX_COUNT = 10000,            /* instructions of a batch */
    INSTRUCTION_MAX_PARAMETERS = 64,          /* in XML, including members of parameters */
};

/*
 * Receives an action as soon as its last byte has been read, and takes ownership of it. Returning
 * false, with `err` set, ends the reading. Must not call the reader.
 */
typedef bool instruction_on_action(void *data, struct br_action *action, struct br_error *err);

/*
 * Receives an error in the input as soon as it is detected: `why` begins with its position. Takes
 * ownership of the action, which is the instruction as far as it was read; its type is empty if
 * none was read. The text after it is skipped up to the beginning of the next instruction.
 * Returning false, with `err` set, ends the reading.
 */
typedef bool instruction_on_mistake(void *data, struct br_action *action,
                                    const struct br_error *why, struct br_error *err);

struct instruction_options {
    bool is_stream; /* may continue forever: the input as a whole has no limits */
    instruction_on_mistake *on_mistake; /* NULL: the first error ends the reading */
};

#endif
