/*
 * What happens on a listener's connections as messages in a mailbox, in order: for servers that
 * work on a thread of their own instead of the loop's.
 */
#ifndef RUNNER_NET_INBOX_H
#define RUNNER_NET_INBOX_H

#include "runner/loop/mailbox.h"
#include "runner/net/server.h"

enum net_event_kind {
    NET_OPENED,
    NET_MESSAGE,
    NET_ENDED, /* the client sends no more, and may still read */
    NET_CLOSED,
};

struct net_event {
    struct message message;
    enum net_event_kind kind;
    uint64_t connection;
    char *query;   /* of NET_OPENED */
    size_t length; /* of the text of NET_MESSAGE, which is `text`, a NUL behind it */
    char text[];
};

struct net_inbox {
    struct mailbox *mailbox;
    const char *path; /* the only one that is let in; NULL: any */
    /* As of the handler, with `data`; NULL: there are none. */
    void (*on_metrics)(void *data, struct strbuf *text);
    void *data;
};

/* Handlers that fill the inbox, which is borrowed and outlives the listener. */
struct net_handler net_inbox_handler(struct net_inbox *inbox);

#endif
