#include "runner/servers/clients/console_sender.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/console/envelope.h"
#include "runner/console/write.h"
#include "runner/loop/mailbox.h"
#include "runner/net/transport.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    CONNECT_MS = 3000,
    SEND_MS = 5000,
    FLUSH_MS = 2000, /* limit for sending the rest at the end */
    LOOK_MS = 250,   /* between two looks at what waits for titles */
    FIRST_PAUSE_MS = 1000,
    MAX_PAUSE_MS = 16000,
    PING_MS = 30000,
    PONG_MS = 10000,
    SEND_DROPPED_MS = 1000,
    MAX_TEXT = 200, /* bytes of a server's error that are shown to the user */
};

static const struct server_kind console_peer = {
    .name = "the console",
    .start = "console --port ",
};

/* A message from the server, or the end of a connection. */
struct item {
    struct console_post post;
    bool is_end;
    char *text;          /* the message, or why the connection has ended */
    uint64_t connection; /* the number of the connection */
};

/* A session whose console is sent. */
struct source {
    struct source *next;
    struct console_feed *feed;
};

struct console_sender {
    struct loop *loop;
    char *url;
    struct console_sender_options options;
    struct mailbox *mailbox;
    int wake_fd; /* an eventfd that ends a pause */
    pthread_t thread;
    atomic_bool is_ending;
    atomic_size_t dropped;
    struct console_feed_place place;
    pthread_mutex_t mutex; /* guards `sources` */
    struct source *sources;
    atomic_uint last_tab;
    atomic_uint_fast64_t connection; /* the number of the present connection */
    /* Used on the sender's thread: */
    struct transport *transport; /* NULL: not connected */
    char *browser;
    bool has_greeted;
    size_t sent;      /* calls on this connection */
    bool is_refused;  /* the server does not support our version: nothing is sent */
    bool has_warned;  /* the user knows that the connection is lost */
    int64_t pause_ms; /* before the next try */
    int64_t dropped_sent_ms, pinged_ms, heard_ms;
    uint64_t pings;
};

static void item_destroy(struct message *message)
{
    struct item *item = (struct item *)message;
    free(item->text);
    free(item);
}

/* Takes ownership of the text. */
static void post(struct console_sender *sender, bool is_end, char *text, size_t length)
{
    struct item *item = xcalloc(1, sizeof(*item));
    item->post.message.destroy = item_destroy;
    item->post.message.size = sizeof(*item) + length;
    item->post.message.is_droppable = !is_end;
    item->is_end = is_end;
    item->text = text;
    item->connection = atomic_load(&sender->connection);
    mailbox_post(sender->mailbox, &item->post.message);
}

/* On the session's thread. */

/* worker: that of the session; NULL: it has none. */
static struct console_feed *open_feed(struct console_sender *sender, struct br_session *session,
                                      struct worker *worker, struct br_error *err)
{
    struct source *source = xcalloc(1, sizeof(*source));
    source->feed = console_feed_create(&sender->place, session, worker);
    mutex_lock(&sender->mutex);
    source->next = sender->sources;
    sender->sources = source;
    mutex_unlock(&sender->mutex);
    return console_feed_subscribe(source->feed, err) ? source->feed : NULL;
}

struct console_feed *console_feed_open(struct console_sender *sender, struct br_session *session,
                                       struct br_error *err)
{
    return open_feed(sender, session, NULL, err);
}

/* If it is refused, the session's next call reports why. */
static void on_join(void *data, const struct worker_call *call)
{
    struct br_error err;
    struct console_sender *sender = data;
    if (call->session && !open_feed(sender, call->session, call->worker, &err) &&
        sender->options.on_news) {
        CLEANUP_FREE char *text =
            xasprintf("console-bridge: the console of session %s is not sent: %s",
                      worker_name(call->worker), err.message);
        sender->options.on_news(sender->options.data, text);
    }
}

void console_sender_join(struct console_sender *sender, struct worker *worker)
{
    worker_post(worker, DEADLINE_NEVER, on_join, sender);
}

/* On the loop thread. */

static void on_message(void *data, char *text, size_t length)
{
    post(data, false, text, length);
}

static void on_closed(void *data, const char *reason)
{
    post(data, true, xstrdup(reason), 0);
}

/* On the sender's thread. */

static void warn(struct console_sender *sender, const char *text)
{
    if (sender->options.on_news) {
        sender->options.on_news(sender->options.data, text);
    }
}

static void disconnect(struct console_sender *sender)
{
    if (sender->transport) {
        sender->transport->ops->destroy(sender->transport);
        sender->transport = NULL;
    }
}

/* Warns the user only once until the connection is back. */
static void handle_loss(struct console_sender *sender, const char *why)
{
    disconnect(sender);
    if (!sender->has_warned && !atomic_load(&sender->is_ending)) {
        CLEANUP_FREE char *text =
            xasprintf("console-bridge: %s; trying again. Console messages are kept meanwhile, up "
                      "to a limit; above it the newest are dropped",
                      why);
        warn(sender, text);
        sender->has_warned = true;
    }
}

/* Takes ownership of the text. */
static bool send_text(struct console_sender *sender, char *text)
{
    struct br_error err;
    if (!sender->transport || !text) {
        free(text);
        return false;
    }
    bool is_sent = sender->transport->ops->send(sender->transport, text, strlen(text),
                                                deadline_in_ms(SEND_MS), &err);
    free(text);
    if (!is_sent) {
        handle_loss(sender, err.message);
    }
    return is_sent;
}

/* The protocol's clientInfo, made of "Chrome/156.0". */
static json_t *client_info(const struct console_sender *sender)
{
    const char *slash = sender->browser ? strchr(sender->browser, '/') : NULL;
    json_t *info =
        json_pack("{s:s, s:s}", "extensionVersion", BROWSER_RUNNER_VERSION, "browser", "Chrome");
    if (slash) {
        CLEANUP_FREE char *name = xstrndup(sender->browser, (size_t)(slash - sender->browser));
        json_object_set_new(info, "browser", json_text(name));
        json_object_set_new(info, "browserVersion", json_text(slash + 1));
    }
    return info;
}

static bool greet(struct console_sender *sender)
{
    if (sender->has_greeted) {
        return true;
    }
    sender->has_greeted = true;
    return send_text(sender, envelope_text("connection_status", clock_wall_ms(), NULL,
                                           json_pack("{s:s, s:o}", "status", "connected",
                                                     "clientInfo", client_info(sender))));
}

static char *event_text(const struct console_event *event)
{
    return envelope_text("console_event", event->time_ms, console_source_json(event),
                         console_payload_json(event));
}

static bool send_call(struct console_sender *sender, const struct console_event *call)
{
    return !sender->is_refused && greet(sender) && send_text(sender, event_text(call));
}

static void send_saying(struct console_sender *sender, struct console_saying *saying)
{
    if (saying->status && !sender->is_refused && greet(sender)) {
        send_text(sender, TAKE(saying->status));
    }
    free(saying->status);
    if (saying->timer) {
        send_call(sender, saying->timer);
    }
    for (int i = 0; saying->call && i < saying->times; i++) {
        bool is_sent = send_call(sender, saying->call);
        atomic_fetch_add(&sender->dropped, !is_sent);
        sender->sent += is_sent;
    }
    console_event_destroy(saying->timer);
    console_event_destroy(saying->call);
}

/* Sends the events that need not wait for a title any more. */
static void send_ready(struct console_sender *sender, struct console_feed *feed, bool is_all)
{
    struct console_saying saying;
    while (console_feed_next(feed, is_all, &saying)) {
        send_saying(sender, &saying);
    }
}

/* Returns whether events still wait. */
static bool send_all_ready(struct console_sender *sender, bool is_all)
{
    bool has_more = false;
    mutex_lock(&sender->mutex);
    struct source *source = sender->sources;
    mutex_unlock(&sender->mutex);
    for (; source; source = source->next) {
        send_ready(sender, source->feed, is_all);
        has_more |= console_feed_awaits(source->feed);
    }
    return has_more;
}

/* The server does not support our version of the protocol. */
static void say_refused(struct console_sender *sender, const json_t *details)
{
    enum { MAX_VERSIONS = 10 };
    CLEANUP_STRBUF struct strbuf versions = STRBUF_INIT(MAX_TEXT);
    size_t index;
    json_t *version;
    json_array_foreach (json_object_get(details, "supportedVersions"), index, version) {
        if (index < MAX_VERSIONS && json_is_string(version)) {
            strbuf_add_format(&versions, "%s%s", index ? ", " : "", json_string_value(version));
        }
    }
    CLEANUP_FREE char *text = xasprintf(
        "console-bridge: the server at %s does not take version %s of the protocol%s%s: console "
        "messages are not sent. Start a server that does, such as browser-runner console",
        sender->url, CONSOLE_PROTOCOL, versions.length ? ", only " : "",
        versions.length ? versions.data : "");
    sender->is_refused = true;
    atomic_fetch_add(&sender->dropped, sender->sent); /* it has ignored them */
    sender->sent = 0;
    warn(sender, text);
}

/* Shows the server's error to the user. */
static void show_server_error(struct console_sender *sender, const json_t *payload)
{
    const char *code = json_member_string(payload, "code");
    const char *why = json_member_string(payload, "message");
    if (code && strcmp(code, "UNSUPPORTED_VERSION") == 0) {
        say_refused(sender, json_object_get(payload, "details"));
        return;
    }
    if (code && strcmp(code, "RATE_LIMIT") == 0) {
        return; /* the server only counts there what it does not show */
    }
    CLEANUP_FREE char *text = xasprintf("console-bridge: the server says %.*s: %.*s", MAX_TEXT,
                                        code ? code : "an error", MAX_TEXT, why ? why : "");
    warn(sender, text);
}

static void handle_message(struct console_sender *sender, const char *text)
{
    struct br_error ignored;
    json_auto_t *message = json_parse(text, strlen(text), "the server", &ignored);
    const char *type = json_member_string(message, "type");
    const json_t *payload = json_object_get(message, "payload");
    sender->heard_ms = clock_monotonic_ms();
    sender->pause_ms = FIRST_PAUSE_MS;
    if (type && strcmp(type, "ping") == 0) {
        send_text(sender, envelope_pong(payload));
    } else if (type && strcmp(type, "error") == 0) {
        show_server_error(sender, payload);
    }
}

/* Takes ownership of the post. */
static void take(struct console_sender *sender, struct console_post *post)
{
    if (post->feed) {
        struct console_feed *feed = post->feed;
        char *browser = console_feed_take(feed, post);
        if (browser) {
            free(sender->browser);
            sender->browser = browser;
        }
        send_ready(sender, feed, false);
        return;
    }
    const struct item *item = (const struct item *)post;
    bool is_present = item->connection == atomic_load(&sender->connection);
    if (is_present && item->is_end) {
        handle_loss(sender, item->text);
    } else if (is_present) {
        handle_message(sender, item->text);
    }
    message_destroy(&post->message);
}

static void send_dropped(struct console_sender *sender)
{
    int64_t now_ms = clock_monotonic_ms();
    atomic_fetch_add(&sender->dropped, mailbox_take_dropped(sender->mailbox));
    /* What a server refuses is counted for the user alone. */
    if (sender->is_refused || now_ms - sender->dropped_sent_ms < SEND_DROPPED_MS) {
        return;
    }
    size_t dropped = atomic_exchange(&sender->dropped, 0);
    if (dropped == 0) {
        return;
    }
    sender->dropped_sent_ms = now_ms;
    CLEANUP_FREE char *why =
        xasprintf("%zu console messages were dropped: too many, or too fast", dropped);
    json_t *payload = json_pack("{s:s, s:o, s:{s:I}}", "code", "RATE_LIMIT", "message",
                                json_text(why), "details", "dropped", (json_int_t)dropped);
    if (!send_text(sender, envelope_text("error", clock_wall_ms(), NULL, payload))) {
        atomic_fetch_add(&sender->dropped, dropped);
    }
}

/* Pings a silent server, and drops the connection if it does not answer. */
static void check_alive(struct console_sender *sender)
{
    int64_t now_ms = clock_monotonic_ms();
    bool is_asked = sender->pinged_ms > sender->heard_ms;
    if (is_asked && now_ms - sender->pinged_ms > PONG_MS) {
        handle_loss(sender, "the server does not answer");
    } else if (!is_asked && now_ms - sender->heard_ms > PING_MS && sender->has_greeted) {
        CLEANUP_FREE char *id = xasprintf("ping-%" PRIu64, ++sender->pings);
        sender->pinged_ms = now_ms;
        send_text(sender, envelope_ping(id));
    }
}

/* When the connection has to be looked at, if no message comes. */
static struct deadline look_due(const struct console_sender *sender, bool has_held)
{
    bool is_asked = sender->pinged_ms > sender->heard_ms;
    int64_t alive_ms = is_asked              ? sender->pinged_ms + PONG_MS + 1
                       : sender->has_greeted ? sender->heard_ms + PING_MS + 1
                                             : INT64_MAX;
    bool has_dropped = atomic_load(&sender->dropped) && !sender->is_refused;
    int64_t dropped_ms = has_dropped ? sender->dropped_sent_ms + SEND_DROPPED_MS : INT64_MAX;
    int64_t due_ms = alive_ms < dropped_ms ? alive_ms : dropped_ms;
    struct deadline due =
        due_ms == INT64_MAX ? DEADLINE_NEVER : deadline_in_ms(due_ms - clock_monotonic_ms());
    return has_held ? deadline_earlier(due, deadline_in_ms(LOOK_MS)) : due;
}

static bool connect_to(struct console_sender *sender)
{
    struct br_error err;
    const struct transport_handler handler = { .on_message = on_message,
                                               .on_closed = on_closed,
                                               .data = sender };
    atomic_fetch_add(&sender->connection, 1);
    sender->transport = transport_websocket_connect(sender->loop, sender->url, &console_peer,
                                                    deadline_in_ms(CONNECT_MS), &err);
    if (!sender->transport || !sender->transport->ops->start(sender->transport, &handler, &err)) {
        handle_loss(sender, err.message);
        return false;
    }
    if (sender->has_warned) {
        warn(sender, "console-bridge: connected again");
    }
    sender->has_warned = sender->has_greeted = sender->is_refused = false;
    sender->sent = 0;
    sender->pinged_ms = 0;
    sender->heard_ms = clock_monotonic_ms();
    return true;
}

/* Waits before the next try; console_sender_stop() ends the wait. */
static void pause_between(struct console_sender *sender)
{
    struct pollfd wake = { .fd = sender->wake_fd, .events = POLLIN };
    struct deadline end = deadline_in_ms(sender->pause_ms);
    while (poll(&wake, 1, (int)deadline_left_ms(end)) < 0 && errno == EINTR) {
    }
    sender->pause_ms = sender->pause_ms >= MAX_PAUSE_MS ? MAX_PAUSE_MS : 2 * sender->pause_ms;
}

/* Returns when the connection has ended, or when the sender ends and all is sent. */
static void serve_connection(struct console_sender *sender)
{
    struct deadline flush = deadline_in_ms(INT32_MAX);
    bool is_flushing = false;
    bool has_held = true;
    while (sender->transport && !deadline_passed(flush)) {
        bool is_ending = atomic_load(&sender->is_ending);
        if (is_ending && !is_flushing) {
            is_flushing = true;
            flush = deadline_in_ms(FLUSH_MS);
        }
        struct console_post *post = (struct console_post *)mailbox_wait(
            sender->mailbox, is_ending ? deadline_in_ms(0) : look_due(sender, has_held));
        bool is_empty = !post;
        if (post) {
            take(sender, post);
        }
        has_held = send_all_ready(sender, is_ending && is_empty);
        if (is_empty && is_ending) {
            break;
        }
        if (sender->transport) {
            send_dropped(sender);
        }
        if (sender->transport) {
            check_alive(sender);
        }
    }
}

static void say_goodbye(struct console_sender *sender)
{
    if (sender->transport && sender->has_greeted) {
        send_text(sender, envelope_text("connection_status", clock_wall_ms(), NULL,
                                        json_pack("{s:s, s:s}", "status", "disconnected", "reason",
                                                  "the session has ended")));
    }
    disconnect(sender);
}

/* Counts the calls that were never sent. */
static void warn_of_unsent(struct console_sender *sender)
{
    struct console_post *post;
    send_all_ready(sender, true); /* without a connection they are counted */
    size_t count = atomic_load(&sender->dropped) + mailbox_take_dropped(sender->mailbox);
    while ((post = (struct console_post *)mailbox_wait(sender->mailbox, deadline_in_ms(0)))) {
        count += post->message.is_droppable && post->feed;
        message_destroy(&post->message);
    }
    if (count > 0) {
        CLEANUP_FREE char *text = xasprintf(
            "console-bridge: %zu console messages were not sent to %s", count, sender->url);
        warn(sender, text);
    }
}

static void *run(void *data)
{
    struct console_sender *sender = data;
    while (!atomic_load(&sender->is_ending)) {
        if (connect_to(sender)) {
            serve_connection(sender);
        }
        if (!atomic_load(&sender->is_ending)) {
            pause_between(sender);
        }
    }
    say_goodbye(sender);
    warn_of_unsent(sender);
    return NULL;
}

static void sender_free(struct console_sender *sender)
{
    while (sender->sources) {
        struct source *source = sender->sources;
        sender->sources = source->next;
        console_feed_destroy(source->feed);
        free(source);
    }
    mailbox_destroy(sender->mailbox);
    pthread_mutex_destroy(&sender->mutex);
    if (sender->wake_fd >= 0) {
        close(sender->wake_fd);
    }
    free(sender->browser);
    free(sender->url);
    free(sender);
}

static bool check_url(const char *url, struct br_error *err)
{
    struct server_url server;
    if (!server_url_parse(url, &server, err)) {
        return false;
    }
    return !server.is_http ||
           error_set(err, BR_INVALID_ACTION,
                     "%.200s is not a WebSocket URL: it must begin with ws:// or wss://", url);
}

struct console_sender *console_sender_start(struct loop *loop,
                                            const struct console_sender_options *options,
                                            struct br_error *err)
{
    if (!check_url(options->url, err)) {
        return NULL;
    }
    struct console_sender *sender = xcalloc(1, sizeof(*sender));
    sender->loop = loop;
    sender->url = xstrdup(options->url);
    sender->options = *options;
    sender->pause_ms = FIRST_PAUSE_MS;
    sender->mailbox = mailbox_create(SENDER_MAX_WAITING);
    sender->place = (struct console_feed_place){ .mailbox = sender->mailbox,
                                                 .dropped = &sender->dropped,
                                                 .last_tab = &sender->last_tab };
    sender->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&sender->mutex, NULL);
    int failure = sender->wake_fd < 0 ? errno : thread_start(&sender->thread, run, sender);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start a thread");
        sender_free(sender);
        return NULL;
    }
    return sender;
}

void console_sender_stop(struct console_sender *sender)
{
    if (sender) {
        atomic_store(&sender->is_ending, true);
        mailbox_wake(sender->mailbox);
        eventfd_write(sender->wake_fd, 1);
        pthread_join(sender->thread, NULL);
        sender_free(sender);
    }
}
