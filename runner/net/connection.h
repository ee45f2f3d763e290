/*
 * Connections of both framings: their states, timers, limits and outgoing queues. Also finds the
 * connections of a listener by their ids. Used on the loop thread only.
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

/* The counters of a listener. */
struct net_counters {
    uint64_t accepted; /* connections, including those of single HTTP requests */
    uint64_t refused;  /* by the limit of connections, or by Host, Origin or token */
    uint64_t messages_in, bytes_in, messages_out, bytes_out;
    uint64_t dropped; /* telemetry messages dropped because the client is slow */
};

struct connections {
    struct loop *loop;
    const char *name; /* name of the listener */
    struct net_limits limits;
    struct net_handler handler;
    const struct gate *gate; /* for HTTP */
    struct net_counters counters;
    struct net_log log;
    int64_t said_at_ms; /* when the last line was written; 0: none yet */
    uint64_t unsaid;    /* refusals without a line since then */
    struct table table; /* contains struct connection */
    uint64_t last_id;
    struct loop_timer *timer; /* one for all connections; NULL: nothing is due */
    int64_t timer_at_ms;
    void (*on_empty)(void *data); /* called after the last connection was removed */
    void *data;
};

/* The functions of a framing. */
struct connection_ops {
    /* Schedules writing of the queue. Afterwards closes the connection if it is closing. */
    void (*write)(struct connection *connection);
    /* Stops or resumes reading. Delivers data that is already received later, not in this call. */
    void (*read)(struct connection *connection, bool is_allowed);
    /* Ends the connection at once; it may be freed when this returns. */
    void (*kill)(struct connection *connection);
    /* Sends the answer to a request that waits for one. NULL: this framing has no requests. */
    void (*answer)(struct connection *connection, const struct net_answer *answer);
    bool is_pinged;
};

/* The first member of each framing's own struct. */
struct connection {
    struct table_item item;
    uint64_t id;
    struct connections *all;
    const struct connection_ops *ops;
    struct queue queue;
    struct strbuf incoming; /* received and not delivered: the beginning of a message, or lines */
    struct bucket bucket;
    bool is_open;    /* the handler has accepted it */
    bool is_closing; /* sends queued messages only, and delivers none */
    bool is_killed;
    bool is_paused;   /* reading is paused by the handler */
    bool is_too_fast; /* reading is paused until free_at_ms */
    bool owes_ping;   /* a ping must be sent, or was sent and not answered */
    bool is_ping_sent;
    int close_ms; /* the connection is killed after so long without a byte while it is closing */
    unsigned close_code; /* RFC 6455, 7.4 */
    char close_reason[120];
    int64_t free_at_ms;
    int64_t end_at_ms; /* deadline of the handshake or of an HTTP answer; CONNECTIONS_NEVER without
                          one */
    int64_t active_at_ms; /* time of the last message in either direction */
    int64_t moved_at_ms;  /* time of the last byte in either direction */
    int64_t ping_at_ms;   /* time of the last ping; before the first ping, of opening */
};

/* Assigns an id, adds the connection to `all` and starts the deadline of the handshake. */
void connection_init(struct connection *connection, struct connections *all,
                     const struct connection_ops *ops);

/* Calls on_closed if the handler has accepted the connection. Frees all but the struct. */
void connection_finish(struct connection *connection);

/* Calls the handler's on_open. Returns false if it refuses. */
bool connection_open(struct connection *connection, const struct net_peer *peer);

/*
 * Delivers a whole message, which is followed by a NUL. Call connection_note_life() before. The
 * connection may be closing afterwards.
 */
void connection_take(struct connection *connection, const char *text, size_t length);

/* Whether the socket should be read. May change while a message is delivered. */
bool connection_is_read(const struct connection *connection);

/* Records that bytes were received or sent. */
void connection_note_life(struct connection *connection);

/* Records that a ping was answered. */
void connection_note_pong(struct connection *connection);

/* Records that a message was written to the socket. Call it after connection_note_life(). */
void connection_note_sent(struct connection *connection, size_t length);

/* Queues a message. Takes ownership. */
void connection_send(struct connection *connection, struct queue_item *item);

/*
 * Sends the queued messages, then closes. Kills a client that reads nothing for 5 s. When the queue
 * is full, connection_send() discards it and closes: on_closed is called at once, and the client
 * has 10 minutes to read code and reason.
 */
void connection_close(struct connection *connection, unsigned code, const char *reason);

/* Closes without sending the queued messages. */
void connection_fail(struct connection *connection, unsigned code, const char *reason);

void connection_pause(struct connection *connection, bool is_paused);

/* Ends the connection at once; the struct may be freed when this returns. */
void connection_kill(struct connection *connection);

/*
 * Makes room for a new connection when all places are taken, by killing the one that has not read
 * code and reason of its 1013 for the longest time. Returns false if there is none.
 */
bool connections_make_room(struct connections *all);

/* Returns NULL if the connection no longer exists. */
struct connection *connections_find(const struct connections *all, uint64_t id);

/* Writes a line about a client that was refused, unless there was one within the last second. */
void connections_say_refused(struct connections *all, const char *address, const char *why);

/* Schedules a check of all connections at this time of the monotonic clock, or earlier. */
void connections_wake(struct connections *all, int64_t at_ms);

/* Frees the table, which must be empty. */
void connections_finish(struct connections *all);

#endif
