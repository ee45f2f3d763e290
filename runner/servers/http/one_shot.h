/*
 * The requests of `serve --http` that run something: a batch, or one action on a page that is
 * opened for it. Reads a request into a batch, and turns the batch's lines into the answer. No
 * sockets and no sessions.
 */
#ifndef RUNNER_SERVERS_HTTP_ONE_SHOT_H
#define RUNNER_SERVERS_HTTP_ONE_SHOT_H

#include "runner/actions/action_type.h"
#include "runner/base/error.h"
#include "runner/net/handler.h"

struct one_shot;

/* A path; its action runs on a page that is opened for it. */
struct one_shot_route {
    const char *path;
    const struct action_type *type; /* NULL: runs a batch */
    const char *text;               /* the member of the result that is the text; NULL: a picture */
    const char *media_type;         /* of bytes that are this member in base64; NULL: a text */
};
extern const struct one_shot_route one_shot_routes[]; /* ends with a path NULL */

/* The parameters of these actions besides those of the action and of start. */
extern const struct param one_shot_params[];

/* The headers of a request that one_shot_create() reads, for struct net_handler. */
extern const char *const one_shot_headers[];

/* Whether something can be run at this path. */
bool one_shot_is_path(const char *path);

/*
 * Copies what is needed of a request for such a path. NULL, with an answer that refuses, for a
 * method, a page or a key that is not allowed.
 */
struct one_shot *one_shot_create(const struct net_request *request, struct net_answer *answer);
void one_shot_destroy(struct one_shot *ask);

/* The Idempotency-Key; NULL: none. Borrowed. */
const char *one_shot_key(const struct one_shot *ask);

/* Whether both ask for the same: path, parameters, body and form of the answer. */
bool one_shot_equals(const struct one_shot *a, const struct one_shot *b);

/* Returns how many bytes it holds. */
size_t one_shot_size(const struct one_shot *ask);

/* Whether the answer is the lines themselves, as they come. */
bool one_shot_is_stream(const struct one_shot *ask);

/*
 * Checks all instructions or parameters, and returns the batch. NULL with INVALID_ACTION, or
 * LIMIT_EXCEEDED. Caller frees.
 */
char *one_shot_batch(const struct one_shot *ask, size_t *ret_length, struct br_error *err);

/*
 * Fills the answer from the lines of the whole batch, which have complete pictures unless it is a
 * stream.
 */
void one_shot_answer(const struct one_shot *ask, const char *lines, size_t length,
                     struct net_answer *answer);

/*
 * Whether the answer is kept for further requests with its key: an action of the batch succeeded,
 * and a picture or a text is not refused with a status from 500 on, which a repetition may mend.
 */
bool one_shot_is_to_keep(const struct one_shot *ask, const char *lines, size_t length);

/*
 * Returns a description of the server in the form of OpenAPI 3.1, made from the tables of actions.
 * Caller decrefs.
 */
json_t *one_shot_openapi(void);

/* Fills an answer with an error; status 0: that of the error's code. */
void one_shot_refuse(const struct br_error *why, int status, struct net_answer *answer);

#endif
