#include "runner/net/server.h"

#include "runner/base/clock.h"
#include "runner/net/connection.h"
#include "runner/net/lines.h"
#include "runner/net/web.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ACCEPTED_AT_ONCE = 64,
};

struct net_listener {
    char *name;
    enum net_framing framing;
    struct socket_set sockets;
    char *address; /* of the first socket */
    struct gate gate;
    int spare_fd; /* closed temporarily to refuse a client when no other descriptor is free */
    struct connections connections;
    struct loop_source *sources[SOCKET_MAX]; /* NULL: closed */
    pthread_mutex_t mutex;                   /* guards is_empty */
    pthread_cond_t emptied;
    bool is_empty;
};

static void refuse(struct net_listener *listener, int fd)
{
    listener->connections.counters.refused++;
    if (listener->framing == NET_WEBSOCKET) {
        web_refuse(fd);
    } else {
        close(fd);
    }
}

/* Accepts or refuses a client; takes ownership of the descriptor. */
static void admit(struct net_listener *listener, int fd)
{
    struct connections *all = &listener->connections;
    struct net_peer peer = { .path = "", .query = "" };
    bool is_line = listener->framing == NET_LINES;
    bool has_room = all->table.count < all->limits.max_connections || connections_make_room(all);
    if (!has_room || (is_line && !socket_peer_is_ours(fd, &peer.pid))) {
        refuse(listener, fd);
    } else if (!(is_line ? lines_accept(all, fd, &peer) : web_accept(all, fd))) {
        all->counters.refused++;
    }
}

/*
 * Refuses a client when no descriptor is free. Otherwise the listening socket would stay readable
 * for the waiting client, and the loop would spin.
 */
static void turn_away(struct net_listener *listener, int listening_fd)
{
    close(listener->spare_fd);
    int fd = accept4(listening_fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) {
        refuse(listener, fd);
    }
    listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static bool on_client(void *data, int listening_fd)
{
    struct net_listener *listener = data;
    for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
        int fd = accept4(listening_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            admit(listener, fd);
        } else if (errno == EMFILE || errno == ENFILE) {
            turn_away(listener, listening_fd);
            return true;
        } else if (errno == EAGAIN) {
            return true;
        }
    }
    return true;
}

static void on_empty(void *data)
{
    struct net_listener *listener = data;
    pthread_mutex_lock(&listener->mutex);
    listener->is_empty = true;
    pthread_cond_broadcast(&listener->emptied);
    pthread_mutex_unlock(&listener->mutex);
}

static bool check_options(const struct net_listener_options *options, struct br_error *err)
{
    const struct net_limits *limits = &options->limits;
    if (!options->name || !(options->handler.on_message || options->handler.on_request ||
                            options->handler.on_metrics)) {
        return error_set(err, BR_INVALID_ACTION, "a listener needs a name and a handler");
    }
    if (limits->max_connections == 0 || limits->max_message == 0 || limits->max_queue == 0) {
        return error_set(err, BR_INVALID_ACTION,
                         "%.60s: connections, messages and queues need limits above 0",
                         options->name);
    }
    for (size_t i = 0; options->access.tokens && options->access.tokens[i]; i++) {
        if (!*options->access.tokens[i]) {
            return error_set(err, BR_INVALID_ACTION, "%.60s: the token is empty", options->name);
        }
    }
    if (options->framing == NET_LINES && options->fd_count == 0 && !options->unix_path) {
        return error_set(err, BR_INVALID_ACTION, "%.60s: lines need the path of a socket",
                         options->name);
    }
    return true;
}

/* Requires a token for a port that other machines can reach. */
static bool check_token(const struct net_listener_options *options, const char *address,
                        bool is_local, struct br_error *err)
{
    bool has_token = options->access.tokens && options->access.tokens[0];
    if (is_local || options->framing == NET_LINES || has_token) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "%.60s: other machines may connect to %.100s without a token",
              options->name, address);
    return error_hint(err, "set a token, or listen at 127.0.0.1");
}

static bool check_inherited(struct socket_set *sockets, const struct net_listener_options *options,
                            struct br_error *err)
{
    bool is_fine = socket_inherit(sockets, options->framing == NET_LINES, err) ||
                   error_context(err, "%.60s", options->name);
    for (size_t i = 0; i < sockets->count && is_fine; i++) {
        CLEANUP_FREE char *address = socket_address(sockets->fds[i]);
        is_fine = check_token(options, address, socket_is_local(sockets->fds[i]), err);
    }
    return is_fine;
}

static bool open_sockets(struct socket_set *sockets, const struct net_listener_options *options,
                         struct br_error *err)
{
    if (options->fd_count > 0) {
        return check_inherited(sockets, options, err);
    }
    if (options->framing == NET_LINES) {
        return socket_listen_unix(sockets, options->unix_path, err);
    }
    return check_token(options, options->host, socket_host_is_local(options->host), err) &&
           socket_listen_tcp(sockets, options->host, options->port, err);
}

struct start {
    struct net_listener *listener;
    struct net_listener **ret_listener; /* NULL: not wanted */
    struct br_error *err;
    bool is_started;
};

static void close_sources(struct net_listener *listener)
{
    for (size_t i = 0; i < SOCKET_MAX; i++) {
        if (listener->sources[i]) {
            loop_unwatch(TAKE(listener->sources[i]));
        }
    }
}

static void start_on_loop(void *data)
{
    struct start *start = data;
    struct net_listener *listener = start->listener;
    const struct loop_source_handler handler = { .on_readable = on_client, .data = listener };
    start->is_started = true;
    struct socket_set *sockets = &listener->sockets;
    while (sockets->count && start->is_started) {
        int fd = sockets->fds[--sockets->count];
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        listener->sources[sockets->count] =
            loop_watch(listener->connections.loop, fd, &handler, start->err);
        start->is_started = listener->sources[sockets->count] != NULL;
    }
    if (!start->is_started) {
        close_sources(listener);
    } else if (start->ret_listener) {
        *start->ret_listener = listener;
    }
}

static void listener_free(struct net_listener *listener)
{
    connections_finish(&listener->connections);
    socket_set_finish(&listener->sockets);
    gate_finish(&listener->gate);
    if (listener->spare_fd >= 0) {
        close(listener->spare_fd);
    }
    pthread_cond_destroy(&listener->emptied);
    pthread_mutex_destroy(&listener->mutex);
    free(listener->address);
    free(listener->name);
    free(listener);
}

static struct net_listener *listener_create(struct loop *loop,
                                            const struct net_listener_options *options)
{
    struct net_listener *listener = xcalloc(1, sizeof(*listener));
    listener->name = xstrdup(options->name);
    listener->framing = options->framing;
    memcpy(listener->sockets.fds, options->fds, options->fd_count * sizeof(options->fds[0]));
    listener->sockets.count = options->fd_count;
    gate_init(&listener->gate, &options->access);
    listener->gate.allows_local_origins = options->allows_local_origins;
    listener->gate.allows_extensions = options->allows_extensions;
    listener->gate.leaves_token = options->leaves_token;
    listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    listener->connections = (struct connections){
        .loop = loop,
        .name = listener->name,
        .limits = options->limits,
        .handler = options->handler,
        .log = options->log,
        .gate = &listener->gate,
        .on_empty = on_empty,
        .data = listener,
    };
    pthread_mutex_init(&listener->mutex, NULL);
    condition_init(&listener->emptied);
    return listener;
}

struct net_listener *net_listen(struct loop *loop, const struct net_listener_options *options,
                                struct br_error *err)
{
    struct net_listener *listener = listener_create(loop, options);
    struct start start = { .listener = listener,
                           .ret_listener = options->ret_listener,
                           .err = err };
    if (check_options(options, err) && open_sockets(&listener->sockets, options, err)) {
        listener->address = socket_address(listener->sockets.fds[0]);
        loop_call(loop, start_on_loop, &start);
    }
    if (!start.is_started) {
        listener_free(listener);
        return NULL;
    }
    return listener;
}

int net_listener_port(const struct net_listener *listener)
{
    return listener->sockets.port;
}

const char *net_listener_address(const struct net_listener *listener)
{
    return listener->address;
}

/* The argument of set_access_on_loop(). */
struct admission {
    struct net_listener *listener;
    const struct net_access *access;
};

static void set_access_on_loop(void *data)
{
    const struct admission *admission = data;
    gate_set_access(&admission->listener->gate, admission->access);
}

void net_listener_set_access(struct net_listener *listener, const struct net_access *access)
{
    struct admission admission = { listener, access };
    loop_call(listener->connections.loop, set_access_on_loop, &admission);
}

static void refuse_on_loop(void *data)
{
    close_sources(data);
}

void net_listener_refuse(struct net_listener *listener)
{
    socket_set_hide(&listener->sockets);
    loop_call(listener->connections.loop, refuse_on_loop, listener);
}

/* Stops accepting and closes the open connections. */
static void end_on_loop(void *data)
{
    struct net_listener *listener = data;
    struct connections *all = &listener->connections;
    close_sources(listener);
    struct table_item *next = NULL;
    for (struct table_item *item = table_next(&all->table, NULL); item; item = next) {
        next = table_next(&all->table, item);
        connection_close((struct connection *)item, 1001, "the server is shutting down");
    }
    if (all->table.count == 0) {
        on_empty(listener);
    }
}

static void kill_on_loop(void *data)
{
    struct net_listener *listener = data;
    struct table *table = &listener->connections.table;
    struct table_item *next = NULL;
    for (struct table_item *item = table_next(table, NULL); item; item = next) {
        next = table_next(table, item);
        connection_kill((struct connection *)item);
    }
}

/* Returns false if connections remain at the deadline. */
static bool await_empty(struct net_listener *listener, struct deadline deadline)
{
    pthread_mutex_lock(&listener->mutex);
    while (!listener->is_empty && condition_wait(&listener->emptied, &listener->mutex, deadline)) {
    }
    bool is_empty = listener->is_empty;
    pthread_mutex_unlock(&listener->mutex);
    return is_empty;
}

static void finish_on_loop(void *data)
{
    connections_finish(data);
}

void net_listener_close(struct net_listener *listener, int timeout_ms)
{
    if (!listener) {
        return;
    }
    struct loop *loop = listener->connections.loop;
    socket_set_hide(&listener->sockets);
    pthread_mutex_lock(&listener->mutex);
    listener->is_empty = false;
    pthread_mutex_unlock(&listener->mutex);
    loop_call(loop, end_on_loop, listener);
    if (!await_empty(listener, deadline_in_ms(timeout_ms))) {
        loop_call(loop, kill_on_loop, listener);
        await_empty(listener, deadline_in_ms(INT64_MAX));
    }
    /* Runs after all tasks posted before. */
    loop_call(loop, finish_on_loop, &listener->connections);
    listener_free(listener);
}

/* An action on one connection, carried out on the loop thread. */
struct order {
    struct net_listener *listener;
    uint64_t id;
    struct queue_item *item;   /* message to send, or NULL */
    struct net_answer *answer; /* or answer to a request; both NULL: close */
    unsigned code;
    char *reason;
};

static struct connection *find(const struct net_listener *listener, uint64_t id)
{
    return connections_find(&listener->connections, id);
}

/* Takes ownership of the item. */
static void send_item(struct net_listener *listener, uint64_t id, struct queue_item *item)
{
    struct connection *connection = find(listener, id);
    if (connection) {
        connection_send(connection, item);
    } else {
        queue_item_destroy(item);
    }
}

static void carry_out(void *data)
{
    struct order *order = data;
    struct connection *connection = find(order->listener, order->id);
    if (order->item) {
        send_item(order->listener, order->id, order->item);
    } else if (order->answer) {
        if (connection && connection->ops->answer) {
            connection->ops->answer(connection, order->answer);
        }
        strbuf_finish(&order->answer->body);
        free(order->answer);
    } else if (connection) {
        connection_close(connection, order->code, order->reason);
    }
    free(order->reason);
    free(order);
}

void net_send(struct net_listener *listener, uint64_t id, const char *text, size_t length,
              enum net_class class)
{
    struct loop *loop = listener->connections.loop;
    const char *suffix = listener->framing == NET_LINES ? "\n" : "";
    struct queue_item *item = queue_item_create(text, length, suffix, class);
    if (loop_is_here(loop)) {
        send_item(listener, id, item);
        return;
    }
    struct order *order = xmalloc(sizeof(*order));
    *order = (struct order){ .listener = listener, .id = id, .item = item };
    loop_post(loop, carry_out, order);
}

void net_send_text(struct net_listener *listener, uint64_t id, char *text, size_t length)
{
    if (length > QUEUE_ONE_FRAME) {
        send_item(listener, id, queue_item_adopt(text, length));
    } else {
        send_item(listener, id, queue_item_create(text, length, "", NET_REPLY));
        free(text);
    }
}

void net_answer(struct net_listener *listener, uint64_t id, struct net_answer *answer)
{
    struct order *order = xmalloc(sizeof(*order));
    *order = (struct order){ .listener = listener, .id = id, .answer = xmalloc(sizeof(*answer)) };
    *order->answer = *answer;
    answer->body = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    loop_post(listener->connections.loop, carry_out, order);
}

void net_close(struct net_listener *listener, uint64_t id, unsigned code, const char *reason)
{
    struct order *order = xmalloc(sizeof(*order));
    *order =
        (struct order){ .listener = listener, .id = id, .code = code, .reason = xstrdup(reason) };
    loop_post(listener->connections.loop, carry_out, order);
}

void net_say_refused(struct net_listener *listener, const char *address, const char *why)
{
    connections_say_refused(&listener->connections, address ? address : "", why);
}

void net_pause(struct net_listener *listener, uint64_t id, bool is_paused)
{
    struct connection *connection = find(listener, id);
    if (connection) {
        connection_pause(connection, is_paused);
    }
}
