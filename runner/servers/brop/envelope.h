/*
 * The messages between a BROP client and its server:
 *   {"id": ANY, "method": "click", "params": {…}}
 *   {"type": "response", "id": ANY, "success": true, "result": {…}}
 *   {"type": "response", "id": ANY, "success": false, "error": "…"}
 */
#ifndef RUNNER_SERVERS_BROP_ENVELOPE_H
#define RUNNER_SERVERS_BROP_ENVELOPE_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdint.h>

/* A command. Finish it in any case. */
struct brop_request {
    json_t *id;         /* owned; NULL: the client sent none */
    const char *method; /* borrowed from root; NULL: the command is invalid */
    json_t *params;     /* owned; always an object */
    json_t *root;       /* owned; NULL: the text is not JSON */
};

/*
 * Reads a command, also in the older form {"id", "command": {"type", "params"}}. False with
 * INVALID_ACTION; the id is set if it could be read.
 */
bool brop_request_read(struct brop_request *request, const char *text, size_t length,
                       struct br_error *err);
void brop_request_finish(struct brop_request *request);

/* Builds a reply. Takes ownership of `result`; borrows `id`, which may be NULL. Caller decrefs. */
json_t *brop_result(json_t *id, json_t *result);

/* Builds the reply to a failed command, with message and hint joined. Caller decrefs. */
json_t *brop_failure(json_t *id, const struct br_error *why);

/*
 * Reads a tab's id: a positive 32-bit number, or a string of its digits. NULL and null give 0.
 * False for anything else.
 */
bool brop_read_tab_id(const json_t *value, int32_t *ret_id);

#endif
