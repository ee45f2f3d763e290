#include "runner/servers/backend/backend.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/formats/event_json.h"
#include "runner/formats/response_json.h"
#include "runner/net/service.h"
#include "runner/servers/backend/room.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum {
    CLOSE_MS = 3000,
    BEGIN_MS = 3600000,            /* instructions wait for earlier ones, as in a stream */
    MAX_INBOX = 256 * 1024 * 1024, /* bytes of all clients' texts that were not processed */
    MAX_CONTROL = 64 * 1024, /* longest control message in bytes; a longer text is an instruction */
    NAME_SIZE = 65,
};

/* A connection. */
struct client {
    struct service_client base;
    struct guest *guest; /* NULL: it was refused, or its session has ended */
};

/* A session, and its client. */
struct guest {
    struct guest *next;
    struct client *client; /* NULL: the session waits for its client to reconnect */
    struct room *room;
};

struct backend {
    struct backend_options options;
    struct service *service;
    struct service_port *port;
    struct guest *guests; /* only used on the server's thread */
};

static void send_error(const struct client *client, const struct br_error *why)
{
    service_send_json(&client->base, error_json(why));
}

/* Refuses the connection with an error. */
static void refuse(const struct client *client, const struct br_error *why)
{
    send_error(client, why);
    service_close(&client->base, 1008, "refused");
}

static struct guest *find_guest(const struct backend *server, const char *name)
{
    struct guest *guest = server->guests;
    while (guest && strcmp(room_name(guest->room), name) != 0) {
        guest = guest->next;
    }
    return guest;
}

/* Connects the client to its session, and greets it. */
static void connect_client(struct client *client, struct guest *guest, bool is_new)
{
    client->guest = guest;
    guest->client = client;
    service_send_json(&client->base, json_pack("{s:s, s:s, s:b, s:I}", "kind", "opened", "session",
                                               room_name(guest->room), "new", is_new, "lastId",
                                               (json_int_t)room_last_id(guest->room)));
}

static void open_new(struct backend *server, const char *name, const char *query,
                     struct client *client)
{
    struct br_error err;
    char progress[8];
    struct worker *worker =
        sessions_open(server->options.sessions, name, server->options.settings, NULL, &err);
    if (!worker) {
        refuse(client, &err);
        return;
    }
    const struct room_options options = {
        .chunk_size = server->options.chunk_size,
        .has_progress = server->options.has_progress ||
                        (net_query_param(query, "progress", progress, sizeof(progress)) &&
                         strcmp(progress, "1") == 0),
        .keeps_answers = server->options.linger_ms > 0,
    };
    struct guest *guest = xcalloc(1, sizeof(*guest));
    guest->room = room_open(worker, &options);
    worker_release(worker);
    guest->next = server->guests;
    server->guests = guest;
    connect_client(client, guest, true);
    room_connect(guest->room, &client->base, UINT64_MAX);
}

static void report_lost(const struct client *client, uint64_t after)
{
    struct br_error err;
    error_set(&err, BR_LIMIT_EXCEEDED, "not all answers after %" PRIu64 " are still kept", after);
    send_error(client, &err);
}

/* Connects a client to its session, which it has used before. */
static void resume(struct guest *guest, uint64_t after, struct client *client)
{
    struct br_error err;
    if (guest->client) {
        error_set(&err, BR_INVALID_ACTION, "the session %s already has a client",
                  room_name(guest->room));
        error_hint(&err, "use another id, or end that connection first");
        refuse(client, &err);
        return;
    }
    connect_client(client, guest, false);
    /* Reported ahead of the answers that are kept; some may be dropped just before they are sent.
     */
    bool has_lost = room_has_lost(guest->room, after);
    if (has_lost) {
        report_lost(client, after);
    }
    if (!room_connect(guest->room, &client->base, after) && !has_lost) {
        report_lost(client, after);
    }
}

/* Reads the id after which answers are due; UINT64_MAX: none are. */
static bool read_after(const char *query, uint64_t *ret_after, struct br_error *err)
{
    enum { MAX_DIGITS = 18 };
    char digits[24] = "";
    *ret_after = UINT64_MAX;
    if (!net_query_param(query, "after", digits, sizeof(digits))) {
        return true;
    }
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] || length > MAX_DIGITS) {
        error_set(err, BR_INVALID_ACTION, "after is the id of a response, not \"%s\"", digits);
        return error_hint(err, "a whole number; 0 for all responses");
    }
    *ret_after = strtoull(digits, NULL, 10);
    return true;
}

static void on_opened(struct service_client *base, const char *query)
{
    struct client *client = (struct client *)base;
    char name[NAME_SIZE] = "";
    struct br_error err;
    uint64_t after = 0;
    if (!read_after(query, &after, &err)) {
        refuse(client, &err);
        return;
    }
    if (!net_query_param(query, "session", name, sizeof(name))) {
        snprintf(name, sizeof(name), "ws-%" PRIu64, base->connection);
    }
    struct guest *guest = find_guest(base->data, name);
    if (guest) {
        resume(guest, after, client);
    } else {
        open_new(base->data, name, query, client);
    }
}

static void cancel(struct client *client, const json_t *words)
{
    struct br_error err;
    json_t *given = json_object_get(words, "id");
    json_int_t id = json_integer_value(given);
    if (given && id < 1) {
        error_set(&err, BR_INVALID_ACTION, "the id of a cancel must be that of a response");
        error_hint(&err, "a whole number from 1 on; without an id, all that was sent is cancelled");
        send_error(client, &err);
        return;
    }
    const char *found = channel_cancel(room_channel(client->guest->room), (uint64_t)id, &err);
    if (!found) {
        send_error(client, &err);
        return;
    }
    service_send_json(&client->base,
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

static void subscribe(struct client *client, const json_t *words)
{
    struct br_error err;
    unsigned kinds = 0;
    if (!read_events(words, &kinds, &err)) {
        send_error(client, &err);
        return;
    }
    channel_subscribe(room_channel(client->guest->room), kinds);
    service_send_json(&client->base, json_pack("{s:s, s:O}", "kind", "subscribe", "events",
                                               json_object_get(words, "events")));
}

/* Handles a control message of the client; returns whether the text was one. */
static bool handle_control(struct client *client, const struct service_message *message)
{
    struct br_error err;
    const char *first = message->text + strspn(message->text, " \t\r\n");
    if (*first != '{' || message->length > MAX_CONTROL) {
        return false;
    }
    json_auto_t *words = json_parse(message->text, message->length, "the message", &err);
    const char *kind = json_member_string(words, "kind");
    if (!kind || json_object_get(words, "type")) {
        return false;
    }
    if (strcmp(kind, "cancel") == 0) {
        cancel(client, words);
    } else if (strcmp(kind, "subscribe") == 0) {
        subscribe(client, words);
    } else {
        error_set(&err, BR_INVALID_ACTION, "\"%.64s\" is not a kind of message", kind);
        error_hint(&err, "use cancel or subscribe; an instruction has a type");
        send_error(client, &err);
    }
    return true;
}

static void on_message(struct service_client *base, struct service_message *message)
{
    struct br_error err;
    struct client *client = (struct client *)base;
    struct backend *server = base->data;
    if (!client->guest || handle_control(client, message)) {
        return;
    }
    if (!room_feed(client->guest->room, message, BEGIN_MS)) {
        error_set(&err, BR_RATE_LIMITED,
                  "too many instructions are waiting: this message was refused");
        error_hint(&err, "send it again after some have been answered");
        send_error(client, &err);
    }
    service_tick_by(server->service, deadline_in_ms(BEGIN_MS));
}

/* Removes the guest and ends its session. */
static void remove_guest(struct guest **place)
{
    struct guest *guest = *place;
    struct worker *worker = worker_hold(channel_worker(room_channel(guest->room)));
    *place = guest->next;
    if (guest->client) {
        guest->client->guest = NULL;
    }
    room_close(guest->room);
    worker_stop(worker, NULL, NULL);
    worker_release(worker);
    free(guest);
}

static void on_closed(struct service_client *base)
{
    struct backend *server = base->data;
    struct guest *guest = ((struct client *)base)->guest;
    if (!guest) {
        return;
    }
    guest->client = NULL;
    room_disconnect(guest->room);
    if (server->options.linger_ms > 0) {
        service_tick_by(server->service, deadline_in_ms(server->options.linger_ms + 1));
        return;
    }
    struct guest **place = &server->guests;
    while (*place != guest) {
        place = &(*place)->next;
    }
    remove_guest(place);
}

/* Ends sessions whose client did not come back in time. */
static struct deadline on_tick(void *data)
{
    struct backend *server = data;
    struct deadline due = sessions_sweep(server->options.sessions);
    int64_t now_ms = clock_monotonic_ms();
    struct guest **place = &server->guests;
    while (*place) {
        const struct guest *guest = *place;
        int64_t left_ms = room_alone_since_ms(guest->room) + server->options.linger_ms + 1 - now_ms;
        if (!guest->client && left_ms <= 0) {
            remove_guest(place);
            continue;
        }
        if (!guest->client) {
            due = deadline_earlier(due, deadline_in_ms(left_ms));
        }
        place = &(*place)->next;
    }
    return due;
}

static void write_metrics(void *data, struct strbuf *text)
{
    const struct backend *server = data;
    sessions_write_metrics(server->options.sessions, text);
}

static const struct service_type type = {
    .path = "/actions",
    .client_size = sizeof(struct client),
    .max_bytes = MAX_INBOX,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_closed = on_closed,
    .on_metrics = write_metrics,
};

static void destroy(struct backend *server)
{
    sessions_unwatch_ends(server->options.sessions, server->service);
    service_destroy(server->service, CLOSE_MS);
    free(server);
}

struct backend *backend_start(struct loop *loop, const struct backend_options *options,
                              struct br_error *err)
{
    struct backend *server = xcalloc(1, sizeof(*server));
    struct net_listener_options listener = options->listener;
    server->options = *options;
    server->service = service_create(loop, on_tick, server);
    listener.name = "actions";
    listener.framing = NET_WEBSOCKET;
    /* For all answers that a resumed session has kept, and those that come meanwhile. */
    listener.limits.max_queue += options->linger_ms > 0 ? ROOM_KEPT_BYTES : 0;
    sessions_watch_ends(options->sessions, service_wake, server->service);
    server->port = service_listen(server->service, &type, &listener, err);
    if (server->port && service_begin(server->service, err)) {
        return server;
    }
    destroy(server);
    return NULL;
}

struct net_listener *backend_listener(struct backend *server)
{
    return service_listener(server->port);
}

/* What runs and waits is answered with CANCELLED. */
static void end_sessions(const struct backend *server)
{
    for (const struct guest *guest = server->guests; guest; guest = guest->next) {
        worker_stop(channel_worker(room_channel(guest->room)), NULL, NULL);
    }
    for (const struct guest *guest = server->guests; guest; guest = guest->next) {
        worker_await(channel_worker(room_channel(guest->room)));
    }
}

void backend_stop(struct backend *server)
{
    if (!server) {
        return;
    }
    service_end(server->service);
    end_sessions(server);
    while (server->guests) {
        remove_guest(&server->guests);
    }
    destroy(server);
}
