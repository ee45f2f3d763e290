/*
 * Records where a browser's messages go: the commands without a reply, and the attached sessions,
 * each below the session through which it was attached. Belongs to one connection, whose mutex
 * guards it; does no I/O.
 */
#ifndef RUNNER_CDP_ROUTES_H
#define RUNNER_CDP_ROUTES_H

#include "runner/base/table.h"
#include "runner/cdp/message.h"

enum {
    ROUTES_LAST_ID = 0x7FFFFFFF, /* Chrome answers larger ids without an id */
    ROUTES_SESSION_ID = 256,     /* in bytes; sessions with longer ids are ignored */
};

/* A mailbox and what it receives. */
struct routes_reader {
    struct mailbox *mailbox;
    bool hears_browser; /* receives the events of the browser itself */
    bool is_raw;        /* receives all events complete, also those of sessions below its own */
    struct routes_reader *next;
};

struct routes_session {
    struct table_item item;
    char *id;
    struct routes_reader *reader;  /* NULL: no mailbox receives its events */
    struct routes_session *parent; /* NULL: attached through the browser itself */
    bool is_ending;
};

struct routes_call {
    struct table_item item;
    int64_t id;
    struct mailbox *mailbox; /* NULL: the reply is dropped */
    char *session_id;        /* NULL: the browser itself */
};

/* All zero at first. */
struct routes {
    struct table calls, sessions;
    struct routes_reader *readers;
    size_t raw_count; /* number of raw readers */
    int64_t last_id;
};

void routes_finish(struct routes *routes);

/*
 * Adds a command and returns its id, from 1 to ROUTES_LAST_ID and then from 1 again. Skips the ids
 * of commands without a reply.
 */
int64_t routes_add_call(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* Removes the command and returns it; NULL: unknown. Caller destroys. */
struct routes_call *routes_take_call(struct routes *routes, int64_t id);
void routes_call_destroy(struct routes_call *call);

/*
 * Routes the session's events to this mailbox. session_id NULL means the browser itself, whose
 * events go to every reader that asks for them.
 */
void routes_read(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* Like routes_read() for a raw reader, which does not receive the browser's own events. */
void routes_claim(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* Returns the session; NULL: unknown. */
struct routes_session *routes_find(const struct routes *routes, struct cdp_slice session_id);

/* Returns the mailbox of the raw reader of this session, or NULL. */
struct mailbox *routes_raw_mailbox(const struct routes *routes, struct cdp_slice session_id);

/* Records that a session was attached through another; length 0: through the browser itself. */
void routes_attach(struct routes *routes, struct cdp_slice parent_id, struct cdp_slice session_id);

/*
 * Ends a session and those below it. Calls on_call for each of their commands and on_session for
 * each session, before freeing it. The callbacks must not use the routes.
 */
void routes_end(struct routes *routes, struct cdp_slice session_id,
                void (*on_call)(const struct routes_call *call),
                void (*on_session)(const struct routes_session *session));

/* Removes a mailbox: its commands, and its record as a reader. */
void routes_leave(struct routes *routes, struct mailbox *mailbox);

/* Removes all commands, which will not be answered. */
void routes_drop_calls(struct routes *routes);

#endif
