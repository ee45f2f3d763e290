#include "runner/net/service.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/loop/mailbox.h"

#include <pthread.h>
#include <string.h>

struct service_port {
    struct service_port *next;
    struct service *service;
    const struct service_type *type;
    struct net_listener *listener;
    struct net_budget *budget;
    struct service_client *clients; /* used on the service's thread */
};

struct service {
    struct loop *loop;
    struct deadline (*on_tick)(void *data);
    void *data;
    struct mailbox *mailbox;
    struct service_port *ports;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_ending;
    struct deadline due; /* for on_tick(); used on the service's thread */
};

enum service_event_kind {
    EVENT_OPENED,
    EVENT_MESSAGE,
    EVENT_ENDED, /* the client sends no more, and may still read */
    EVENT_CLOSED,
};

struct service_event {
    struct message message;
    enum service_event_kind kind;
    struct service_port *port;
    uint64_t connection;
    struct service_message content; /* of EVENT_MESSAGE; its text: also the query of EVENT_OPENED */
    char *headers[NET_MAX_HEADERS]; /* of a request; NULL: not sent */
    char text[];
};

/* On the loop thread. */

static void destroy_event(struct message *message)
{
    struct service_event *event = (struct service_event *)message;
    net_charge_release(event->content.charge);
    for (size_t i = 0; i < NET_MAX_HEADERS; i++) {
        free(event->headers[i]);
    }
    free(event);
}

static struct service_event *make_event(struct service_port *port, enum service_event_kind kind,
                                        uint64_t id, const char *text, size_t length)
{
    struct service_event *event = xcalloc(1, sizeof(*event) + length + 1);
    event->message.destroy = destroy_event;
    event->kind = kind;
    event->port = port;
    event->connection = id;
    event->content.length = length;
    event->content.text = memcpy(event->text, text, length);
    event->content.headers = (const char *const *)event->headers;
    if (kind == EVENT_MESSAGE) {
        event->content.charge = net_budget_charge(port->budget, id, length);
    }
    return event;
}

static void post(struct service_port *port, enum service_event_kind kind, uint64_t id,
                 const char *text, size_t length)
{
    struct service_event *event = make_event(port, kind, id, text, length);
    mailbox_post(port->service->mailbox, &event->message);
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    struct service_port *port = data;
    const char *query = peer->query ? peer->query : "";
    if (port->type->path && strcmp(port->type->path, peer->path) != 0) {
        return false;
    }
    post(port, EVENT_OPENED, id, query, strlen(query));
    return true;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    post(data, EVENT_MESSAGE, id, text, length);
}

static void on_end(void *data, uint64_t id)
{
    post(data, EVENT_ENDED, id, "", 0);
}

static void on_closed(void *data, uint64_t id)
{
    post(data, EVENT_CLOSED, id, "", 0);
}

static void post_request(struct service_port *port, const struct net_request *request)
{
    post(port, EVENT_OPENED, request->id, "", 0);
    struct service_event *event =
        make_event(port, EVENT_MESSAGE, request->id, request->body, request->body_length);
    for (size_t i = 0; port->type->headers && port->type->headers[i]; i++) {
        event->headers[i] = xstrdup(request->headers[i]);
    }
    mailbox_post(port->service->mailbox, &event->message);
}

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    struct service_port *port = data;
    const struct service_type *type = port->type;
    if (type->on_request) {
        type->on_request(port->service->data, request, answer);
    }
    if (!type->takes_bodies || !answer->is_later) {
        return;
    }
    if (net_budget_is_full(port->budget)) {
        answer->is_later = false;
        answer->status = 503;
        answer->retry_after_s = 1;
        strbuf_add_string(&answer->body, "Too much waits to be read.\n");
    } else {
        post_request(port, request);
    }
}

static void on_metrics(void *data, struct strbuf *text)
{
    const struct service_port *port = data;
    if (port->type->on_metrics) {
        port->type->on_metrics(port->service->data, text);
    }
}

/* On the service's thread. */

static void open_client(struct service_port *port, const struct service_event *event)
{
    struct service_client *client = xcalloc(1, port->type->client_size);
    *client = (struct service_client){ .next = port->clients,
                                       .port = port,
                                       .data = port->service->data,
                                       .connection = event->connection,
                                       .references = 1 };
    port->clients = client;
    if (port->type->on_opened) {
        port->type->on_opened(client, event->text);
    }
}

static void remove_client(struct service_port *port, struct service_client **place)
{
    struct service_client *client = *place;
    *place = client->next;
    if (port->type->on_closed) {
        port->type->on_closed(client);
    }
    service_client_release(client);
}

static void handle(struct service_event *event)
{
    struct service_port *port = event->port;
    struct service_client **place = &port->clients;
    while (*place && (*place)->connection != event->connection) {
        place = &(*place)->next;
    }
    if (event->kind == EVENT_OPENED) {
        open_client(port, event);
    } else if (*place && event->kind == EVENT_MESSAGE) {
        port->type->on_message(*place, &event->content);
    } else if (*place) {
        if (event->kind == EVENT_ENDED) { /* who ends its side does not wait for an answer */
            service_close(*place, 1000, "");
        }
        remove_client(port, place);
    }
}

static void *run(void *data)
{
    struct service *service = data;
    while (!atomic_load(&service->is_ending)) {
        struct message *message = mailbox_wait(service->mailbox, service->due);
        if (message) {
            handle((struct service_event *)message);
            message_destroy(message);
        }
        if (!message || deadline_passed(service->due)) {
            service->due = service->on_tick(service->data);
        }
    }
    return NULL;
}

struct service *service_create(struct loop *loop, struct deadline (*on_tick)(void *data),
                               void *data)
{
    struct service *service = xcalloc(1, sizeof(*service));
    service->loop = loop;
    service->on_tick = on_tick;
    service->data = data;
    service->mailbox = mailbox_create(0);
    return service;
}

struct service_port *service_listen(struct service *service, const struct service_type *type,
                                    const struct net_listener_options *options,
                                    struct br_error *err)
{
    struct net_listener_options own = *options;
    struct service_port *port = xcalloc(1, sizeof(*port));
    port->service = service;
    port->type = type;
    port->budget = net_budget_create(service->loop, type->max_bytes);
    own.handler = (struct net_handler){
        .data = port,
        .on_open = on_open,
        .on_message = type->takes_bodies ? NULL : on_message,
        .on_end = on_end,
        .on_closed = on_closed,
        .on_request = on_request,
        .takes_bodies = type->takes_bodies,
        .headers = type->headers,
        .on_metrics = on_metrics,
    };
    port->listener = net_listen(service->loop, &own, err);
    if (!port->listener) {
        net_budget_release(port->budget);
        free(port);
        return NULL;
    }
    net_budget_attach(port->budget, port->listener);
    port->next = service->ports;
    service->ports = port;
    return port;
}

struct net_listener *service_listener(const struct service_port *port)
{
    return port->listener;
}

bool service_begin(struct service *service, struct br_error *err)
{
    int failure = thread_start(&service->thread, run, service);
    service->has_thread = !failure;
    return !failure ||
           error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server's thread");
}

void service_wake(void *data)
{
    const struct service *service = data;
    mailbox_wake(service->mailbox);
}

void service_tick_by(struct service *service, struct deadline due)
{
    service->due = deadline_earlier(service->due, due);
}

void service_end(struct service *service)
{
    if (service && service->has_thread) {
        atomic_store(&service->is_ending, true);
        mailbox_wake(service->mailbox);
        pthread_join(service->thread, NULL);
        service->has_thread = false;
    }
}

static void report_unread(struct service *service)
{
    /* Only those that are here now: a client that never stops sending would delay the end. */
    for (size_t count = mailbox_count(service->mailbox); count > 0; count--) {
        struct message *message = mailbox_wait(service->mailbox, (struct deadline){ 0 });
        struct service_event *event = (struct service_event *)message;
        const struct service_type *type = event->port->type;
        if (event->kind == EVENT_MESSAGE && type->on_unread) {
            type->on_unread(event->port, event->connection, &event->content);
        }
        message_destroy(message);
    }
}

void service_destroy(struct service *service, int timeout_ms)
{
    if (!service) {
        return;
    }
    report_unread(service);
    for (struct service_port *port = service->ports; port; port = port->next) {
        net_budget_attach(port->budget, NULL);
        net_listener_close(port->listener, timeout_ms);
        while (port->clients) {
            struct service_client *client = port->clients;
            port->clients = client->next;
            service_client_release(client);
        }
    }
    mailbox_destroy(service->mailbox);
    while (service->ports) {
        struct service_port *port = service->ports;
        service->ports = port->next;
        net_budget_release(port->budget);
        free(port);
    }
    free(service);
}

struct service_client *service_clients(const struct service_port *port)
{
    return port->clients;
}

struct service_client *service_client_hold(struct service_client *client)
{
    atomic_fetch_add(&client->references, 1);
    return client;
}

void service_client_release(struct service_client *client)
{
    if (client && atomic_fetch_sub(&client->references, 1) == 1) {
        free(client);
    }
}

void service_send(const struct service_client *client, const char *text, size_t length,
                  enum net_class class)
{
    net_send(client->port->listener, client->connection, text, length, class);
}

void service_close(const struct service_client *client, unsigned code, const char *reason)
{
    net_close(client->port->listener, client->connection, code, reason);
}

void service_answer(const struct service_client *client, struct net_answer *answer)
{
    net_answer(client->port->listener, client->connection, answer);
}

void service_send_json(const struct service_client *client, json_t *root)
{
    size_t length = 0;
    CLEANUP_FREE char *line = json_line(root, &length);
    json_decref(root);
    service_send(client, line, length, NET_REPLY);
}
