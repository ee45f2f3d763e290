#include "runner/net/connection.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum {
    /* Time in which a closing client must read something before it is killed. */
    CLOSE_MS = 5000,
    /*
     * The same for a client that is closed because it reads too slowly: it gets code and reason
     * when it reads again.
     */
    SLOW_CLOSE_MS = 600000,
    SAY_EVERY_MS = 1000, /* between two lines about refused clients */
    /* A read may return this many bytes after a message of the maximum length. */
    READ_SLACK = 128 * 1024,
};

void connection_init(struct connection *connection, struct connections *all,
                     const struct connection_ops *ops)
{
    int64_t now_ms = clock_monotonic_ms();
    connection->all = all;
    connection->ops = ops;
    connection->queue.max = all->limits.max_queue;
    connection->incoming = (struct strbuf)STRBUF_INIT(all->limits.max_message + READ_SLACK);
    connection->end_at_ms =
        all->limits.handshake_ms > 0 ? now_ms + all->limits.handshake_ms : CONNECTIONS_NEVER;
    connection->moved_at_ms = now_ms;
    connection->id = ++all->last_id;
    all->counters.accepted++;
    table_add(&all->table, &connection->item, table_hash_number(connection->id));
    if (connection->end_at_ms != CONNECTIONS_NEVER) {
        connections_wake(all, connection->end_at_ms);
    }
}

void connection_finish(struct connection *connection)
{
    struct connections *all = connection->all;
    if (connection->is_open && all->handler.on_closed) {
        all->handler.on_closed(all->handler.data, connection->id);
    }
    queue_clear(&connection->queue);
    strbuf_finish(&connection->incoming);
    table_remove(&all->table, &connection->item);
    if (all->table.count == 0 && all->on_empty) {
        all->on_empty(all->data);
    }
}

static int64_t after(int64_t from_ms, int ms)
{
    return ms > 0 ? from_ms + ms : CONNECTIONS_NEVER;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool connection_open(struct connection *connection, const struct net_peer *peer)
{
    struct connections *all = connection->all;
    const struct net_limits *limits = &all->limits;
    int64_t now_ms = clock_monotonic_ms();
    connection->end_at_ms = CONNECTIONS_NEVER;
    connection->active_at_ms = now_ms;
    connection->ping_at_ms = now_ms;
    /* Set before the call, because on_open may send. */
    connection->is_open = true;
    connection->is_open =
        all->handler.on_message &&
        (!all->handler.on_open || all->handler.on_open(all->handler.data, connection->id, peer));
    int64_t due_ms =
        earlier(after(now_ms, limits->idle_ms),
                connection->ops->is_pinged ? after(now_ms, limits->ping_ms) : CONNECTIONS_NEVER);
    if (connection->is_open && due_ms != CONNECTIONS_NEVER) {
        connections_wake(all, due_ms);
    }
    return connection->is_open;
}

bool connection_is_read(const struct connection *connection)
{
    return !connection->is_paused && !connection->is_too_fast && !connection->is_closing &&
           !connection->is_killed;
}

static void slow_down(struct connection *connection)
{
    struct connections *all = connection->all;
    int64_t now_ms = connection->active_at_ms;
    int64_t wait_ms = bucket_take(&connection->bucket, all->limits.rate, all->limits.burst, now_ms);
    if (wait_ms > 0) {
        connection->is_too_fast = true;
        connection->free_at_ms = now_ms + wait_ms;
        connection->ops->read(connection, false);
        connections_wake(all, connection->free_at_ms);
    }
}

void connection_take(struct connection *connection, const char *text, size_t length)
{
    struct connections *all = connection->all;
    if (connection->is_closing || connection->is_killed) {
        return;
    }
    if (!utf8_is_valid(text, length)) {
        connection_close(connection, 1007, "the message is not UTF-8");
        return;
    }
    all->counters.messages_in++;
    all->counters.bytes_in += length;
    connection->active_at_ms = connection->moved_at_ms;
    slow_down(connection);
    all->handler.on_message(all->handler.data, connection->id, text, length);
}

void connection_note_life(struct connection *connection)
{
    connection->moved_at_ms = clock_monotonic_ms();
}

void connection_note_pong(struct connection *connection)
{
    const struct net_limits *limits = &connection->all->limits;
    connection_note_life(connection);
    connection->owes_ping = false;
    if (limits->ping_ms > 0) {
        connections_wake(connection->all, connection->ping_at_ms + limits->ping_ms);
    }
}

void connection_note_sent(struct connection *connection, size_t length)
{
    connection->all->counters.messages_out++;
    connection->all->counters.bytes_out += length;
    connection->active_at_ms = connection->moved_at_ms;
}

void connection_send(struct connection *connection, struct queue_item *item)
{
    if (!connection->is_open || connection->is_closing || connection->is_killed) {
        queue_item_destroy(item);
        return;
    }
    size_t dropped = 0;
    if (queue_put(&connection->queue, item, &dropped) == QUEUE_FULL) {
        connection_fail(connection, 1013, "the client reads too slowly");
        connection->close_ms = SLOW_CLOSE_MS;
        connections_wake(connection->all, clock_monotonic_ms());
    }
    connection->all->counters.dropped += dropped;
    connection->ops->write(connection);
}

static void set_reason(struct connection *connection, const char *reason)
{
    size_t room = sizeof(connection->close_reason) - 1;
    size_t length = strnlen(reason, room + 1);
    length = length > room ? utf8_cut(reason, room) : length;
    memcpy(connection->close_reason, reason, length);
    connection->close_reason[length] = '\0';
}

void connection_close(struct connection *connection, unsigned code, const char *reason)
{
    if (connection->is_closing || connection->is_killed) {
        return;
    }
    connection->is_closing = true;
    connection->close_ms = CLOSE_MS;
    connection->close_code = code;
    set_reason(connection, reason ? reason : "");
    connection->moved_at_ms = clock_monotonic_ms();
    connections_wake(connection->all, connection->moved_at_ms + CLOSE_MS);
    connection->ops->read(connection, false);
    connection->ops->write(connection);
}

void connection_fail(struct connection *connection, unsigned code, const char *reason)
{
    queue_clear(&connection->queue);
    connection_close(connection, code, reason);
}

void connection_pause(struct connection *connection, bool is_paused)
{
    bool was_read = connection_is_read(connection);
    connection->is_paused = is_paused;
    bool is_read = connection_is_read(connection);
    if (was_read != is_read) {
        connection->ops->read(connection, is_read);
    }
}

void connection_kill(struct connection *connection)
{
    if (!connection->is_killed) {
        connection->is_killed = true;
        connection->ops->kill(connection);
    }
}

/* Each of these checks does what is due and returns the time of its next call. */
static int64_t check_speed(struct connection *connection, int64_t now_ms)
{
    if (!connection->is_too_fast || connection->free_at_ms > now_ms) {
        return connection->is_too_fast ? connection->free_at_ms : CONNECTIONS_NEVER;
    }
    connection->is_too_fast = false;
    if (connection_is_read(connection)) {
        connection->ops->read(connection, true);
    }
    return CONNECTIONS_NEVER;
}

static int64_t check_idle(struct connection *connection, int64_t now_ms)
{
    int64_t due_ms = after(connection->active_at_ms, connection->all->limits.idle_ms);
    if (due_ms <= now_ms) {
        connection_close(connection, 1000, "the connection was idle for too long");
        return connection->moved_at_ms + CLOSE_MS;
    }
    return due_ms;
}

/*
 * Any byte in either direction counts as an answer, since the pong may be queued behind it. While
 * reading is paused, a pong cannot arrive, so there is no deadline.
 */
static int64_t check_ping(struct connection *connection, int64_t now_ms)
{
    const struct net_limits *limits = &connection->all->limits;
    if (!connection->ops->is_pinged || limits->ping_ms <= 0) {
        return CONNECTIONS_NEVER;
    }
    if (connection->owes_ping) {
        int64_t from_ms = later(connection->ping_at_ms, connection->moved_at_ms);
        int64_t due_ms = after(connection_is_read(connection) ? from_ms : now_ms, limits->pong_ms);
        if (due_ms <= now_ms) {
            connection_kill(connection);
        }
        return due_ms;
    }
    int64_t due_ms = connection->ping_at_ms + limits->ping_ms;
    if (due_ms > now_ms) {
        return due_ms;
    }
    connection->owes_ping = true;
    connection->is_ping_sent = false;
    connection->ping_at_ms = now_ms;
    connection->ops->write(connection);
    return after(now_ms, limits->pong_ms);
}

/*
 * Reports the close at once: the client may take long to read it, and the handler need not keep its
 * data until then.
 */
static void report_slow_close(struct connection *connection)
{
    const struct net_handler *handler = &connection->all->handler;
    if (connection->is_open && connection->close_ms == SLOW_CLOSE_MS) {
        connection->is_open = false;
        if (handler->on_closed) {
            handler->on_closed(handler->data, connection->id);
        }
    }
}

static int64_t check(struct connection *connection, int64_t now_ms)
{
    int64_t end_ms = connection->is_closing ? connection->moved_at_ms + connection->close_ms
                                            : connection->end_at_ms;
    if (connection->is_killed) {
        return CONNECTIONS_NEVER;
    }
    report_slow_close(connection);
    if (end_ms <= now_ms) {
        connection_kill(connection);
        return CONNECTIONS_NEVER;
    }
    if (!connection->is_open || connection->is_closing) {
        return end_ms;
    }
    int64_t due_ms = check_speed(connection, now_ms);
    due_ms = earlier(due_ms, check_idle(connection, now_ms));
    return earlier(due_ms, check_ping(connection, now_ms));
}

static bool has_id(const struct table_item *item, const void *id)
{
    return ((const struct connection *)item)->id == *(const uint64_t *)id;
}

struct connection *connections_find(const struct connections *all, uint64_t id)
{
    return (struct connection *)table_find(&all->table, table_hash_number(id), has_id, &id);
}

void connections_say_refused(struct connections *all, const char *address, const char *why)
{
    int64_t now_ms = clock_monotonic_ms();
    if (!all->log.on_line || (all->said_at_ms && now_ms - all->said_at_ms < SAY_EVERY_MS)) {
        all->unsaid++;
        return;
    }
    CLEANUP_FREE char *others =
        all->unsaid ? xasprintf(" (%" PRIu64 " more were refused before it)", all->unsaid) : NULL;
    net_log_say(&all->log, "%s: refused %s: %s%s", all->name, *address ? address : "a client", why,
                others ? others : "");
    all->said_at_ms = now_ms;
    all->unsaid = 0;
}

bool connections_make_room(struct connections *all)
{
    struct connection *oldest = NULL;
    for (struct table_item *item = table_next(&all->table, NULL); item;
         item = table_next(&all->table, item)) {
        struct connection *other = (struct connection *)item;
        if (other->is_closing && !other->is_killed && other->close_ms == SLOW_CLOSE_MS &&
            (!oldest || other->moved_at_ms < oldest->moved_at_ms)) {
            oldest = other;
        }
    }
    if (oldest) {
        connection_kill(oldest);
    }
    return oldest;
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
        int64_t due_ms = check((struct connection *)item, now_ms);
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
