/*
 * A message from the browser, which is routed by its top level and parsed only by its reader; and
 * the text of a command to the browser. Source: the DevTools protocol's JSON-RPC form; sessions are
 * flat (`sessionId` beside `id`).
 */
#ifndef RUNNER_CDP_MESSAGE_H
#define RUNNER_CDP_MESSAGE_H

#include "runner/base/error.h"
#include "runner/loop/mailbox.h"

#include <jansson.h>

enum {
    CDP_SESSION_NOT_FOUND = -32001, /* Chrome's code for a command to an unknown session */
    /*
     * Deepest nesting of a command's parameters. Chrome's parser fails beyond this limit, and its
     * answer does not say which command it could not read.
     */
    CDP_MAX_DEPTH = 300,
};

enum cdp_message_kind {
    CDP_REPLY,     /* has an id */
    CDP_EVENT,     /* has a method */
    CDP_CLOSED,    /* the connection has closed; text is the reason */
    CDP_INTERRUPT, /* the current wait and all later ones must end */
    CDP_ENDED,     /* a session of a raw reader has ended; text is its id */
    CDP_ANSWER,    /* for a raw reader, which passes it on unchanged; id is its tag */
    CDP_ROOM,      /* for a raw reader: its command has been written */
};

/* A part of a message's text; length 0: absent. */
struct cdp_slice {
    const char *text;
    size_t length;
};

struct cdp_message {
    struct message link;
    enum cdp_message_kind kind;
    int64_t id; /* id of a reply; -1: reply to a command that Chrome could not parse */
    struct cdp_slice id_text;    /* the id as it is written in the text */
    struct cdp_slice method;     /* method of an event, without quotes */
    struct cdp_slice session_id; /* without quotes */
    struct cdp_slice result;     /* raw JSON value of a reply */
    struct cdp_slice failure;    /* raw JSON of a reply's `error` */
    struct cdp_slice params;     /* raw JSON value of an event */
    char *text;                  /* the slices point into it; belongs to the content */
    size_t length;
    struct cdp_content *content; /* shared by the copies of the message */
};

/*
 * Scans the top level of a message. Takes ownership of text, which has a NUL after its length.
 * Returns NULL, and frees the text, if it is not a JSON object with an id, a method or an error.
 */
struct cdp_message *cdp_message_scan(char *text, size_t length);

/* Creates a message of our own: any kind but the first two. */
struct cdp_message *cdp_message_create(enum cdp_message_kind kind, const char *text);

/* Copies the message for one more mailbox. The copies share the text, which is parsed once. */
struct cdp_message *cdp_message_share(const struct cdp_message *message);

/*
 * Returns the params of an event, parsed at the first call; an empty object if it has none. NULL if
 * they are not JSON. Borrowed from the message. Must not be changed, because other threads read
 * them at the same time.
 */
json_t *cdp_message_params(const struct cdp_message *message);

/*
 * Creates the reply that Chrome does not send for a command of a session that has ended:
 * CDP_SESSION_NOT_FOUND. session_id NULL means the browser itself.
 */
struct cdp_message *cdp_message_create_refusal(int64_t id, const char *session_id);

void cdp_message_destroy(struct cdp_message *message);

/*
 * Returns the result of a reply with a NUL after its length, without copying the text. The message
 * can only be destroyed afterwards. Caller frees.
 */
char *cdp_message_take_result(struct cdp_message *reply, size_t *ret_length);

/*
 * Destroys a message without other copies and returns its text. A reply gets this id instead of its
 * own. The sessionId is removed if it is `hidden`, which may be NULL. Caller frees.
 */
char *cdp_message_take_text(struct cdp_message *message, int32_t id, const char *hidden,
                            size_t *ret_length);

/*
 * Returns the text between the quotes of the string member `key` of an object's raw JSON, without
 * parsing it. Meant for base64, which has no escapes. Length 0: absent.
 */
struct cdp_slice cdp_slice_string(struct cdp_slice object, const char *key);

/*
 * Creates a command. params may be NULL; session_id NULL means the browser itself. Returns NULL
 * with INVALID_ACTION if Chrome could not read it. Caller decrefs.
 */
json_t *cdp_command_create(int64_t id, const char *session_id, const char *method, json_t *params,
                           struct br_error *err);

/* Encodes a command as text or as CBOR. NULL with INVALID_ACTION. Caller frees. */
char *cdp_command_encode(const json_t *command, bool is_cbor, size_t *ret_length,
                         struct br_error *err);

bool cdp_slice_equals(struct cdp_slice slice, const char *text);

static inline void cleanup_cdp_message(struct cdp_message **message)
{
    cdp_message_destroy(*message);
}
#define CLEANUP_CDP_MESSAGE __attribute__((cleanup(cleanup_cdp_message)))

#endif
