/*
 * Relays other programs' clients to the browser. Each client is a sink: it sends commands as text,
 * and receives replies and events as text. A sink has a session of its own with the browser, as a
 * WebSocket of Chrome's port has, so no client sees another's replies, sessions or events. Commands
 * get ids of ours; replies get the client's id back. Everything runs on the loop thread and never
 * blocks: commands are written when the browser accepts them, one of each sink in turn.
 */
#ifndef RUNNER_CDP_RELAY_H
#define RUNNER_CDP_RELAY_H

#include "runner/cdp/connection.h"

struct cdp_relay;
struct cdp_sink;

struct raw_command;

enum {
    /* Limit of a sink's commands without a reply; one more closes the sink. */
    CDP_SINK_MAX_CALLS = 65536,
};

/* loop is the connection's; both must outlive the relay. Never NULL. */
struct cdp_relay *cdp_relay_create(struct cdp_connection *connection, struct loop *loop);

/*
 * Waits until all sinks are freed; each must be destroyed before. A closed connection shortens the
 * wait. Any thread but the loop's. NULL is fine.
 */
void cdp_relay_destroy(struct cdp_relay *relay);

/* The functions below are for the loop thread. */

enum cdp_sink_end {
    CDP_SINK_FULL, /* over its limit of bytes or of commands without a reply */
    CDP_SINK_GONE, /* detached, or the browser has ended */
};

/* The decision on a command. All zero: forwards it unchanged. */
struct cdp_ruling {
    char *params; /* owned JSON: replaces its params; NULL: keeps them */
    char *result; /* owned JSON: answers with this result; NULL: forwards it */
    int code;     /* answers with an error of this code; 0: no error */
    char message[256];
    char rule[32]; /* the user's rule that refuses it; "": another reason */
    int tag;       /* passes the reply to on_reply; 0: to on_text */
};

struct cdp_sink_handler {
    /*
     * Receives a reply, an error of ours in its place, or an event; whole and in order. Takes
     * ownership of text (free), which has a NUL after its length.
     */
    void (*on_text)(void *data, char *text, size_t length);
    /* Called once. No text follows, and commands are dropped. The sink still exists. */
    void (*on_closed)(void *data, enum cdp_sink_end end, const char *reason);
    /* The callbacks below may be NULL. */

    /* Decides on a command; *ruling is all zero before. */
    void (*on_command)(void *data, const struct raw_command *command, struct cdp_ruling *ruling);
    /* Receives replies with a tag instead of on_text. Takes ownership of text. */
    void (*on_reply)(void *data, int tag, char *text, size_t length);
    /* Called before on_text for an event; false drops it. */
    bool (*on_event)(void *data, const struct cdp_message *event);
    /* A session of the client has ended; session_id is "" for its front session. */
    void (*on_ended)(void *data, const char *session_id);
    /* The sink is no longer crowded. */
    void (*on_room)(void *data);
    /* The last callback, after cdp_sink_destroy() has returned. */
    void (*on_released)(void *data);
    void *data;
};

/* Queues up to max_bytes of commands. Calls no callback before it returns. */
struct cdp_sink *cdp_sink_create(struct cdp_relay *relay, size_t max_bytes,
                                 const struct cdp_sink_handler *handler);

/*
 * Sends a command. Takes ownership of text, which has a NUL after its length. Text that is not a
 * command gets an error with the place of the mistake. False: the sink is closed, perhaps by this
 * call because of its limit.
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
 * Makes a session that was attached through the sink's own the front session: commands without a
 * session go there, and its replies and events have no sessionId. Called once at most.
 */
void cdp_sink_set_front(struct cdp_sink *sink, const char *session_id);

/* Whether the client receives events of this session without a sessionId. */
bool cdp_sink_is_front(const struct cdp_sink *sink, struct cdp_slice session_id);

/* Whether many bytes are queued: the client should not be read before on_room. */
bool cdp_sink_is_crowded(struct cdp_sink *sink);

/*
 * Detaches the sink's session, which ends the sessions attached through it. Only on_released
 * follows. May be called from a callback. NULL is fine.
 */
void cdp_sink_destroy(struct cdp_sink *sink);

#endif
