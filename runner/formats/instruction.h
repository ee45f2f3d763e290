/* What readers of instructions take and give, whatever the form that they read. */
#ifndef RUNNER_FORMATS_INSTRUCTION_H
#define RUNNER_FORMATS_INSTRUCTION_H

#include "runner/base/action.h"
#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Whatever is larger is refused with BR_LIMIT_EXCEEDED. */
enum {
    INSTRUCTION_MAX_BYTES = 10 * 1024 * 1024, /* of a batch; of an instruction of a stream */
    INSTRUCTION_MAX_COUNT = 10000,            /* of a batch */
    INSTRUCTION_MAX_PARAMETERS = 64,          /* in XML, members of parameters included */
};

/*
 * Takes ownership of an action, as soon as its last byte is read. False, with `err` set, ends the
 * reading. Must not call the reader.
 */
typedef bool instruction_on_action(void *data, struct br_action *action, struct br_error *err);

/*
 * Told of a mistake as soon as it is seen: `why` begins with its place. Takes ownership of the
 * action, which is the instruction as far as it was read, its type empty where there was none. What
 * follows is skipped up to where the next instruction begins. False, with `err` set, ends the
 * reading.
 */
typedef bool instruction_on_mistake(void *data, struct br_action *action,
                                    const struct br_error *why, struct br_error *err);

struct instruction_options {
    bool is_stream;                     /* may go on for ever: the input as a whole has no limits */
    instruction_on_mistake *on_mistake; /* NULL: the first mistake ends the reading */
};

#endif
