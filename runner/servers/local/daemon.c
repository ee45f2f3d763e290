#include "runner/servers/local/daemon.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/shape.h"
#include "runner/formats/event_json.h"
#include "runner/formats/response_json.h"
#include "runner/net/service.h"
#include "runner/servers/clients/console_sender.h"
#include "runner/servers/local/follow.h"
#include "runner/servers/local/place.h"
#include "runner/sessions/channel.h"
#include "runner/sessions/sessions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    CLOSE_MS = 2000,  /* for clients to read their last lines */
    BEGIN_MS = 30000, /* limit for an action to begin, if the client sets none */
    MAX_WAIT_MS = 24 * 3600000,
    MAX_INBOX = 256 * 1024 * 1024, /* bytes of all clients' requests that were not processed */
    MAX_REQUEST = 16 * 1024 * 1024,
    MAX_ANSWERS = 512 * 1024 * 1024, /* bytes waiting for a client that does not read */
};

/* A connection. */
struct client {
    struct service_client base;
    bool was_asked;            /* its request was received */
    struct channel *channel;   /* of a running act; NULL: none */
    struct net_charge *charge; /* of its request */
    struct follow *follow;     /* of a console request; NULL: none */
    bool has_said_end;         /* the last line of `follow` was sent */
    char *kept;                /* the session that ends with the connection; NULL: none */
};

/* A console-bridge server that consoles of sessions are sent to. */
struct destination {
    struct destination *next;
    char *url;
    struct console_sender *sender;
};

struct server {
    struct destination *destinations;
    const struct daemon_options *options;
    struct loop *loop;
    struct sessions *sessions;
    struct service *service;
    struct service_port *port;
    int end_fd;          /* an eventfd; readable: the daemon is to end */
    char *version;       /* see local_version() */
    int64_t asked_at_ms; /* when the last request came */
    int64_t began_at_ms;
};

static void send_last(const struct client *client, json_t *root)
{
    service_send_json(&client->base, root);
    service_close(&client->base, 1000, "");
}

static void end_soon(struct server *server)
{
    eventfd_write(server->end_fd, 1);
}

/* Ends the console requests of sessions that end; with a reason, all console requests. */
static void end_following(struct server *server, const char *reason)
{
    struct service_client *base = server->port ? service_clients(server->port) : NULL;
    for (; base; base = base->next) {
        struct client *client = (struct client *)base;
        if (client->follow && !client->has_said_end && (reason || follow_is_over(client->follow))) {
            client->has_said_end = true;
            follow_say_end(client->follow, reason);
            service_close(base, 1000, "");
        }
    }
}

/* Called by channels and workers, on any thread. */

static void on_line(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length)
{
    (void)id;
    service_send(data, line, length - 1, what == CHANNEL_ANSWER ? NET_REPLY : NET_TELEMETRY);
}

static void on_done(void *data)
{
    service_close(data, 1000, "");
}

/* Answers `logs` or `network` while another action runs. */
static bool answer_peek(const struct client *client, struct worker *worker, const char *text,
                        struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), err);
    struct br_response *response = action ? worker_peek(worker, action, err) : NULL;
    if (!response) {
        return false;
    }
    CLEANUP_FREE char *line = br_response_to_json(response);
    br_response_destroy(response);
    service_send(&client->base, line, strlen(line), NET_REPLY);
    service_close(&client->base, 1000, "");
    return true;
}

static int64_t limited_ms(const json_t *request, const char *name, int64_t fallback)
{
    double given = json_member_number(request, name, 0);
    return given >= 1 && given <= MAX_WAIT_MS ? (int64_t)given : fallback;
}

/* Returns the client's settings, for a new session with its defaults. Caller decrefs. */
static json_t *settings_of(const json_t *request)
{
    json_t *settings = json_deep_copy(json_object_get(request, "defaults"));
    if (!settings) {
        return json_incref(json_object_get(request, "settings"));
    }
    json_object_update_recursive(settings, json_object_get(request, "settings"));
    json_object_set(settings, "blank", json_object_get(request, "blank"));
    return settings;
}

static struct worker *worker_for(struct server *server, const json_t *request, const char *name,
                                 bool *ret_is_new, struct br_error *err)
{
    *ret_is_new = false;
    if (!json_member_bool(request, "opens", false)) {
        return sessions_find(server->sessions, name, err);
    }
    struct br_error ignored;
    struct worker *present = sessions_find(server->sessions, name, &ignored);
    const char *no_profile = json_member_string(request, "noProfile");
    worker_release(present);
    if (!present && no_profile) {
        error_set(err, BR_UNKNOWN_ERROR, "%s", no_profile);
        error_hint(err, "set HOME, or name a place with ⟨profile⟩ DIR or ⟨temp-profile⟩");
        return NULL;
    }
    json_auto_t *settings =
        present ? json_incref(json_object_get(request, "settings")) : settings_of(request);
    return sessions_open(server->sessions, name, settings, ret_is_new, err);
}

static void on_news(void *data, const char *text)
{
    const struct server *server = data;
    net_log_say(&server->options->log, "%s", text);
}

/* Returns NULL with the error. */
static struct console_sender *sender_for(struct server *server, const char *url,
                                         struct br_error *err)
{
    struct destination *found = server->destinations;
    while (found && strcmp(found->url, url) != 0) {
        found = found->next;
    }
    if (found) {
        return found->sender;
    }
    const struct console_sender_options options = { .url = url,
                                                    .on_news = on_news,
                                                    .data = server };
    struct console_sender *sender = console_sender_start(server->loop, &options, err);
    if (sender) {
        struct destination *own = xcalloc(1, sizeof(*own));
        *own = (struct destination){ server->destinations, xstrdup(url), sender };
        server->destinations = own;
    }
    return sender;
}

/* Call it when all sessions have ended. */
static void end_destinations(struct server *server)
{
    while (server->destinations) {
        struct destination *destination = server->destinations;
        server->destinations = destination->next;
        console_sender_stop(destination->sender);
        free(destination->url);
        free(destination);
    }
}

static void send_session(struct server *server, const struct client *client, struct worker *worker)
{
    json_t *object = sessions_describe(server->sessions, worker);
    json_object_set_new(object, "kind", json_string("session"));
    send_last(client, object);
}

static bool act(struct server *server, struct client *client, const json_t *request,
                const char *name, struct br_error *err)
{
    bool is_new = false;
    const char *text = json_member_string(request, "instructions");
    if (!text) {
        return error_set(err, BR_INVALID_ACTION, "a request to act needs instructions");
    }
    const char *url = json_member_string(request, "consoleBridge");
    struct console_sender *sender = url ? sender_for(server, url, err) : NULL;
    if (url && !sender) {
        return false;
    }
    struct worker *worker = worker_for(server, request, name, &is_new, err);
    if (!worker) {
        return false;
    }
    if (sender && !is_new) {
        worker_release(worker);
        error_set(err, BR_INVALID_ACTION, "the session %s is open already", name);
        return error_hint(err, "--console-bridge applies to a session when it is opened");
    }
    if (sender) {
        console_sender_join(sender, worker);
    }
    if (is_new) {
        net_log_say(&server->options->log, "session %s opened", name);
        service_send_json(&client->base,
                          json_pack("{s:s, s:s}", "kind", "opened", "session", name));
    }
    bool is_answered = true;
    if (!is_new && json_member_bool(request, "unlessOpen", false)) {
        send_session(server, client, worker);
    } else if (json_member_bool(request, "peek", false) && worker_idle_ms(worker) == 0) {
        is_answered = answer_peek(client, worker, text, err);
    } else {
        const struct channel_options options = {
            .chunk_size = (size_t)json_member_number(request, "chunkSize", 0),
            .directory = json_member_string(request, "directory"),
            .timeout_ms = (int)limited_ms(request, "timeoutMs", 0),
            .has_progress = json_member_bool(request, "progress", false),
            .has_summary = true,
            .handler = { .data = client, .on_line = on_line, .on_done = on_done },
        };
        client->channel = channel_open(worker, &options);
        int64_t begin_ms = limited_ms(request, "beginMs", BEGIN_MS);
        channel_feed(client->channel, text, strlen(text), begin_ms);
        service_tick_by(server->service, deadline_in_ms(begin_ms));
    }
    worker_release(worker);
    return is_answered;
}

static bool info(struct server *server, struct client *client, const char *name,
                 struct br_error *err)
{
    struct worker *worker = sessions_find(server->sessions, name, err);
    if (worker) {
        send_session(server, client, worker);
    }
    worker_release(worker);
    return worker;
}

/* Sends the session's console calls until the client cancels. */
static bool console(struct server *server, struct client *client, const char *name,
                    struct br_error *err)
{
    struct worker *worker = sessions_find(server->sessions, name, err);
    if (!worker) {
        return false;
    }
    client->follow = follow_start(worker, &client->base, service_wake, server->service);
    service_send_json(&client->base, json_pack("{s:s, s:s}", "kind", "following", "session", name));
    worker_release(worker);
    return true;
}

/* Opens a session that ends with this connection. */
static bool keep(struct server *server, struct client *client, const json_t *request,
                 const char *name, struct br_error *err)
{
    bool is_new = false;
    struct worker *worker = worker_for(server, request, name, &is_new, err);
    if (!worker) {
        return false;
    }
    worker_release(worker);
    net_log_say(&server->options->log, "session %s %s for a client", name,
                is_new ? "opened" : "kept");
    client->kept = xstrdup(name);
    service_send_json(&client->base, json_pack("{s:s, s:s, s:b}", "kind", "kept", "session", name,
                                               "opened", is_new));
    return true;
}

static bool list(struct server *server, struct client *client)
{
    struct worker **workers = NULL;
    size_t count = sessions_all(server->sessions, &workers);
    json_t *sessions = json_array();
    for (size_t i = count; i > 0; i--) { /* the oldest first */
        json_array_append_new(sessions, sessions_describe(server->sessions, workers[i - 1]));
        worker_release(workers[i - 1]);
    }
    free(workers);
    json_t *daemon =
        json_pack("{s:s, s:i, s:I, s:I}", "version", server->version, "pid", (int)getpid(), "ageMs",
                  (json_int_t)(clock_monotonic_ms() - server->began_at_ms), "memoryBytes",
                  (json_int_t)platform_process_memory(getpid()));
    send_last(client, json_pack("{s:s, s:o, s:o}", "kind", "sessions", "daemon", daemon, "sessions",
                                sessions));
    return true;
}

/* Sessions that are being stopped, for one client. */
struct stopping {
    struct server *server;
    struct service_client *client; /* held */
    bool ends_daemon;
    json_t *names; /* owned */
    atomic_size_t left;
};

static void on_stopped(void *data)
{
    struct stopping *stopping = data;
    if (atomic_fetch_sub(&stopping->left, 1) > 1) {
        return;
    }
    send_last((struct client *)stopping->client,
              json_pack("{s:s, s:o, s:b}", "kind", "stopped", "sessions", stopping->names,
                        "daemonEnds", stopping->ends_daemon));
    if (stopping->ends_daemon) {
        end_soon(stopping->server);
    }
    service_client_release(stopping->client);
    free(stopping);
}

static void stop_workers(struct server *server, struct client *client, struct worker **workers,
                         size_t count, bool ends_daemon)
{
    struct stopping *stopping = xcalloc(1, sizeof(*stopping));
    *stopping = (struct stopping){ .server = server,
                                   .client = service_client_hold(&client->base),
                                   .ends_daemon = ends_daemon,
                                   .names = json_array() };
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(stopping->names, json_string(worker_name(workers[i])));
    }
    atomic_init(&stopping->left,
                count + 1); /* one for the last line, since there may be no worker */
    for (size_t i = 0; i < count; i++) {
        net_log_say(&server->options->log, "session %s is stopped", worker_name(workers[i]));
        worker_stop(workers[i], on_stopped, stopping);
        worker_release(workers[i]);
    }
    end_following(server, NULL);
    on_stopped(stopping);
}

static bool stop(struct server *server, struct client *client, const json_t *request,
                 const char *name, struct br_error *err)
{
    if (json_member_bool(request, "all", false)) {
        struct worker **workers = NULL;
        size_t count = sessions_all(server->sessions, &workers);
        stop_workers(server, client, workers, count, true);
        free(workers);
        return true;
    }
    struct worker *worker = sessions_find(server->sessions, name, err);
    if (worker) {
        stop_workers(server, client, &worker, 1, false);
    } else {
        /* What was asked for is the case. */
        send_last(client,
                  json_pack("{s:s, s:[], s:b}", "kind", "stopped", "sessions", "daemonEnds", 0));
    }
    return true;
}

/* Answers a client of another version. Without sessions, this daemon ends for the client's own. */
static bool refuse_version(struct server *server, struct client *client, const char *version)
{
    struct worker **workers = NULL;
    size_t count = sessions_all(server->sessions, &workers);
    for (size_t i = 0; i < count; i++) {
        worker_release(workers[i]);
    }
    free(workers);
    net_log_say(&server->options->log, "a client of version %s: %s", version,
                count ? "refused, sessions are open" : "this daemon ends for its own");
    send_last(client, json_pack("{s:s, s:s, s:i, s:I, s:b}", "kind", "otherVersion", "version",
                                server->version, "pid", (int)getpid(), "sessions",
                                (json_int_t)count, "ends", count == 0));
    if (count == 0) {
        end_soon(server);
    }
    return true;
}

static bool answer(struct server *server, struct client *client, const json_t *request,
                   struct br_error *err)
{
    static const struct shape members[] = {
        { .name = "version", .kind = SHAPE_NAME, .is_required = true },
        { .name = "op", .kind = SHAPE_NAME, .is_required = true },
        { .name = "session", .kind = SHAPE_NAME },
        { .name = "instructions", .kind = SHAPE_TEXT },
        { .name = "consoleBridge", .kind = SHAPE_TEXT },
        { .name = "beginMs", .kind = SHAPE_COUNT },
        { .name = "chunkSize", .kind = SHAPE_COUNT },
        { .name = "timeoutMs", .kind = SHAPE_COUNT },
        { .name = "directory", .kind = SHAPE_TEXT },
        { .name = "noProfile", .kind = SHAPE_TEXT },
        { .name = "opens", .kind = SHAPE_BOOLEAN },
        { .name = "blank", .kind = SHAPE_BOOLEAN },
        { .name = "peek", .kind = SHAPE_BOOLEAN },
        { .name = "unlessOpen", .kind = SHAPE_BOOLEAN },
        { .name = "progress", .kind = SHAPE_BOOLEAN },
        { .name = "all", .kind = SHAPE_BOOLEAN },
        { 0 },
    };
    if (!shape_check(request, members, "", err)) {
        return false;
    }
    const char *op = json_member_string(request, "op");
    const char *version = json_member_string(request, "version");
    const char *name = json_member_string(request, "session");
    name = name ? name : "default";
    if (strcmp(op, "list") == 0) {
        return list(server, client);
    }
    if (strcmp(op, "stop") == 0) {
        return stop(server, client, request, name, err);
    }
    if (strcmp(version, server->version) != 0) {
        return refuse_version(server, client, version);
    }
    if (strcmp(op, "info") == 0) {
        return info(server, client, name, err);
    }
    if (strcmp(op, "console") == 0) {
        return console(server, client, name, err);
    }
    if (strcmp(op, "act") == 0) {
        return act(server, client, request, name, err);
    }
    if (strcmp(op, "keep") == 0) {
        return keep(server, client, request, name, err);
    }
    return error_set(err, BR_INVALID_ACTION, "the daemon does not know \"%s\"", op);
}

static void on_message(struct service_client *base, struct service_message *message)
{
    struct br_error err;
    struct client *client = (struct client *)base;
    struct server *server = base->data;
    json_auto_t *request = json_parse(message->text, message->length, "the request", &err);
    const char *op = json_member_string(request, "op");
    server->asked_at_ms = clock_monotonic_ms();
    if (client->was_asked && op && strcmp(op, "cancel") == 0) {
        if (client->channel) {
            channel_cancel(client->channel, 0, &err);
        }
        if (client->follow) {
            service_close(base, 1000, "");
        }
        return;
    }
    if (client->was_asked) {
        return; /* only one request for each connection */
    }
    client->was_asked = true;
    client->charge = TAKE(message->charge);
    if (!request || !answer(server, client, request, &err)) {
        err.code = request ? err.code : BR_INVALID_ACTION;
        send_last(client, error_json(&err));
    }
}

/* Stops the session that was kept for a client, unless it has ended before. */
static void end_kept(struct client *client)
{
    struct br_error ignored;
    const struct server *server = client->base.data;
    struct worker *worker = client->kept && server->sessions
                                ? sessions_find(server->sessions, client->kept, &ignored)
                                : NULL;
    if (worker) {
        net_log_say(&server->options->log, "session %s ends with its client", client->kept);
        worker_stop(worker, NULL, NULL);
    }
    worker_release(worker);
    free(client->kept);
}

static void on_closed(struct service_client *base)
{
    struct client *client = (struct client *)base;
    channel_close(client->channel);
    follow_stop(client->follow);
    end_kept(client);
    net_charge_release(client->charge);
}

static const struct service_type type = {
    .client_size = sizeof(struct client),
    .max_bytes = MAX_INBOX,
    .on_message = on_message,
    .on_closed = on_closed,
};

/* How long the daemon may still be idle; 0: it is to end now; -1: for ever. */
static int64_t idle_left_ms(struct server *server)
{
    int64_t idle_ms = clock_monotonic_ms() - server->asked_at_ms;
    int64_t of_sessions = sessions_idle_ms(server->sessions);
    int64_t shorter_ms = idle_ms < of_sessions ? idle_ms : of_sessions;
    int64_t left_ms = server->options->idle_ms - shorter_ms;
    return !server->options->idle_ms ? -1 : left_ms > 0 ? left_ms : 0;
}

/* Checks for late calls, sessions that have ended, and the end of the idle time. */
static struct deadline on_tick(void *data)
{
    struct server *server = data;
    struct deadline due = sessions_sweep(server->sessions);
    end_following(server, NULL);
    int64_t left_ms = idle_left_ms(server);
    if (left_ms == 0) {
        net_log_say(&server->options->log, "ending: no request for %lld s",
                    (long long)server->options->idle_ms / 1000);
        end_soon(server);
        return DEADLINE_NEVER;
    }
    return left_ms > 0 ? deadline_earlier(due, deadline_in_ms(left_ms)) : due;
}

/* Returns when the daemon is to end. */
static void await_end(const struct server *server)
{
    struct pollfd fds[] = { { .fd = server->end_fd, .events = POLLIN },
                            { .fd = server->options->stop_fd, .events = POLLIN } };
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    if (fds[1].revents) {
        net_log_say(&server->options->log, "ending on request");
    }
}

static bool listen_at(struct server *server, const struct local_place *place, struct br_error *err)
{
    struct net_listener_options options = NET_LISTENER_OPTIONS_INIT;
    options.name = "local";
    options.framing = NET_LINES;
    options.unix_path = server->options->listen_fd < 0 ? place->socket : NULL;
    options.fd_count = server->options->listen_fd >= 0;
    options.fds[0] = server->options->listen_fd;
    options.limits.max_message = MAX_REQUEST;
    options.limits.max_queue = MAX_ANSWERS;
    if (server->options->listen_fd < 0) {
        unlink(place->socket); /* left by a dead daemon: this one holds the lock */
    }
    server->port = service_listen(server->service, &type, &options, err);
    return server->port;
}

static bool run(struct server *server, const struct local_place *place, struct br_error *err)
{
    server->loop = loop_create(false, err);
    if (!server->loop) {
        return false;
    }
    server->sessions = sessions_create(server->loop, false);
    server->service = service_create(server->loop, on_tick, server);
    server->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sessions_watch_ends(server->sessions, service_wake, server->service);
    bool is_listening = listen_at(server, place, err) && service_begin(server->service, err);
    if (is_listening) {
        net_log_say(&server->options->log, "listening at %s, process %ld, version %s",
                    place->socket, (long)getpid(), server->version);
        server->options->on_listening(place->socket);
        await_end(server);
        if (server->options->listen_fd < 0) {
            unlink(place->socket); /* from now on clients start another daemon */
        }
    }
    service_end(server->service);
    end_following(server, "the daemon of warm sessions ends");
    sessions_destroy(server->sessions);
    server->sessions = NULL;
    end_destinations(server);
    struct service_client *client = server->port ? service_clients(server->port) : NULL;
    for (; client; client = client->next) {
        on_closed(client);
    }
    service_destroy(server->service, CLOSE_MS);
    close(server->end_fd);
    loop_destroy(server->loop);
    return is_listening;
}

bool daemon_run(const struct daemon_options *options, struct br_error *err)
{
    struct local_place place;
    struct server server = { .options = options,
                             .version = local_version(),
                             .asked_at_ms = clock_monotonic_ms(),
                             .began_at_ms = clock_monotonic_ms() };
    bool is_held = false;
    int lock = local_place_prepare(&place, err) ? local_place_lock(&place, &is_held, err) : -1;
    bool is_fine = lock >= 0 ? run(&server, &place, err) : is_held;
    if (lock >= 0) {
        close(lock);
    }
    free(server.version);
    local_place_finish(&place);
    return is_fine;
}
