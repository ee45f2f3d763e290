/*
 * Delivers the events of a listener, in order, as messages in a mailbox. For servers that work on
 * their own thread instead of the loop thread.
 */
#ifndef RUNNER_NET_INBOX_H
#define RUNNER_NET_INBOX_H

#include "runner/loop/mailbox.h"
#include "runner/net/server.h"

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
    char *query;   /* of NET_OPENED */
    size_t length; /* of `text` */
    char text[];   /* of NET_MESSAGE; ends with a NUL */
};

struct net_inbox {
    struct mailbox *mailbox;
    const char *path; /* the only path that is accepted; NULL: any */
    /* Like in struct net_handler, called with `data`; NULL: no metrics. */
    void (*on_metrics)(void *data, struct strbuf *text);
    void *data;
};

/* Returns a handler that fills the inbox. The inbox is borrowed and must outlive the listener. */
struct net_handler net_inbox_handler(struct net_inbox *inbox);

#endif
