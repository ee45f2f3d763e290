/*
 * A command that another program has written. It is read strictly, because Chrome answers
 * unreadable text without saying which command it was. It is then written again with the same
 * values, as text or as CBOR, and a new id. No tree is built, so it needs only a few times the
 * memory of its text.
 */
#ifndef RUNNER_CDP_RAW_COMMAND_H
#define RUNNER_CDP_RAW_COMMAND_H

#include "runner/base/error.h"
#include "runner/cdp/message.h"

#include <stddef.h>
#include <stdint.h>

enum {
    /* JSON-RPC error codes, as Chrome uses them. */
    RAW_NO_JSON = -32700,
    RAW_NO_COMMAND = -32600,
};

/* The members that a command may have. */
enum raw_member { RAW_ID, RAW_METHOD, RAW_SESSION_ID, RAW_PARAMS, RAW_MEMBERS };

struct raw_command {
    /* Raw JSON of each member, within the text that was read; length 0: absent. */
    struct cdp_slice values[RAW_MEMBERS];
    bool has_id;
    int32_t id;       /* the writer's id, for the answer */
    char *session_id; /* the session that it names; NULL: none */
    char *bytes;      /* the form that is sent; text has a NUL after its length */
    size_t length;
    size_t id_at; /* offset of the id in bytes */
    bool is_cbor;
    int failure; /* RAW_NO_JSON or RAW_NO_COMMAND if it could not be read */
};

/*
 * Reads a text, which has a NUL after its length. A command without a session is for `session_id`.
 * Returns false with INVALID_ACTION, the mistake and its byte; the id and the session are set if
 * they were found before it. Call raw_command_finish() in either case.
 */
bool raw_command_read(struct raw_command *command, const char *text, size_t length, bool is_cbor,
                      const char *session_id, struct br_error *err);

/*
 * Writes the command again with other params, which are valid JSON. session_id as for
 * raw_command_read().
 */
void raw_command_set_params(struct raw_command *command, struct cdp_slice params,
                            const char *session_id);

/* Sets the id that is sent, from 1 on. */
void raw_command_set_id(struct raw_command *command, int32_t id);

void raw_command_finish(struct raw_command *command);

#endif
