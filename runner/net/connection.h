/*
 * What connections of both framings share: their states, timers, limits and outgoing queues, and
 * the connections of a listener by their ids. Used on the loop thread only.
 */
#ifndef RUNNER_NET_CONNECTION_H
#define RUNNER_NET_CONNECTION_H

#include "runner/base/table.h"
#include "runner/loop/loop.h"
#include "runner/net/bucket.h"
#include "runner/net/handler.h"
#include "runner/net/queue.h"

struct connection;
struct gate;

/* A time that never comes. */
#define CONNECTIONS_NEVER INT64_MAX

/* What a listener counts. */
struct net_counters {
    uint64_t accepted; /* connections, also those of single HTTP requests */
    uint64_t refused;  /* by the limit of connections, or by Host, Origin or token */
    uint64_t messages_in, bytes_in, messages_out, bytes_out;
    uint64_t dropped; /* telemetry messages that a slow client did not get */
};

struct connections {
    struct loop *loop;
    const char *name; /* the listener's */
    struct net_limits limits;
    struct net_handler handler;
    const struct gate *gate; /* for HTTP */
    struct net_counters counters;
    struct table table; /* of struct connection */
    uint64_t last_id;
    struct loop_timer *timer; /* one for all connections; NULL: nothing is due */
    int64_t timer_at_ms;
    void (*on_empty)(void *data); /* called after the last connection was removed */
    void *data;
};

/* The part of a connection that depends on its framing. */
struct connection_ops {
    /* Arranges that the queue is written, and then the connection closed if it is closing. */
    void (*write)(struct connection *connection);
    /* Stops or resumes reading. Data that is here already is delivered later, not by this call. */
    void (*read)(struct connection *connection, bool is_allowed);
    /* Ends the connection at once; it may be freed when this returns. */
    void (*kill)(struct connection *connection);
    /* Sends the answer to a request that waits for it; NULL: there are none. */
    void (*answer)(struct connection *connection, const struct net_answer *answer);
    bool is_pinged;
};

/* First member of each framing's own struct. */
struct connection {
    struct table_item item;
    uint64_t id;
    struct connections *all;
    const struct connection_ops *ops;
    struct queue queue;
    struct strbuf incoming; /* received, not delivered yet: a message's beginning, or lines */
    struct bucket bucket;
    bool is_open;    /* the handler has accepted it */
    bool is_closing; /* only queued messages are still sent, and none is delivered */
    bool is_killed;
    bool is_paused;   /* by the handler */
    bool is_too_fast; /* not read until free_at_ms */
    bool owes_ping;   /* a ping is due, or was sent and is not answered */
    bool is_ping_sent;
    int close_ms;        /* how long it may read nothing while it is closing */
    unsigned close_code; /* RFC 6455, 7.4 */
    char close_reason[120];
    int64_t free_at_ms;
    int64_t end_at_ms;    /* deadline of the handshake or of an HTTP answer, else never */
    int64_t active_at_ms; /* the last message in either direction */
    int64_t moved_at_ms;  /* the last byte in either direction */
    int64_t ping_at_ms;   /* the last ping; before the first one, when the connection was opened */
};

/* Gives the connection an id, adds it to `all` and starts the deadline of its handshake. */
void connection_init(struct connection *connection, struct connections *all,
                     const struct connection_ops *ops);

/* Calls on_closed if the handler knows the connection; frees all but the struct itself. */
void connection_finish(struct connection *connection);

/* Asks the handler's on_open. False: it refused. */
bool connection_open(struct connection *connection, const struct net_peer *peer);

/*
 * Delivers a whole message, which has a NUL behind it. The caller has called
 * connection_note_life() for its last byte. The connection may be closing afterwards.
 */
void connection_take(struct connection *connection, const char *text, size_t length);

/* Whether the socket is to be read; may change while a message is delivered. */
bool connection_is_read(const struct connection *connection);

/* Bytes were received or sent. */
void connection_note_life(struct connection *connection);

/* A ping was answered. */
void connection_note_pong(struct connection *connection);

/* A message was written to the socket; call it after connection_note_life(). */
void connection_note_sent(struct connection *connection, size_t length);

/* Queues a message; takes ownership. */
void connection_send(struct connection *connection, struct queue_item *item);

/*
 * Sends what is queued, then closes. A client that reads nothing for 5 s is killed; one whose queue
 * is full, after 10 minutes: the handler's on_closed is called at once, and the client gets code
 * and reason when it reads again.
 */
void connection_close(struct connection *connection, unsigned code, const char *reason);

/* Closes without sending what is queued. */
void connection_fail(struct connection *connection, unsigned code, const char *reason);

void connection_pause(struct connection *connection, bool is_paused);

/* Ends the connection at once; the struct may be freed when this returns. */
void connection_kill(struct connection *connection);

/* NULL: the connection is gone. */
struct connection *connections_find(const struct connections *all, uint64_t id);

/* Has all connections checked at this time of the monotonic clock, or before. */
void connections_wake(struct connections *all, int64_t at_ms);

/* Frees the table, which must be empty. */
void connections_finish(struct connections *all);

#endif
