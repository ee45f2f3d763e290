/*
 * Delivers the events of a listener, in order, as messages in a mailbox. For servers that work on
 * their own thread instead of the loop thread.
 */
#ifndef RUNNER_NET_INBOX_H
#define RUNNER_NET_INBOX_H

#include "runner/loop/mailbox.h"
#include "runner/net/budget.h"

enum net_event_kind {
    NET_OPENED,
    NET_MESSAGE,
    NET_ENDED, /* the client has stopped sending and may still read */
    NET_CLOSED,
};

struct net_inbox;

struct net_event {
    struct message message;
    const struct net_inbox *inbox; /* identifies the listener if several share a mailbox */
    enum net_event_kind kind;
    uint64_t connection;
    char *query;               /* of NET_OPENED */
    struct net_charge *charge; /* of NET_MESSAGE; released with the event unless taken */
    size_t length;             /* of `text` */
    char text[];               /* of NET_MESSAGE; ends with a NUL */
};

struct net_inbox {
    struct mailbox *mailbox;
    const char *path; /* the only path that is accepted; NULL: any */
    /* Like in struct net_handler, called with `data`; NULL: no metrics. */
    void (*on_metrics)(void *data, struct strbuf *text);
    void *data;
    size_t max_bytes; /* of messages that are not processed; see budget.h */
    struct net_budget *budget;
};

/*
 * Listens like net_listen(), with a handler that fills the inbox, which is borrowed until
 * net_inbox_close(). Only on_request of the given handler is used; its data is the inbox. NULL with
 * the error: the inbox needs no close.
 */
struct net_listener *net_inbox_listen(struct net_inbox *inbox, struct loop *loop,
                                      const struct net_listener_options *options,
                                      struct br_error *err);

/* Closes the listener like net_listener_close(); NULL is fine. */
void net_inbox_close(struct net_inbox *inbox, struct net_listener *listener, int timeout_ms);

/* Takes over the event's charge, for a message that is processed later. Caller releases it. */
struct net_charge *net_event_take_charge(struct net_event *event);

#endif
