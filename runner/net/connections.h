/*
 * All connections of a listener, by their ids, and the one timer that looks after them. Of the loop
 * thread.
 */
#ifndef RUNNER_NET_CONNECTIONS_H
#define RUNNER_NET_CONNECTIONS_H

#include "runner/base/table.h"
#include "runner/loop/loop.h"
#include "runner/net/handler.h"
#include "runner/net/metrics.h"

#include <stdint.h>

/* A time that does not come. */
#define CONNECTIONS_NEVER INT64_MAX

struct gate;

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
    /* Does what is due for the connection, which may end it; returns when something is again. */
    int64_t (*check)(struct table_item *connection, int64_t now_ms);
    void (*on_empty)(void *data); /* the last one has gone */
    void *data;
};

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
