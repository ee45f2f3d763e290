/*
 * A mailbox: a queue of messages from any thread to one. Whoever takes a message out owns it.
 */
#ifndef RUNNER_LOOP_MAILBOX_H
#define RUNNER_LOOP_MAILBOX_H

#include "runner/base/clock.h"

#include <stddef.h>

/* Stands first in a struct of the sender's, allocated with xmalloc or its like. */
struct message {
    struct message *next;
    void (*destroy)(struct message *message);
    size_t size;       /* bytes that it holds, for the mailbox's cap */
    bool is_droppable; /* may be thrown away when nobody empties a full mailbox */
    bool goes_first;   /* and already when it is half full */
};

struct mailbox;

/* Holds at most max_bytes of droppable messages. Never NULL. */
struct mailbox *mailbox_create(size_t max_bytes);

/* Frees the messages that are left. NULL is fine. */
void mailbox_destroy(struct mailbox *mailbox);

/* Puts a message in, takes ownership; a droppable one over its cap is freed and counted. */
void mailbox_post(struct mailbox *mailbox, struct message *message);

/* The oldest message, waited for until the deadline or mailbox_wake(); NULL when none came. Caller
 * destroys it. */
struct message *mailbox_wait(struct mailbox *mailbox, struct deadline deadline);

/* Ends a wait without a message: the one that goes on, or the next one that finds none. */
void mailbox_wake(struct mailbox *mailbox);

/*
 * From now on each message that comes also makes this eventfd readable; -1: none does. For whoever
 * waits for other things as well. The descriptor stays the caller's.
 */
void mailbox_watch(struct mailbox *mailbox, int fd);

/*
 * The same for whoever waits nowhere: on_post is called for each message that comes, on the thread
 * that posts it, and neither blocks nor uses the mailbox. NULL: none is.
 */
void mailbox_notify(struct mailbox *mailbox, void (*on_post)(void *data), void *data);

/* How many are waiting. */
size_t mailbox_count(struct mailbox *mailbox);

/* How many were dropped since the last call. */
size_t mailbox_take_dropped(struct mailbox *mailbox);

static inline void message_destroy(struct message *message)
{
    if (message) {
        message->destroy(message);
    }
}

#endif
