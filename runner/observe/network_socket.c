#include "runner/observe/network_fields.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/network_event.h"

#include <string.h>

enum { MAX_SOCKETS = 200 };

struct network_socket {
    char *id;
    struct br_network_event event; /* outcome not yet set */
    double began_s;                /* by the protocol's clock; 0: unknown */
    bool is_failed, is_closed;
};

static void socket_finish(struct network_socket *socket)
{
    free(socket->id);
    network_event_finish(&socket->event);
}

void network_sockets_finish(struct network_sockets *sockets)
{
    while (sockets->count) {
        socket_finish(&sockets->items[--sockets->count]);
    }
    free(TAKE(sockets->items));
    sockets->capacity = 0;
}

static void add_outcome(struct network_log *log, const struct network_socket *socket,
                        const char *what, const char *error, const json_t *params)
{
    const struct br_network_event *known = &socket->event;
    struct br_network_event event;
    double now_s = json_member_number(params, "timestamp", 0);
    network_event_init(&event);
    event.url = xstrdup(known->url);
    event.method = xstrdup(known->method);
    event.type = xstrdup("websocket");
    event.initiator_type = xstrdup(known->initiator_type);
    event.initiator_url = xstrdup(known->initiator_url);
    event.initiator_line = known->initiator_line;
    event.timestamp_ms = known->timestamp_ms;
    event.web_socket = what;
    event.status = known->status;
    event.error = xstrdup(error);
    event.navigation_id = xstrdup(known->navigation_id);
    event.duration_ms = socket->began_s > 0 && now_s > 0 ? (now_s - socket->began_s) * 1000 : -1;
    if (network_log_gathers_headers(log)) {
        event.request_headers =
            network_headers_copy(known->request_headers, known->request_header_count);
        event.request_header_count = known->request_header_count;
        event.response_headers =
            network_headers_copy(known->response_headers, known->response_header_count);
        event.response_header_count = known->response_header_count;
    }
    network_log_add(log, socket->id, &event, 0, NULL);
}

static void on_handshake_request(struct network_log *log, struct network_socket *socket,
                                 const json_t *params)
{
    double wall_s = json_member_number(params, "wallTime", 0);
    socket->began_s = json_member_number(params, "timestamp", 0);
    if (wall_s > 0) {
        socket->event.timestamp_ms = (int64_t)(wall_s * 1000);
    }
    if (network_log_gathers_headers(log)) {
        network_event_set_headers(&socket->event, false, json_object_get(params, "request"));
    }
}

static void on_handshake_response(struct network_log *log, struct network_socket *socket,
                                  const json_t *params)
{
    const json_t *response = json_object_get(params, "response");
    socket->event.status = (int)json_member_number(response, "status", 0);
    if (network_log_gathers_headers(log)) {
        network_event_set_headers(&socket->event, true, response);
    }
    add_outcome(log, socket, "opened", NULL, params);
}

static void on_error(struct network_log *log, struct network_socket *socket, const json_t *params)
{
    static const char refused[] = "Unexpected response code: ";
    const char *text = json_member_string(params, "errorMessage");
    const char *code = text ? strstr(text, refused) : NULL;
    if (code) {
        socket->event.status = (int)strtol(code + strlen(refused), NULL, 10);
    }
    socket->is_failed = true;
    add_outcome(log, socket, "failed", text && *text ? text : "failed", params);
}

/* The closing follows a failure, and adds nothing. */
static void on_closed(struct network_log *log, struct network_socket *socket, const json_t *params)
{
    if (!socket->is_failed) {
        add_outcome(log, socket, "closed", NULL, params);
    }
    socket->is_closed = true;
}

static void on_created(struct network_sockets *sockets, const char *id, const char *navigation_id,
                       const json_t *params)
{
    if (sockets->count == MAX_SOCKETS) {
        /* Drops the oldest: its page may have ended without a report. */
        socket_finish(&sockets->items[0]);
        memmove(&sockets->items[0], &sockets->items[1], --sockets->count * sizeof(*sockets->items));
    }
    sockets->items =
        array_reserve(sockets->items, sockets->count, &sockets->capacity, sizeof(*sockets->items));
    struct network_socket *socket = &sockets->items[sockets->count++];
    *socket = (struct network_socket){ .id = xstrdup(id) };
    network_event_init(&socket->event);
    network_event_begin(&socket->event, params);
    socket->event.timestamp_ms = clock_wall_ms();
    socket->event.navigation_id = xstrdup(navigation_id);
}

static struct network_socket *find(struct network_sockets *sockets, const char *id)
{
    for (size_t i = 0; i < sockets->count; i++) {
        if (strcmp(sockets->items[i].id, id) == 0) {
            return &sockets->items[i];
        }
    }
    return NULL;
}

bool network_sockets_on_event(struct network_sockets *sockets, struct network_log *log,
                              const char *navigation_id, const char *method, const json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct network_log *log, struct network_socket *socket, const json_t *params);
    } table[] = {
        { "Network.webSocketWillSendHandshakeRequest", on_handshake_request },
        { "Network.webSocketHandshakeResponseReceived", on_handshake_response },
        { "Network.webSocketFrameError", on_error },
        { "Network.webSocketClosed", on_closed },
    };
    const char *id = json_member_string(params, "requestId");
    if (strncmp(method, "Network.webSocket", strlen("Network.webSocket")) != 0) {
        return false;
    }
    struct network_socket *socket = id ? find(sockets, id) : NULL;
    if (id && !socket && strcmp(method, "Network.webSocketCreated") == 0) {
        on_created(sockets, id, navigation_id, params);
    }
    for (size_t i = 0; socket && i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(log, socket, params);
            break;
        }
    }
    if (socket && socket->is_closed) {
        socket_finish(socket);
        *socket = sockets->items[--sockets->count];
    }
    return true;
}
