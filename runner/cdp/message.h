/*
 * A message of the browser, routed by its top level alone and parsed by whoever asked for it; and
 * the text of a command to it. Source: the DevTools protocol's JSON-RPC form; sessions are flat
 * (`sessionId` beside `id`).
 */
#ifndef RUNNER_CDP_MESSAGE_H
#define RUNNER_CDP_MESSAGE_H

#include "runner/base/error.h"
#include "runner/loop/mailbox.h"

#include <jansson.h>

enum {
    CDP_SESSION_NOT_FOUND = -32001, /* Chrome's code for a command to a session that is not there */
    /* How deep the parameters of a command may be nested: Chrome's parser gives up beyond, and its
     * answer does not say which command it could not read. */
    CDP_MAX_DEPTH = 300,
};

enum cdp_message_kind {
    CDP_REPLY,     /* has an id */
    CDP_EVENT,     /* has a method */
    CDP_CLOSED,    /* the connection is gone; text is the reason */
    CDP_INTERRUPT, /* the wait that goes on, and every later one, is to end */
    CDP_ENDED,     /* a session of a raw reader has ended; text is its id */
    CDP_ANSWER,    /* for a raw reader, to be handed on as it is; id is its tag */
    CDP_ROOM,      /* for a raw reader: what it sent has been written */
};

/* A piece of a message's text; length 0 when it is not there. */
struct cdp_slice {
    const char *text;
    size_t length;
};

struct cdp_message {
    struct message link;
    enum cdp_message_kind kind;
    int64_t id;                  /* of a reply; -1: to a command that could not be parsed */
    struct cdp_slice id_text;    /* as it stands there */
    struct cdp_slice method;     /* of an event; without quotes */
    struct cdp_slice session_id; /* without quotes */
    struct cdp_slice result;     /* of a reply: the raw JSON value */
    struct cdp_slice failure;    /* of a reply: the raw JSON of `error` */
    struct cdp_slice params;     /* of an event: the raw JSON value */
    char *text;                  /* what the slices point into; of the content */
    size_t length;
    struct cdp_content *content; /* shared with its other copies */
};

/*
 * Scans the top level of a message. Takes ownership of text, which has a NUL behind its length.
 * NULL for what is no JSON object with an id, a method or an error; the text is freed then.
 */
struct cdp_message *cdp_message_scan(char *text, size_t length);

/* One that no browser sent: any kind but the first two. */
struct cdp_message *cdp_message_create(enum cdp_message_kind kind, const char *text);

/* The same message for one more mailbox: both have the same text, and are parsed once. */
struct cdp_message *cdp_message_share(const struct cdp_message *message);

/*
 * The params of an event, parsed when first asked for; an empty object without. NULL for what is no
 * JSON. Borrowed from the message, and read by others at the same time: not to be changed.
 */
json_t *cdp_message_params(const struct cdp_message *message);

/*
 * The reply that Chrome owes to a command of a session that has ended: CDP_SESSION_NOT_FOUND.
 * session_id NULL is the browser itself.
 */
struct cdp_message *cdp_message_create_refusal(int64_t id, const char *session_id);

void cdp_message_destroy(struct cdp_message *message);

/*
 * The result of a reply, from its beginning on and with a NUL behind it, without a copy: the
 * message is of no more use. Caller frees.
 */
char *cdp_message_take_result(struct cdp_message *reply, size_t *ret_length);

/*
 * Ends a message that has no other copies and hands over its text, of which a reply gets this id,
 * and one that is of the session `hidden` is of none. Caller frees.
 */
char *cdp_message_take_text(struct cdp_message *message, int32_t id, const char *hidden,
                            size_t *ret_length);

/*
 * The text between the quotes of the string member `key` of an object's raw JSON, found without
 * parsing it; meant for base64, which has no escapes. Length 0 when it is not there.
 */
struct cdp_slice cdp_slice_string(struct cdp_slice object, const char *key);

/*
 * A command, caller decrefs; params may be NULL, and so may session_id, for the browser itself.
 * NULL with INVALID_ACTION for what Chrome could not read.
 */
json_t *cdp_command_create(int64_t id, const char *session_id, const char *method, json_t *params,
                           struct br_error *err);

/* It as it is sent: as text, or as CBOR. NULL with INVALID_ACTION. Caller frees. */
char *cdp_command_encode(const json_t *command, bool is_cbor, size_t *ret_length,
                         struct br_error *err);

bool cdp_slice_equals(struct cdp_slice slice, const char *text);

static inline void cleanup_cdp_message(struct cdp_message **message)
{
    cdp_message_destroy(*message);
}
#define CLEANUP_CDP_MESSAGE __attribute__((cleanup(cleanup_cdp_message)))

#endif
