/*
 * The way through for clients of others, each of which is a sink: text of DevTools commands in,
 * text of replies and events out. A sink has a session of its own that stands for the browser, as a
 * WebSocket of Chrome's has, so that no client sees another's replies, sessions or events; what a
 * client sends is sent with another id, which the reply gets back. All of it happens on the loop
 * thread and nothing waits there: what the browser does not take at once is written when it does,
 * one command of each sink in turn.
 */
#ifndef RUNNER_CDP_RELAY_H
#define RUNNER_CDP_RELAY_H

#include "runner/cdp/connection.h"

struct cdp_relay;
struct cdp_sink;

struct raw_command;

enum {
    /* Commands of a sink without a reply; it is closed at the next. */
    CDP_SINK_MAX_CALLS = 65536,
};

/* `loop` is the connection's; both outlive the relay. Never NULL. */
struct cdp_relay *cdp_relay_create(struct cdp_connection *connection, struct loop *loop);

/*
 * Waits until the sinks that were destroyed have been detached; all have been. To be sure that it
 * is soon, close the connection before. Any thread but the loop's. NULL is fine.
 */
void cdp_relay_destroy(struct cdp_relay *relay);

/* The rest is for the loop thread. */

enum cdp_sink_end {
    CDP_SINK_FULL, /* it sent faster than the browser takes */
    CDP_SINK_GONE, /* the browser is not there for it any more */
};

/* What becomes of a command. All zero: it is passed on as it is. */
struct cdp_ruling {
    char *params; /* owned, JSON: these in the place of its own; NULL: its own */
    char *result; /* owned, JSON: it is answered so, and not passed on; NULL: it is not */
    int code;     /* of the error that it is answered with; 0: none */
    char message[256];
    char rule[32]; /* the rule by which it is refused; "": none of those that a user gives */
    int tag;       /* of its reply or answer, which goes to on_reply; 0: to on_text */
};

struct cdp_sink_handler {
    /*
     * A reply to a command that was sent, an error of ours in its place, or an event, whole and in
     * order. Takes ownership of text (free), which has a NUL behind its length.
     */
    void (*on_text)(void *data, char *text, size_t length);
    /* Nothing comes any more, and what is sent is dropped. Comes once; the sink is still there. */
    void (*on_closed)(void *data, enum cdp_sink_end end, const char *reason);
    /* The rest may be NULL. */

    /* Decides on a command: *ruling is all zero. */
    void (*on_command)(void *data, const struct raw_command *command, struct cdp_ruling *ruling);
    /* In the place of on_text, for replies and answers with a tag. Takes ownership of text. */
    void (*on_reply)(void *data, int tag, char *text, size_t length);
    /* Before on_text: whether the event is handed on. */
    bool (*on_event)(void *data, const struct cdp_message *event);
    /* A session that was attached through its own has ended; `session_id` is "" for its own. */
    void (*on_ended)(void *data, const char *session_id);
    /* It was crowded, and is not any more. */
    void (*on_room)(void *data);
    /* The last of all, after cdp_sink_destroy() has returned. */
    void (*on_released)(void *data);
    void *data;
};

/* Holds up to max_bytes of what was not yet written. No callback comes before it returns. */
struct cdp_sink *cdp_sink_create(struct cdp_relay *relay, size_t max_bytes,
                                 const struct cdp_sink_handler *handler);

/*
 * Sends a command. Takes ownership of text, which has a NUL behind its length. What is no command
 * is answered so, with the place. False when the sink is closed, or is now since it was full.
 */
bool cdp_sink_send(struct cdp_sink *sink, char *text, size_t length);

/*
 * Sends a command of the owner's own, before those of the client. session_id NULL is the sink's
 * session. Takes ownership of params (an object, or NULL). The reply, also a refusal, goes to
 * on_reply; tag 0 drops it. A closed sink sends nothing and replies nothing: on_closed comes.
 */
void cdp_sink_command(struct cdp_sink *sink, const char *session_id, const char *method,
                      json_t *params, int tag);

/*
 * This session, which was attached through its own, stands in the place of that from now on: for
 * commands without a session, whose replies and events name none.
 */
void cdp_sink_set_front(struct cdp_sink *sink, const char *session_id);

/* Whether events of this session name none for the client. */
bool cdp_sink_is_front(const struct cdp_sink *sink, struct cdp_slice session_id);

/* Whether much of what was sent has not been written: the client should be read later. */
bool cdp_sink_is_crowded(struct cdp_sink *sink);

/*
 * Detaches its session, by which all below end; its replies are dropped. No callback comes any
 * more; it may be called from one. NULL is fine.
 */
void cdp_sink_destroy(struct cdp_sink *sink);

#endif
