#include "runner/cdp/connection.h"

#include "runner/cdp/cutter.h"
#include "runner/cdp/silence.h"
#include "runner/cdp/telemetry.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* For the question to a silent browser to be written: its pipe may be full. */
enum { ASK_MS = 100 };

/* A message up to this size has nothing to cut. */
enum { SMALL_MESSAGE = 4096 };

struct pending {
    int64_t id;
    struct mailbox *mailbox; /* NULL: nobody waits for this reply */
    char *session_id;        /* NULL: the browser itself */
};

struct route {
    char *session_id; /* NULL: the browser itself */
    struct mailbox *mailbox;
};

struct cdp_connection {
    struct transport *transport;
    pthread_mutex_t mutex; /* guards all that follows; never held over I/O */
    pthread_cond_t turn;   /* is_writing has become false, or is_closed true */
    bool is_writing;       /* one thread is in the transport's send */
    int64_t last_id;
    struct pending *pending; /* commands without a reply, in no order */
    size_t pending_count, pending_capacity;
    struct route *routes;
    size_t route_count, route_capacity;
    bool is_closed;
    char *close_reason; /* NULL until then */
    struct silence silence;
    atomic_bool is_reading; /* the loop looks through a message */
    struct cutter cutter;   /* the loop's: of a message that is coming */
    bool is_stuck;          /* closed because the browser did not answer */
};

static void remove_pending(struct cdp_connection *connection, size_t index)
{
    free(connection->pending[index].session_id);
    connection->pending[index] = connection->pending[--connection->pending_count];
}

static void remove_route(struct cdp_connection *connection, size_t index)
{
    free(connection->routes[index].session_id);
    connection->routes[index] = connection->routes[--connection->route_count];
}

static void deliver_reply(struct cdp_connection *connection, struct cdp_message *message)
{
    struct mailbox *mailbox = NULL;
    for (size_t i = 0; i < connection->pending_count; i++) {
        if (connection->pending[i].id == message->id) {
            mailbox = connection->pending[i].mailbox;
            remove_pending(connection, i);
            break;
        }
    }
    if (mailbox) {
        mailbox_post(mailbox, &message->link);
    } else {
        cdp_message_destroy(message);
    }
}

/* A session has one reader; the browser's own events go to every client. */
static void deliver_event(struct cdp_connection *connection, struct cdp_message *message)
{
    struct mailbox *last = NULL;
    for (size_t i = 0; i < connection->route_count; i++) {
        const struct route *route = &connection->routes[i];
        bool is_match = route->session_id ? cdp_slice_equals(message->session_id, route->session_id)
                                          : message->session_id.length == 0;
        if (is_match && last) {
            mailbox_post(last, &cdp_message_copy(message)->link);
        }
        last = is_match ? route->mailbox : last;
    }
    if (last) {
        mailbox_post(last, &message->link);
    } else {
        cdp_message_destroy(message);
    }
}

/* Chrome drops the commands of a session that is detached and never answers them. */
static void end_session(struct cdp_connection *connection, const char *session_id)
{
    for (size_t i = 0; i < connection->pending_count; i++) {
        struct pending *pending = &connection->pending[i];
        if (pending->session_id && strcmp(pending->session_id, session_id) == 0) {
            if (pending->mailbox) {
                mailbox_post(pending->mailbox, &cdp_message_create_refusal(pending->id)->link);
            }
            remove_pending(connection, i--);
        }
    }
    for (size_t i = 0; i < connection->route_count; i++) {
        const char *route_id = connection->routes[i].session_id;
        if (route_id && strcmp(route_id, session_id) == 0) {
            remove_route(connection, i--);
        }
    }
}

/* The connection is of no use any more; says what came instead of a message. */
static void close_for_garbage(struct cdp_connection *connection, char *start)
{
    char reason[128];
    for (char *at = start; *at; at++) {
        *at = isprint((unsigned char)*at) ? *at : '.';
    }
    snprintf(reason, sizeof(reason), "the browser sent what is no DevTools message: %s", start);
    cdp_connection_close(connection, reason);
}

/* The id of the session that this event ends, for the caller to free; NULL for any other message.
 */
static char *find_ended_session(const struct cdp_message *message)
{
    if (!cdp_slice_equals(message->method, "Target.detachedFromTarget")) {
        return NULL;
    }
    struct cdp_slice id = cdp_slice_string(message->params, "sessionId");
    return id.length ? xstrndup(id.text, id.length) : NULL;
}

static void on_part(void *data)
{
    struct cdp_connection *connection = data;
    pthread_mutex_lock(&connection->mutex);
    silence_heard(&connection->silence, clock_monotonic_ms());
    pthread_mutex_unlock(&connection->mutex);
}

/* To look through a large message takes a while, in which nobody else is silent. */
static void set_reading(struct cdp_connection *connection, bool is_reading)
{
    on_part(connection);
    atomic_store(&connection->is_reading, is_reading);
}

/* What the page says at length is cut before it is kept. */
static size_t on_long(void *data, char *text, size_t length)
{
    struct cdp_connection *connection = data;
    return telemetry_of(text, length) != TELEMETRY_NONE
               ? cutter_feed(&connection->cutter, text, length)
               : length;
}

/* Takes ownership of text. NULL for garbage. */
static struct cdp_message *read_message(struct cdp_connection *connection, char *text,
                                        size_t length, enum telemetry kind)
{
    if (kind != TELEMETRY_NONE && length > SMALL_MESSAGE) {
        length = cutter_feed(&connection->cutter, text, length);
        text = xrealloc(text, length + 1);
        text[length] = '\0';
    }
    connection->cutter = (struct cutter){ 0 };
    struct cdp_message *message = cdp_message_scan(text, length);
    if (message) {
        message->link.goes_first = kind == TELEMETRY_SAYING;
    }
    return message;
}

static void on_message(void *data, char *text, size_t length)
{
    struct cdp_connection *connection = data;
    enum telemetry kind = telemetry_of(text, length);
    if (kind == TELEMETRY_USELESS) {
        connection->cutter = (struct cutter){ 0 };
        on_part(connection);
        free(text);
        return;
    }
    char start[41] = "";
    set_reading(connection, true);
    memcpy(start, text, length < sizeof(start) ? length : sizeof(start) - 1);
    struct cdp_message *message = read_message(connection, text, length, kind);
    set_reading(connection, false);
    if (!message) {
        close_for_garbage(connection, start);
        return;
    }
    CLEANUP_FREE char *ended_session = find_ended_session(message);
    pthread_mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        cdp_message_destroy(message);
    } else if (message->kind == CDP_REPLY) {
        deliver_reply(connection, message);
    } else {
        deliver_event(connection, message);
    }
    if (ended_session) {
        end_session(connection, ended_session);
    }
    pthread_mutex_unlock(&connection->mutex);
}

static void on_closed(void *data, const char *reason)
{
    cdp_connection_close(data, reason);
}

struct cdp_connection *cdp_connection_create(struct transport *transport, struct br_error *err)
{
    struct cdp_connection *connection = xcalloc(1, sizeof(*connection));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&connection->turn, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&connection->mutex, NULL);
    connection->transport = transport;
    struct transport_handler handler = {
        .on_message = on_message,
        .on_part = on_part,
        .on_long = on_long,
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
    while (connection->route_count > 0) {
        remove_route(connection, 0);
    }
    while (connection->pending_count > 0) {
        remove_pending(connection, 0);
    }
    free(connection->routes);
    free(connection->pending);
    free(connection->close_reason);
    pthread_cond_destroy(&connection->turn);
    pthread_mutex_destroy(&connection->mutex);
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
    bool is_first = !connection->is_closed;
    if (is_first) {
        connection->is_closed = true;
        connection->close_reason = xstrdup(reason);
        while (connection->pending_count > 0) {
            remove_pending(connection, 0);
        }
        for (size_t i = 0; i < connection->route_count; i++) {
            if (!was_posted_to(connection, i)) {
                mailbox_post(connection->routes[i].mailbox,
                             &cdp_message_create(CDP_CLOSED, reason)->link);
            }
        }
        pthread_cond_broadcast(&connection->turn);
    }
    pthread_mutex_unlock(&connection->mutex);
    if (is_first) {
        connection->transport->ops->abort(connection->transport);
    }
}

bool cdp_connection_is_open(struct cdp_connection *connection)
{
    pthread_mutex_lock(&connection->mutex);
    bool is_open = !connection->is_closed;
    pthread_mutex_unlock(&connection->mutex);
    return is_open;
}

bool cdp_connection_is_stuck(struct cdp_connection *connection)
{
    pthread_mutex_lock(&connection->mutex);
    bool is_stuck = connection->is_stuck;
    pthread_mutex_unlock(&connection->mutex);
    return is_stuck;
}

struct deadline cdp_connection_check(struct cdp_connection *connection)
{
    int64_t wait_ms = 0;
    pthread_mutex_lock(&connection->mutex);
    if (atomic_load(&connection->is_reading)) {
        silence_heard(&connection->silence, clock_monotonic_ms());
    }
    enum silence_verdict verdict =
        silence_check(&connection->silence, clock_monotonic_ms(), &wait_ms);
    connection->is_stuck |= verdict == SILENCE_STUCK && !connection->is_closed;
    pthread_mutex_unlock(&connection->mutex);
    if (verdict == SILENCE_ASK) {
        struct br_error ignored;
        /* Any answer is a sign of life, and nobody needs this one. */
        cdp_connection_send(connection, NULL, NULL, "Browser.getVersion", NULL,
                            deadline_in_ms(ASK_MS), &ignored);
    } else if (verdict == SILENCE_STUCK) {
        cdp_connection_close(connection, "the browser does not answer any more");
    }
    return deadline_in_ms(wait_ms);
}

/*
 * The check that the connection lives and the entry that makes its end known are one step:
 * otherwise a call entered after the sweep would wait out its whole deadline.
 */
static int64_t register_call(struct cdp_connection *connection, struct mailbox *mailbox,
                             const char *session_id, struct br_error *err)
{
    int64_t id = -1;
    pthread_mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "%s", connection->close_reason);
    } else {
        id = ++connection->last_id;
        connection->pending =
            array_reserve(connection->pending, connection->pending_count,
                          &connection->pending_capacity, sizeof(*connection->pending));
        connection->pending[connection->pending_count++] = (struct pending){
            .id = id,
            .mailbox = mailbox,
            .session_id = xstrdup(session_id),
        };
    }
    pthread_mutex_unlock(&connection->mutex);
    return id;
}

/* Not a mutex, since whoever waits for it has a deadline and learns of the connection's end. */
static bool take_turn(struct cdp_connection *connection, struct deadline deadline,
                      struct br_error *err)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline);
    pthread_mutex_lock(&connection->mutex);
    while (connection->is_writing && !connection->is_closed && result == 0) {
        result = pthread_cond_timedwait(&connection->turn, &connection->mutex, &until);
    }
    bool is_mine = !connection->is_closed && !connection->is_writing;
    if (is_mine) {
        connection->is_writing = true;
    } else if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "%s", connection->close_reason);
    } else {
        error_set(err, BR_TIMEOUT, "the browser takes no more commands");
    }
    pthread_mutex_unlock(&connection->mutex);
    return is_mine;
}

static void end_turn(struct cdp_connection *connection)
{
    pthread_mutex_lock(&connection->mutex);
    connection->is_writing = false;
    pthread_cond_signal(&connection->turn);
    pthread_mutex_unlock(&connection->mutex);
}

static bool send_command(struct cdp_connection *connection, const json_t *command,
                         struct deadline deadline, struct br_error *err)
{
    struct transport *transport = connection->transport;
    size_t length = 0;
    CLEANUP_FREE char *bytes = cdp_command_encode(command, transport->is_cbor, &length, err);
    if (!bytes || !take_turn(connection, deadline, err)) {
        return false;
    }
    bool is_sent = transport->ops->send(transport, bytes, length, deadline, err);
    end_turn(connection);
    return is_sent;
}

int64_t cdp_connection_send(struct cdp_connection *connection, struct mailbox *mailbox,
                            const char *session_id, const char *method, json_t *params,
                            struct deadline deadline, struct br_error *err)
{
    json_auto_t *owned_params = params;
    int64_t id = register_call(connection, mailbox, session_id, err);
    if (id >= 0) {
        json_auto_t *command = cdp_command_create(id, session_id, method, owned_params, err);
        if (!command || !send_command(connection, command, deadline, err)) {
            cdp_connection_forget(connection, id);
            id = -1;
        }
    }
    if (id < 0) {
        error_context(err, "%s", method);
    }
    return id;
}

bool cdp_connection_forget(struct cdp_connection *connection, int64_t id)
{
    bool is_found = false;
    pthread_mutex_lock(&connection->mutex);
    for (size_t i = 0; i < connection->pending_count && !is_found; i++) {
        if (connection->pending[i].id == id) {
            remove_pending(connection, i);
            is_found = true;
        }
    }
    pthread_mutex_unlock(&connection->mutex);
    return is_found;
}

static struct route *find_route(struct cdp_connection *connection, const char *session_id)
{
    for (size_t i = 0; session_id && i < connection->route_count; i++) {
        struct route *route = &connection->routes[i];
        if (route->session_id && strcmp(route->session_id, session_id) == 0) {
            return route;
        }
    }
    return NULL;
}

void cdp_connection_route(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id)
{
    pthread_mutex_lock(&connection->mutex);
    struct route *route = find_route(connection, session_id);
    if (route) {
        route->mailbox = mailbox;
    } else {
        connection->routes =
            array_reserve(connection->routes, connection->route_count, &connection->route_capacity,
                          sizeof(*connection->routes));
        connection->routes[connection->route_count++] = (struct route){
            .session_id = xstrdup(session_id),
            .mailbox = mailbox,
        };
    }
    if (connection->is_closed) {
        mailbox_post(mailbox, &cdp_message_create(CDP_CLOSED, connection->close_reason)->link);
    }
    pthread_mutex_unlock(&connection->mutex);
}

void cdp_connection_detach(struct cdp_connection *connection, struct mailbox *mailbox)
{
    pthread_mutex_lock(&connection->mutex);
    for (size_t i = 0; i < connection->pending_count; i++) {
        if (connection->pending[i].mailbox == mailbox) {
            remove_pending(connection, i--);
        }
    }
    for (size_t i = 0; i < connection->route_count; i++) {
        if (connection->routes[i].mailbox == mailbox) {
            remove_route(connection, i--);
        }
    }
    pthread_mutex_unlock(&connection->mutex);
}
