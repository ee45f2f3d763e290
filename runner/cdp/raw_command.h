/*
 * A command whose text somebody else has written. It is read strictly, since Chrome answers what it
 * cannot read without saying to whom, and written anew of the same values, as text or as CBOR: only
 * the id is another. No tree is built: what it takes is a few times its text at most.
 */
#ifndef RUNNER_CDP_RAW_COMMAND_H
#define RUNNER_CDP_RAW_COMMAND_H

#include "runner/base/error.h"
#include "runner/cdp/message.h"

#include <stddef.h>
#include <stdint.h>

enum {
    /* Codes of JSON-RPC, as Chrome gives them. */
    RAW_NO_JSON = -32700,
    RAW_NO_COMMAND = -32600,
};

/* The members that a command may have. */
enum raw_member { RAW_ID, RAW_METHOD, RAW_SESSION_ID, RAW_PARAMS, RAW_MEMBERS };

struct raw_command {
    /* The raw JSON of each, within the text that was read; length 0 where there is none. */
    struct cdp_slice values[RAW_MEMBERS];
    bool has_id;
    int32_t id;       /* as its writer has given it: what the answer is to have */
    char *session_id; /* that it names; NULL: none */
    char *bytes;      /* as it is sent; text has a NUL behind its length */
    size_t length;
    size_t id_at; /* where in them the id belongs */
    bool is_cbor;
    int failure; /* RAW_NO_JSON or RAW_NO_COMMAND, when it could not be read */
};

/*
 * Reads a text, which has a NUL behind its length. A command that names no session is for
 * `session_id`. False with INVALID_ACTION, what is wrong and at which byte; the id and the session
 * are there then as far as they were found. To be finished in any case.
 */
bool raw_command_read(struct raw_command *command, const char *text, size_t length, bool is_cbor,
                      const char *session_id, struct br_error *err);

/* Writes it anew with other params, which are valid JSON; session_id as for raw_command_read(). */
void raw_command_set_params(struct raw_command *command, struct cdp_slice params,
                            const char *session_id);

/* The id that it is sent with, from 1 on. */
void raw_command_set_id(struct raw_command *command, int32_t id);

void raw_command_finish(struct raw_command *command);

#endif
