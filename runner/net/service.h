/*
 * A server that works on a thread of its own instead of the loop thread: its listeners, the thread,
 * a record for each client, a byte budget for unprocessed messages. All events of its
 * listeners are handled on that thread, in order.
 */
#ifndef RUNNER_NET_SERVICE_H
#define RUNNER_NET_SERVICE_H

#include "runner/base/clock.h"
#include "runner/net/budget.h"

#include <jansson.h>
#include <stdatomic.h>

struct service;
struct service_port;

/* The first member of a server's record of a client. */
struct service_client {
    struct service_client *next;
    struct service_port *port;
    void *data;          /* that of the service */
    uint64_t connection; /* its id for net_send() */
    atomic_int references;
};

struct service_message {
    struct net_charge *charge;  /* released with the message unless it is taken, by TAKE() */
    size_t length;              /* of the text */
    const char *text;           /* ends with a NUL */
    const char *const *headers; /* of a request: those of the type, see struct net_request */
};

/* A kind of clients. All but on_message and client_size may be absent. */
struct service_type {
    const char *path;   /* the only path that is accepted; NULL: any */
    size_t client_size; /* of a record, which is zeroed before on_opened() */
    size_t max_bytes;   /* of messages that are not processed; see budget.h */
    /* On the service's thread. */
    void (*on_opened)(struct service_client *client, const char *query);
    void (*on_message)(struct service_client *client, struct service_message *message);
    /* A message that was not processed; it can be answered by net_send(). See service_destroy(). */
    void (*on_unread)(struct service_port *port, uint64_t connection,
                      const struct service_message *message);
    /* The connection has ended, or the client sends no more. The record is then released. */
    void (*on_closed)(struct service_client *client);
    /* On the loop thread, like in struct net_handler, with the service's data. */
    void (*on_request)(void *data, const struct net_request *request, struct net_answer *answer);
    /*
     * The port takes POSTs instead of WebSockets. One that on_request() answers later is a client
     * until its connection ends: its body is its message, and service_answer() answers it. While
     * the limit of bytes is reached, requests are refused with 503.
     */
    bool takes_bodies;
    const char *const *headers; /* as in struct net_handler */
    void (*on_metrics)(void *data, struct strbuf *text);
};

/*
 * on_tick() is called on the service's thread: at the beginning, when the time that it returned is
 * due, and after service_wake(). The loop is borrowed. Never NULL.
 */
struct service *service_create(struct loop *loop, struct deadline (*on_tick)(void *data),
                               void *data);

/*
 * Listens, see net_listen(); the handler of the options is ignored. The type is borrowed. NULL with
 * the error. Events wait until the service begins.
 */
struct service_port *service_listen(struct service *service, const struct service_type *type,
                                    const struct net_listener_options *options,
                                    struct br_error *err);
struct net_listener *service_listener(const struct service_port *port);

/* Starts the thread. */
bool service_begin(struct service *service, struct br_error *err);

/* Has on_tick() called soon. `service` is a struct service. Any thread. */
void service_wake(void *service);

/* Has on_tick() called at that time at the latest. On the service's thread. */
void service_tick_by(struct service *service, struct deadline due);

/* Ends the thread; what comes later is ignored, and clients are still connected. NULL is fine. */
void service_end(struct service *service);

/*
 * Calls on_unread() on the caller's thread for the messages received before this call, closes the
 * listeners, see net_listener_close(), and frees, with the records of the clients that are left;
 * on_closed() is not called for them. A message received later gets no answer, and its connection
 * is closed like all others. Call service_end() before. NULL is fine.
 */
void service_destroy(struct service *service, int timeout_ms);

/* The clients of a port. On the service's thread, and after it has ended. */
struct service_client *service_clients(const struct service_port *port);

/* Keeps a record beyond on_closed(), and releases it. Any thread. */
struct service_client *service_client_hold(struct service_client *client);
void service_client_release(struct service_client *client);

/* Sends to the client, see net_send(), or closes its connection. Any thread. */
void service_send(const struct service_client *client, const char *text, size_t length,
                  enum net_class class);
void service_close(const struct service_client *client, unsigned code, const char *reason);

/* Answers a request, see net_answer(). Any thread. */
void service_answer(const struct service_client *client, struct net_answer *answer);

/* Sends an answer, as one line; takes ownership. */
void service_send_json(const struct service_client *client, json_t *root);

#endif
