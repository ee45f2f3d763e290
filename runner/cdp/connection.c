#include "runner/cdp/connection.h"

#include <pthread.h>
#include <string.h>

struct pending {
    int64_t id;
    struct mailbox *mailbox; /* NULL: nobody waits for this reply */
};

struct route {
    char *session_id; /* NULL: the browser itself */
    struct mailbox *mailbox;
};

struct cdp_connection {
    struct transport *transport;
    pthread_mutex_t write_mutex; /* held while a command is written; taken before `mutex` */
    pthread_mutex_t mutex;       /* guards all that follows; never held over I/O */
    int64_t last_id;
    struct pending *pending; /* commands without a reply, in no order */
    size_t pending_count, pending_capacity;
    struct route *routes;
    size_t route_count, route_capacity;
    bool is_closed;
};

/* The mailbox for a message, or NULL; a reply's entry ends with it. */
static struct mailbox *find_mailbox(struct cdp_connection *connection,
                                    const struct cdp_message *message)
{
    if (message->kind == CDP_REPLY) {
        for (size_t i = 0; i < connection->pending_count; i++) {
            if (connection->pending[i].id == message->id) {
                struct mailbox *mailbox = connection->pending[i].mailbox;
                connection->pending[i] = connection->pending[--connection->pending_count];
                return mailbox;
            }
        }
        return NULL;
    }
    for (size_t i = 0; i < connection->route_count; i++) {
        const struct route *route = &connection->routes[i];
        bool is_match = route->session_id ? cdp_slice_equals(message->session_id, route->session_id)
                                          : message->session_id.length == 0;
        if (is_match) {
            return route->mailbox;
        }
    }
    return NULL;
}

static void on_message(void *data, char *text, size_t length)
{
    struct cdp_connection *connection = data;
    struct cdp_message *message = cdp_message_scan(text, length);
    if (!message) {
        cdp_connection_close(connection, "the browser sent what is no DevTools message");
        return;
    }
    pthread_mutex_lock(&connection->mutex);
    struct mailbox *mailbox = find_mailbox(connection, message);
    if (mailbox) {
        mailbox_post(mailbox, &TAKE(message)->link);
    }
    pthread_mutex_unlock(&connection->mutex);
    cdp_message_destroy(message);
}

static void on_closed(void *data, const char *reason)
{
    cdp_connection_close(data, reason);
}

struct cdp_connection *cdp_connection_create(struct transport *transport, struct br_error *err)
{
    struct cdp_connection *connection = xcalloc(1, sizeof(*connection));
    connection->transport = transport;
    pthread_mutex_init(&connection->write_mutex, NULL);
    pthread_mutex_init(&connection->mutex, NULL);
    struct transport_handler handler = {
        .on_message = on_message,
        .on_closed = on_closed,
        .data = connection,
    };
    if (!transport->ops->start(transport, &handler, err)) {
        cdp_connection_destroy(connection);
        return NULL;
    }
    return connection;
}

void cdp_connection_destroy(struct cdp_connection *connection)
{
    if (!connection) {
        return;
    }
    connection->transport->ops->destroy(connection->transport);
    for (size_t i = 0; i < connection->route_count; i++) {
        free(connection->routes[i].session_id);
    }
    free(connection->routes);
    free(connection->pending);
    pthread_mutex_destroy(&connection->mutex);
    pthread_mutex_destroy(&connection->write_mutex);
    free(connection);
}

static bool was_posted_to(const struct cdp_connection *connection, size_t route_index)
{
    for (size_t i = 0; i < route_index; i++) {
        if (connection->routes[i].mailbox == connection->routes[route_index].mailbox) {
            return true;
        }
    }
    return false;
}

void cdp_connection_close(struct cdp_connection *connection, const char *reason)
{
    pthread_mutex_lock(&connection->mutex);
    for (size_t i = 0; !connection->is_closed && i < connection->route_count; i++) {
        if (!was_posted_to(connection, i)) {
            mailbox_post(connection->routes[i].mailbox,
                         &cdp_message_create(CDP_CLOSED, reason)->link);
        }
    }
    connection->is_closed = true;
    connection->pending_count = 0;
    pthread_mutex_unlock(&connection->mutex);
}

bool cdp_connection_is_open(struct cdp_connection *connection)
{
    pthread_mutex_lock(&connection->mutex);
    bool is_open = !connection->is_closed;
    pthread_mutex_unlock(&connection->mutex);
    return is_open;
}

/*
 * The check that the connection lives and the entry that makes its end known are one step:
 * otherwise a call entered after the sweep would wait out its whole deadline.
 */
static int64_t register_call(struct cdp_connection *connection, struct mailbox *mailbox,
                             struct br_error *err)
{
    int64_t id = -1;
    pthread_mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "the connection to the browser is gone");
    } else {
        id = ++connection->last_id;
        connection->pending =
            array_reserve(connection->pending, connection->pending_count,
                          &connection->pending_capacity, sizeof(*connection->pending));
        connection->pending[connection->pending_count++] = (struct pending){
            .id = id,
            .mailbox = mailbox,
        };
    }
    pthread_mutex_unlock(&connection->mutex);
    return id;
}

int64_t cdp_connection_send(struct cdp_connection *connection, struct mailbox *mailbox,
                            const char *session_id, const char *method, json_t *params,
                            struct deadline deadline, struct br_error *err)
{
    int64_t id = register_call(connection, mailbox, err);
    if (id < 0) {
        json_decref(params);
        return -1;
    }
    json_auto_t *command = json_pack("{s:I, s:s, s:o*, s:s*}", "id", (json_int_t)id, "method",
                                     method, "params", params, "sessionId", session_id);
    CLEANUP_FREE char *text = json_dumps(command, JSON_COMPACT);
    pthread_mutex_lock(&connection->write_mutex);
    bool is_sent =
        connection->transport->ops->send(connection->transport, text, strlen(text), deadline, err);
    pthread_mutex_unlock(&connection->write_mutex);
    if (!is_sent) {
        cdp_connection_forget(connection, id);
        error_context(err, "%s", method);
        return -1;
    }
    return id;
}

void cdp_connection_forget(struct cdp_connection *connection, int64_t id)
{
    pthread_mutex_lock(&connection->mutex);
    for (size_t i = 0; i < connection->pending_count; i++) {
        if (connection->pending[i].id == id) {
            connection->pending[i] = connection->pending[--connection->pending_count];
            break;
        }
    }
    pthread_mutex_unlock(&connection->mutex);
}

void cdp_connection_route(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id)
{
    pthread_mutex_lock(&connection->mutex);
    connection->routes = array_reserve(connection->routes, connection->route_count,
                                       &connection->route_capacity, sizeof(*connection->routes));
    connection->routes[connection->route_count++] = (struct route){
        .session_id = xstrdup(session_id),
        .mailbox = mailbox,
    };
    if (connection->is_closed) {
        mailbox_post(mailbox, &cdp_message_create(CDP_CLOSED, "the browser is gone")->link);
    }
    pthread_mutex_unlock(&connection->mutex);
}

void cdp_connection_detach(struct cdp_connection *connection, struct mailbox *mailbox)
{
    pthread_mutex_lock(&connection->mutex);
    for (size_t i = 0; i < connection->pending_count; i++) {
        if (connection->pending[i].mailbox == mailbox) {
            connection->pending[i--] = connection->pending[--connection->pending_count];
        }
    }
    for (size_t i = 0; i < connection->route_count; i++) {
        if (connection->routes[i].mailbox == mailbox) {
            free(connection->routes[i].session_id);
            connection->routes[i--] = connection->routes[--connection->route_count];
        }
    }
    pthread_mutex_unlock(&connection->mutex);
}
