#include "runner/net/connections.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"

static bool has_hash(const struct table_item *item, const void *hash)
{
    return item->hash == *(const uint64_t *)hash;
}

uint64_t connections_add(struct connections *all, struct table_item *connection)
{
    all->last_id++;
    all->counters.accepted++;
    table_add(&all->table, connection, table_hash_number(all->last_id));
    return all->last_id;
}

void connections_remove(struct connections *all, struct table_item *connection)
{
    table_remove(&all->table, connection);
    if (all->table.count == 0 && all->on_empty) {
        all->on_empty(all->data);
    }
}

/* No two numbers have the same hash: each step of it can be undone. */
struct table_item *connections_find(const struct connections *all, uint64_t id)
{
    uint64_t hash = table_hash_number(id);
    return table_find(&all->table, hash, has_hash, &hash);
}

static void on_timer(void *data)
{
    struct connections *all = data;
    int64_t now_ms = clock_monotonic_ms();
    int64_t next_ms = CONNECTIONS_NEVER;
    all->timer = NULL;
    struct table_item *next = NULL;
    for (struct table_item *item = table_next(&all->table, NULL); item; item = next) {
        next = table_next(&all->table, item);
        int64_t due_ms = all->check(item, now_ms);
        next_ms = due_ms < next_ms ? due_ms : next_ms;
    }
    if (next_ms != CONNECTIONS_NEVER) {
        connections_wake(all, next_ms);
    }
}

void connections_wake(struct connections *all, int64_t at_ms)
{
    if (all->timer && all->timer_at_ms <= at_ms) {
        return;
    }
    if (all->timer) {
        loop_timer_cancel(all->timer);
    }
    int64_t left_ms = at_ms - clock_monotonic_ms();
    all->timer_at_ms = at_ms;
    all->timer = loop_timer_start(all->loop, left_ms > 1 ? left_ms : 1, on_timer, all);
}

void connections_finish(struct connections *all)
{
    if (all->timer) {
        loop_timer_cancel(TAKE(all->timer));
    }
    table_finish(&all->table);
}
