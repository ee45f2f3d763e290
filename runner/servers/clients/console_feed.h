/*
 * What the pages of a session say to the console, for the sender (console_sender.h). A feed
 * receives events on the session's thread and posts them to the sender's mailbox. On the sender's
 * thread it keeps calls until the title of their document is known, and returns them in their
 * order.
 */
#ifndef RUNNER_SERVERS_CLIENTS_CONSOLE_FEED_H
#define RUNNER_SERVERS_CLIENTS_CONSOLE_FEED_H

#include "runner/console/event.h"
#include "runner/loop/mailbox.h"
#include "runner/sessions/worker.h"

#include <browser_runner/session.h>
#include <stdatomic.h>

enum {
    SENDER_RATE = 200, /* messages a second of a page; twice as many warnings and errors */
};

struct console_feed;

/* The first member of all messages in the sender's mailbox. */
struct console_post {
    struct message message;
    struct console_feed *feed; /* NULL: it is no feed's */
};

/* What all feeds of a sender share. */
struct console_feed_place {
    struct mailbox *mailbox;
    atomic_size_t *dropped; /* calls that were dropped */
    atomic_uint *last_tab;  /* see console_page_init() */
};

/* worker: that of the session; NULL: it has none. The place is borrowed. */
struct console_feed *console_feed_create(const struct console_feed_place *place,
                                         struct br_session *session, struct worker *worker);
void console_feed_destroy(struct console_feed *feed);

/* Receives the session's events from now on. On the session's thread. */
bool console_feed_subscribe(struct console_feed *feed, struct br_error *err);

/* Sets the browser ("Chrome/156.0") and the page's URL and title; each may be NULL. Any thread. */
void console_feed_note(struct console_feed *feed, const char *browser, const char *url,
                       const char *title);

/* On the sender's thread: */

/*
 * Takes ownership of a post of this feed; console_feed_next() then returns what has become ready.
 * Returns the browser's name if the post has it; caller frees. Otherwise NULL.
 */
char *console_feed_take(struct console_feed *feed, struct console_post *post);

/* What an event means for the server; the caller frees all three. */
struct console_saying {
    char *status;                /* a connection_status; NULL: none */
    struct console_event *timer; /* the time() before a timeEnd(); NULL: none */
    struct console_event *call;  /* NULL: none */
    int times;                   /* how often the call was made */
};

/* Returns the next event that is ready; is_all: also those that wait for a title. */
bool console_feed_next(struct console_feed *feed, bool is_all, struct console_saying *ret_saying);

/* Whether events wait for a title, which the session is then asked for. */
bool console_feed_awaits(struct console_feed *feed);

#endif
