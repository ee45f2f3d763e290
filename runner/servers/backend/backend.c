#include "runner/servers/backend/backend.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/base/url_parts.h"
#include "runner/formats/event_json.h"
#include "runner/formats/response_json.h"
#include "runner/net/inbox.h"
#include "runner/servers/backend/room.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    CLOSE_MS = 3000,
    BEGIN_MS = 3600000,            /* instructions wait for earlier ones, as in a stream */
    MAX_INBOX = 256 * 1024 * 1024, /* bytes of all clients' texts that were not processed */
    MAX_CONTROL = 64 * 1024, /* longest control message in bytes; a longer text is an instruction */
    NAME_SIZE = 65,
};

struct client {
    struct client *next;
    uint64_t connection; /* 0: the session waits for its client to reconnect */
    struct room *room;
};

struct backend {
    struct backend_options options;
    struct mailbox *mailbox;
    struct net_inbox inbox;
    struct net_listener *listener;
    pthread_t thread;
    atomic_bool is_ending;
    struct client *clients; /* only used on the server's thread */
    pthread_mutex_t mutex;  /* guards alive */
    pthread_cond_t changed;
    size_t alive; /* sessions that are being ended, by backend_stop() */
};

/* Takes ownership. */
static void send_json(struct backend *server, uint64_t connection, json_t *root)
{
    size_t length = 0;
    CLEANUP_FREE char *line = response_json_line(root, &length);
    json_decref(root);
    net_send(server->listener, connection, line, length, NET_REPLY);
}

static void send_error(struct backend *server, uint64_t connection, const struct br_error *why)
{
    send_json(server, connection, error_json(why));
}

/* Refuses the connection with an error. */
static void refuse(struct backend *server, uint64_t connection, const struct br_error *why)
{
    send_error(server, connection, why);
    net_close(server->listener, connection, 1008, "refused");
}

static struct client *find_room(struct backend *server, const char *name)
{
    struct client *client = server->clients;
    while (client && strcmp(room_name(client->room), name) != 0) {
        client = client->next;
    }
    return client;
}

static void greet(struct backend *server, struct client *client, bool is_new)
{
    send_json(server, client->connection,
              json_pack("{s:s, s:s, s:b, s:I}", "kind", "opened", "session",
                        room_name(client->room), "new", is_new, "lastId",
                        (json_int_t)room_last_id(client->room)));
}

static void open_new(struct backend *server, const char *name, const char *query,
                     uint64_t connection)
{
    struct br_error err;
    char progress[8];
    struct worker *worker =
        sessions_open(server->options.sessions, name, server->options.settings, NULL, &err);
    if (!worker) {
        refuse(server, connection, &err);
        return;
    }
    const struct room_options options = {
        .chunk_size = server->options.chunk_size,
        .has_progress = server->options.has_progress ||
                        (net_query_param(query, "progress", progress, sizeof(progress)) &&
                         strcmp(progress, "1") == 0),
        .keeps_answers = server->options.linger_ms > 0,
    };
    struct client *client = xcalloc(1, sizeof(*client));
    client->connection = connection;
    client->room = room_open(worker, &options);
    worker_release(worker);
    client->next = server->clients;
    server->clients = client;
    greet(server, client, true);
    room_connect(client->room, server->listener, connection, UINT64_MAX);
}

/* Connects a client to its new or existing session. */
static void connect_client(struct backend *server, struct client *client, const char *query,
                           uint64_t connection)
{
    struct br_error err;
    char digits[24] = "";
    uint64_t after = UINT64_MAX;
    if (client->connection) {
        error_set(&err, BR_INVALID_ACTION, "the session %s already has a client",
                  room_name(client->room));
        error_hint(&err, "use another id, or end that connection first");
        refuse(server, connection, &err);
        return;
    }
    if (net_query_param(query, "after", digits, sizeof(digits))) {
        after = strtoull(digits, NULL, 10);
    }
    client->connection = connection;
    greet(server, client, false);
    if (!room_connect(client->room, server->listener, connection, after)) {
        error_set(&err, BR_LIMIT_EXCEEDED, "not all answers after %s are still kept", digits);
        send_error(server, connection, &err);
    }
}

static void on_opened(struct backend *server, const struct net_event *event)
{
    char name[NAME_SIZE] = "";
    if (!net_query_param(event->query, "session", name, sizeof(name))) {
        snprintf(name, sizeof(name), "ws-%" PRIu64, event->connection);
    }
    struct client *client = find_room(server, name);
    if (client) {
        connect_client(server, client, event->query, event->connection);
    } else {
        open_new(server, name, event->query, event->connection);
    }
}

static void cancel(struct backend *server, struct client *client, const json_t *words)
{
    struct br_error err;
    json_t *given = json_object_get(words, "id");
    json_int_t id = json_integer_value(given);
    if (given && id < 1) {
        error_set(&err, BR_INVALID_ACTION, "the id of a cancel must be that of a response");
        error_hint(&err, "a whole number from 1 on; without an id, all that was sent is cancelled");
        send_error(server, client->connection, &err);
        return;
    }
    const char *found = channel_cancel(room_channel(client->room), (uint64_t)id, &err);
    if (!found) {
        send_error(server, client->connection, &err);
        return;
    }
    send_json(server, client->connection,
              json_pack("{s:s, s:O*, s:s}", "kind", "cancel", "id", given, "found", found));
}

static bool read_events(const json_t *words, unsigned *ret_kinds, struct br_error *err)
{
    size_t index;
    json_t *name;
    const json_t *names = json_object_get(words, "events");
    *ret_kinds = 0;
    if (!json_is_array(names)) {
        return error_set(err, BR_INVALID_ACTION, "subscribe needs events, an array of names");
    }
    json_array_foreach (names, index, name) {
        unsigned kinds = json_is_string(name) ? event_kinds_named(json_string_value(name)) : 0;
        if (!kinds) {
            error_set(err, BR_INVALID_ACTION, "events[%zu] is not the name of an event", index);
            return error_hint(err, "all, logs, console, exception, log, network, navigation, "
                                   "dialog, download, tab, page, action or dropped");
        }
        *ret_kinds |= kinds;
    }
    return true;
}

static void subscribe(struct backend *server, struct client *client, const json_t *words)
{
    struct br_error err;
    unsigned kinds = 0;
    if (!read_events(words, &kinds, &err)) {
        send_error(server, client->connection, &err);
        return;
    }
    channel_subscribe(room_channel(client->room), kinds);
    send_json(
        server, client->connection,
        json_pack("{s:s, s:O}", "kind", "subscribe", "events", json_object_get(words, "events")));
}

/* Handles a control message of the client; returns whether the text was one. */
static bool handle_control(struct backend *server, struct client *client,
                           const struct net_event *event)
{
    struct br_error err;
    const char *first = event->text + strspn(event->text, " \t\r\n");
    if (*first != '{' || event->length > MAX_CONTROL) {
        return false;
    }
    json_auto_t *words = json_parse(event->text, event->length, "the message", &err);
    const char *kind = json_member_string(words, "kind");
    if (!kind || json_object_get(words, "type")) {
        return false;
    }
    if (strcmp(kind, "cancel") == 0) {
        cancel(server, client, words);
    } else if (strcmp(kind, "subscribe") == 0) {
        subscribe(server, client, words);
    } else {
        error_set(&err, BR_INVALID_ACTION, "\"%.64s\" is not a kind of message", kind);
        error_hint(&err, "use cancel or subscribe; an instruction has a type");
        send_error(server, client->connection, &err);
    }
    return true;
}

static void on_message(struct backend *server, struct client *client, struct net_event *event)
{
    struct br_error err;
    if (!handle_control(server, client, event) && !room_feed(client->room, event, BEGIN_MS)) {
        error_set(&err, BR_RATE_LIMITED,
                  "too many instructions are waiting: this message was refused");
        error_hint(&err, "send it again after some have been answered");
        send_error(server, client->connection, &err);
    }
}

static struct client **find_connection(struct backend *server, uint64_t connection)
{
    struct client **place = &server->clients;
    while (*place && (*place)->connection != connection) {
        place = &(*place)->next;
    }
    return place;
}

/* Removes the client and ends its session. */
static void remove_client(struct client **place)
{
    struct client *client = *place;
    struct worker *worker = worker_hold(channel_worker(room_channel(client->room)));
    *place = client->next;
    room_close(client->room);
    worker_stop(worker, NULL, NULL);
    worker_release(worker);
    free(client);
}

static void on_closed(struct backend *server, struct client **place)
{
    if (server->options.linger_ms > 0) {
        (*place)->connection = 0;
        room_disconnect((*place)->room);
    } else {
        remove_client(place);
    }
}

static void handle(struct backend *server, struct net_event *event)
{
    struct client **place = find_connection(server, event->connection);
    if (event->kind == NET_OPENED) {
        on_opened(server, event);
    } else if (*place && event->kind == NET_MESSAGE) {
        on_message(server, *place, event);
    } else if (*place && event->kind == NET_CLOSED) {
        on_closed(server, place);
    }
}

/*
 * Ends sessions whose client did not come back in time. Returns when it is to be called again at
 * the latest, but for what comes meanwhile.
 */
static struct deadline sweep(struct backend *server)
{
    struct deadline due = sessions_sweep(server->options.sessions);
    int64_t now_ms = clock_monotonic_ms();
    struct client **place = &server->clients;
    while (*place) {
        struct client *client = *place;
        int64_t left_ms =
            room_alone_since_ms(client->room) + server->options.linger_ms + 1 - now_ms;
        if (!client->connection && left_ms <= 0) {
            remove_client(place);
            continue;
        }
        if (!client->connection) {
            due = deadline_earlier(due, deadline_in_ms(left_ms));
        }
        place = &client->next;
    }
    return due;
}

/* A session has ended, on its thread. */
static void on_end(void *data)
{
    mailbox_wake(data);
}

static void *run(void *data)
{
    struct backend *server = data;
    struct deadline due = DEADLINE_NEVER;
    int64_t next_ms = server->options.linger_ms > 0 && server->options.linger_ms < BEGIN_MS
                          ? server->options.linger_ms + 1
                          : BEGIN_MS;
    while (!atomic_load(&server->is_ending)) {
        struct message *message = mailbox_wait(server->mailbox, due);
        if (message) {
            handle(server, (struct net_event *)message);
            message_destroy(message);
            due = deadline_earlier(due, deadline_in_ms(next_ms));
        }
        if (!message || deadline_passed(due)) {
            due = sweep(server);
        }
    }
    return NULL;
}

static void write_metrics(void *data, struct strbuf *text)
{
    sessions_write_metrics(data, text);
}

static void destroy(struct backend *server)
{
    mailbox_destroy(server->mailbox);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

struct backend *backend_start(struct loop *loop, const struct backend_options *options,
                              struct br_error *err)
{
    struct backend *server = xcalloc(1, sizeof(*server));
    struct net_listener_options listener = options->listener;
    server->options = *options;
    server->mailbox = mailbox_create(0);
    pthread_mutex_init(&server->mutex, NULL);
    condition_init(&server->changed);
    server->inbox = (struct net_inbox){
        .mailbox = server->mailbox,
        .path = "/actions",
        .on_metrics = write_metrics,
        .data = server->options.sessions,
        .max_bytes = MAX_INBOX,
    };
    listener.name = "actions";
    listener.framing = NET_WEBSOCKET;
    /* For all answers that a resumed session has kept, and those that come meanwhile. */
    listener.limits.max_queue += options->linger_ms > 0 ? ROOM_KEPT_BYTES : 0;
    server->listener = net_inbox_listen(&server->inbox, loop, &listener, err);
    sessions_watch_ends(options->sessions, on_end, server->mailbox);
    int failure = server->listener ? thread_start(&server->thread, run, server) : 0;
    if (server->listener && !failure) {
        return server;
    }
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server's thread");
        net_inbox_close(&server->inbox, server->listener, 0);
    }
    sessions_unwatch_ends(options->sessions, server->mailbox);
    destroy(server);
    return NULL;
}

struct net_listener *backend_listener(struct backend *server)
{
    return server->listener;
}

static void on_over(void *data)
{
    struct backend *server = data;
    pthread_mutex_lock(&server->mutex);
    server->alive--;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
}

/* What runs and waits is answered with CANCELLED. */
static void end_sessions(struct backend *server)
{
    for (struct client *client = server->clients; client; client = client->next) {
        pthread_mutex_lock(&server->mutex);
        server->alive++;
        pthread_mutex_unlock(&server->mutex);
        worker_stop(channel_worker(room_channel(client->room)), on_over, server);
    }
    pthread_mutex_lock(&server->mutex);
    while (server->alive) {
        pthread_cond_wait(&server->changed, &server->mutex);
    }
    pthread_mutex_unlock(&server->mutex);
}

void backend_stop(struct backend *server)
{
    if (!server) {
        return;
    }
    atomic_store(&server->is_ending, true);
    sessions_unwatch_ends(server->options.sessions, server->mailbox);
    mailbox_wake(server->mailbox);
    pthread_join(server->thread, NULL);
    end_sessions(server);
    while (server->clients) {
        remove_client(&server->clients);
    }
    net_inbox_close(&server->inbox, server->listener, CLOSE_MS);
    destroy(server);
}
