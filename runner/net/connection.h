/*
 * What connections of both framings have in common: a client's life, what it sends and what waits
 * to be sent to it. Of the loop thread.
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

/* A time that does not come. */
#define CONNECTIONS_NEVER INT64_MAX

/* What a listener counts. */
struct net_counters {
    uint64_t accepted; /* connections, those of requests among them */
    uint64_t refused;  /* for there were too many, or by Host, Origin or token */
    uint64_t messages_in, bytes_in, messages_out, bytes_out;
    uint64_t dropped; /* messages of telemetry */
};

struct connections {
    struct loop *loop;
    const char *name; /* of the listener */
    struct net_limits limits;
    struct net_handler handler;
    const struct gate *gate; /* of HTTP */
    struct net_counters counters;
    struct table table; /* struct connection */
    uint64_t last_id;
    struct loop_timer *timer; /* NULL: nothing is due */
    int64_t timer_at_ms;
    void (*on_empty)(void *data); /* the last one has gone */
    void *data;
};

/* What a framing does with its socket. */
struct connection_ops {
    /* Takes from the queue soon, or closes; when it can. */
    void (*write)(struct connection *connection);
    /* Stops reading or goes on; what has come already is given later, never from here. */
    void (*read)(struct connection *connection, bool is_allowed);
    /* Ends it at once; it may be gone when this returns. */
    void (*kill)(struct connection *connection);
    bool is_pinged;
};

/* Stands first in a struct of the framing's. */
struct connection {
    struct table_item item;
    uint64_t id;
    struct connections *all;
    const struct connection_ops *ops;
    struct queue queue;
    struct strbuf incoming; /* what has come of a message, and for lines behind it */
    struct bucket bucket;
    bool is_open;    /* the handler knows it */
    bool is_closing; /* no more messages in either direction but those that wait */
    bool is_killed;
    bool is_paused;   /* by the handler */
    bool is_too_fast; /* until free_at_ms */
    bool owes_ping;   /* one is to be sent, or was */
    bool is_ping_sent;
    unsigned close_code; /* RFC 6455, 7.4 */
    char close_reason[120];
    int64_t free_at_ms;
    int64_t end_at_ms;    /* of the handshake, or of an answer; CONNECTIONS_NEVER later */
    int64_t active_at_ms; /* the last message in either direction */
    int64_t moved_at_ms;  /* the last byte in either direction */
    int64_t ping_at_ms;   /* the last one, or when the first may be waited for from */
};

void connection_init(struct connection *connection, struct connections *all,
                     const struct connection_ops *ops);

/* Tells the handler that it has gone, if that knew it, and frees all but the struct itself. */
void connection_finish(struct connection *connection);

/* Asks the handler. False: it does not want this one. */
bool connection_open(struct connection *connection, const struct net_peer *peer);

/* A whole message has come, with a NUL behind it, and connection_note_life() was told of its last
 * byte. It may be closing afterwards. */
void connection_take(struct connection *connection, const char *text, size_t length);

/* Whether it is to be read; changes while messages are taken. */
bool connection_is_read(const struct connection *connection);

/* Bytes have come or gone. */
void connection_note_life(struct connection *connection);

/* The answer to a ping has come. */
void connection_note_pong(struct connection *connection);

/* A message was handed to the socket; behind connection_note_life(). */
void connection_note_sent(struct connection *connection, size_t length);

/* Takes the item. */
void connection_send(struct connection *connection, struct queue_item *item);

/* Sends what waits and closes, which a client that does not read cannot put off for ever. */
void connection_close(struct connection *connection, unsigned code, const char *reason);

/* Closes without what waits. */
void connection_fail(struct connection *connection, unsigned code, const char *reason);

void connection_pause(struct connection *connection, bool is_paused);

/* Ends it at once; the struct may be freed when this returns. */
void connection_kill(struct connection *connection);

/* Gives the connection an id and lets it in. */
uint64_t connections_add(struct connections *all, struct table_item *connection);
void connections_remove(struct connections *all, struct table_item *connection);

/* NULL: it has gone. */
struct table_item *connections_find(const struct connections *all, uint64_t id);

/* Calls `check` of all by then, of the monotonic clock. */
void connections_wake(struct connections *all, int64_t at_ms);

/* There are none left. */
void connections_finish(struct connections *all);

#endif
