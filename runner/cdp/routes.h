/*
 * Who gets what comes from a browser: the commands that have no reply yet, and the sessions that
 * are attached, each below the one that it was attached through. Pure bookkeeping of one
 * connection, whose mutex guards it.
 */
#ifndef RUNNER_CDP_ROUTES_H
#define RUNNER_CDP_ROUTES_H

#include "runner/base/table.h"
#include "runner/cdp/message.h"

enum {
    ROUTES_LAST_ID = 0x7FFFFFFF, /* Chrome answers larger ones without an id */
    ROUTES_SESSION_ID = 256,     /* bytes; a longer one is nobody's */
};

/* Whoever has a mailbox. */
struct routes_reader {
    struct mailbox *mailbox;
    bool hears_browser; /* events of the browser itself come to it */
    bool is_raw;        /* events come whole, and none is dropped; sessions below its own are its */
    struct routes_reader *next;
};

struct routes_session {
    struct table_item item;
    char *id;
    struct routes_reader *reader;  /* NULL: nobody has asked for its events */
    struct routes_session *parent; /* NULL: attached through the browser itself */
    bool is_ending;
};

struct routes_call {
    struct table_item item;
    int64_t id;
    struct mailbox *mailbox; /* NULL: nobody waits for this reply */
    char *session_id;        /* NULL: the browser itself */
};

/* All zero at first. */
struct routes {
    struct table calls, sessions;
    struct routes_reader *readers;
    size_t raw_count; /* of the readers */
    int64_t last_id;
};

void routes_finish(struct routes *routes);

/*
 * A new command's id, from 1 to ROUTES_LAST_ID and then from 1 again; never one that still waits
 * for its reply.
 */
int64_t routes_add_call(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* Takes the command out, for the caller to destroy; NULL when there is none. */
struct routes_call *routes_take_call(struct routes *routes, int64_t id);
void routes_call_destroy(struct routes_call *call);

/*
 * The session's events go to this mailbox from now on; session_id NULL is the browser itself, whose
 * events go to every reader that asks.
 */
void routes_read(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* The same for a raw reader, to which the browser's own events do not go. */
void routes_claim(struct routes *routes, struct mailbox *mailbox, const char *session_id);

/* NULL for one that is not known. */
struct routes_session *routes_find(const struct routes *routes, struct cdp_slice session_id);

/* The mailbox that the session's events go to as they are, or NULL. */
struct mailbox *routes_raw_mailbox(const struct routes *routes, struct cdp_slice session_id);

/* A session was attached through another; length 0: through the browser itself. */
void routes_attach(struct routes *routes, struct cdp_slice parent_id, struct cdp_slice session_id);

/*
 * A session has ended, and those below it with it. Comes to each of their commands and to each of
 * them before it is freed; the callbacks must not touch the routes.
 */
void routes_end(struct routes *routes, struct cdp_slice session_id,
                void (*on_call)(const struct routes_call *call),
                void (*on_session)(const struct routes_session *session));

/* Forgets a mailbox: its commands, and that it reads. */
void routes_leave(struct routes *routes, struct mailbox *mailbox);

/* Forgets all commands: none will be answered. */
void routes_drop_calls(struct routes *routes);

#endif
