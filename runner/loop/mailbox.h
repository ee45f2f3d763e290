/*
 * A mailbox: a queue of messages from any thread to one thread. The thread that removes a message
 * owns it.
 */
#ifndef RUNNER_LOOP_MAILBOX_H
#define RUNNER_LOOP_MAILBOX_H

#include "runner/base/clock.h"

#include <stddef.h>

/* The first member of a sender's struct, which is allocated with xmalloc() or the like. */
struct message {
    struct message *next;
    void (*destroy)(struct message *message);
    size_t size;       /* in bytes; counts towards the mailbox's limit */
    bool is_droppable; /* may be dropped when the mailbox is full */
    bool goes_first;   /* if droppable: dropped already when the mailbox is half full */
};

struct mailbox;

/* Holds at most max_bytes of droppable messages. Never NULL. */
struct mailbox *mailbox_create(size_t max_bytes);

/* Frees the remaining messages. Accepts NULL. */
void mailbox_destroy(struct mailbox *mailbox);

/* Adds a message and takes ownership. Frees and counts a droppable message above the limit. */
void mailbox_post(struct mailbox *mailbox, struct message *message);

/*
 * Returns the oldest message. Waits for one until the deadline or mailbox_wake(), then returns
 * NULL. Caller destroys the message.
 */
struct message *mailbox_wait(struct mailbox *mailbox, struct deadline deadline);

/* Ends a wait without a message: the current wait, or the next one that finds no message. */
void mailbox_wake(struct mailbox *mailbox);

/*
 * From now on each posted message also makes this eventfd readable, for a receiver that waits for
 * other things as well. -1 stops this. The descriptor remains the caller's.
 */
void mailbox_watch(struct mailbox *mailbox, int fd);

/*
 * From now on each posted message also calls on_post on the thread that posts it, for a receiver
 * that does not wait. on_post must not block or use the mailbox. NULL stops this.
 */
void mailbox_notify(struct mailbox *mailbox, void (*on_post)(void *data), void *data);

/* Returns the number of messages in the mailbox. */
size_t mailbox_count(struct mailbox *mailbox);

/* Returns the number of messages dropped since the last call. */
size_t mailbox_take_dropped(struct mailbox *mailbox);

static inline void message_destroy(struct message *message)
{
    if (message) {
        message->destroy(message);
    }
}

#endif
