#include "runner/base/strbuf.h"
#include "runner/net/dial.h"
#include "runner/net/transport.h"

#include <stdio.h>
#include <string.h>

/*
 * Bytes passed to libwebsockets at a time. It masks them in place, and keeps those that the kernel
 * does not accept.
 */
enum { FRAGMENT = 64 * 1024 };

/* Time that the other side has for the closing handshake. */
enum { CLOSE_TIMEOUT_S = 2 };

/* A message to send: on the stack of the thread that waits for it, or posted. */
struct outgoing {
    const char *text;
    size_t length, sent;
    bool is_done;
    void (*on_sent)(void *data); /* for a posted message; NULL otherwise */
    void *data;
};

struct transport_websocket {
    struct transport base;
    struct dial dial; /* its mutex also guards `outgoing` and `is_closed` */
    struct outgoing *outgoing;
    bool is_closed;         /* nothing can be sent any more */
    struct outgoing posted; /* the outgoing message if that was posted */
    /* Used on the loop thread only: */
    bool is_up;                       /* the handshake is complete */
    struct transport_handler handler; /* all zero before start */
    struct strbuf message;            /* the fragments of a message that have arrived */
    char close_reason[160];
    unsigned char fragment[LWS_PRE + FRAGMENT];
};

static struct transport_websocket *of_dial(struct dial *dial)
{
    return dial ? lws_container_of(dial, struct transport_websocket, dial) : NULL;
}

/* The message is no longer needed. Requires the mutex. */
static void end_outgoing(struct transport_websocket *socket)
{
    struct outgoing *outgoing = TAKE(socket->outgoing);
    if (outgoing && outgoing->on_sent) {
        loop_post(socket->dial.loop, outgoing->on_sent, outgoing->data);
    }
    pthread_cond_broadcast(&socket->dial.changed);
}

/* Closes the connection for senders and the handler. May be repeated; the first reason counts. */
static void close_for(struct transport_websocket *socket, const char *reason)
{
    pthread_mutex_lock(&socket->dial.mutex);
    bool is_first = !socket->is_closed;
    socket->is_closed = true;
    end_outgoing(socket);
    pthread_mutex_unlock(&socket->dial.mutex);
    if (is_first) {
        snprintf(socket->close_reason, sizeof(socket->close_reason), "%s", reason);
    }
    if (is_first && socket->handler.on_closed) {
        socket->handler.on_closed(socket->handler.data, socket->close_reason);
    }
}

/* Like close_for(), with the name of the other side in place of %s. */
static void close_by(struct transport_websocket *socket, const char *format)
{
    const char *mark = strstr(format, "%s");
    CLEANUP_FREE char *reason = xasprintf("%.*s%s%s", (int)(mark - format), format,
                                          socket->dial.peer->name, mark + strlen("%s"));
    close_for(socket, reason);
}

static int receive(struct transport_websocket *socket, const void *bytes, size_t length)
{
    struct lws *wsi = socket->dial.wsi;
    if (socket->is_closed || !socket->handler.on_message) {
        return -1;
    }
    if (lws_is_first_fragment(wsi)) {
        strbuf_clear(&socket->message);
    }
    strbuf_add(&socket->message, bytes, length);
    if (socket->message.overflowed) {
        close_by(socket, "%s sent a message that is too large");
        return -1;
    }
    if (lws_is_final_fragment(wsi) && !lws_remaining_packet_payload(wsi)) {
        size_t total = socket->message.length;
        char *text = xrealloc(strbuf_take(&socket->message), total + 1);
        socket->handler.on_message(socket->handler.data, text, total);
        return 0;
    }
    if (socket->message.length > TRANSPORT_LONG && socket->handler.on_long) {
        strbuf_truncate(&socket->message,
                        socket->handler.on_long(socket->handler.data, socket->message.data,
                                                socket->message.length));
    }
    if (socket->handler.on_part) {
        socket->handler.on_part(socket->handler.data);
    }
    return 0;
}

/* Writes the next fragment of the outgoing message. Only one may be written in each callback. */
static int write_fragment(struct transport_websocket *socket)
{
    size_t count = 0;
    bool is_first = false;
    bool is_last = false;
    pthread_mutex_lock(&socket->dial.mutex);
    struct outgoing *outgoing = socket->is_closed ? NULL : socket->outgoing;
    if (outgoing) {
        size_t left = outgoing->length - outgoing->sent;
        count = left < FRAGMENT ? left : FRAGMENT;
        is_first = outgoing->sent == 0;
        is_last = count == left;
        memcpy(socket->fragment + LWS_PRE, outgoing->text + outgoing->sent, count);
        outgoing->sent += count;
    }
    if (is_last) {
        /* The text is no longer needed: libwebsockets keeps what the kernel does not accept. */
        outgoing->is_done = true;
        end_outgoing(socket);
    }
    pthread_mutex_unlock(&socket->dial.mutex);
    if (!outgoing) {
        return 0;
    }
    int flags = lws_write_ws_flags(LWS_WRITE_TEXT, is_first, is_last);
    if (lws_write(socket->dial.wsi, socket->fragment + LWS_PRE, count,
                  (enum lws_write_protocol)flags) < (int)count) {
        return -1;
    }
    if (!is_last) {
        lws_callback_on_writable(socket->dial.wsi);
    }
    return 0;
}

/* Reads the reason of a close: two bytes of status and a text (RFC 6455, 5.5.1). */
static void note_close(struct transport_websocket *socket, const unsigned char *bytes,
                       size_t length)
{
    char reason[sizeof(socket->close_reason)];
    snprintf(reason, sizeof(reason), "%s closed the connection", socket->dial.peer->name);
    if (length >= 2) {
        snprintf(reason, sizeof(reason), "%s closed the connection with status %u%s%.*s",
                 socket->dial.peer->name, (unsigned)(bytes[0] << 8 | bytes[1]),
                 length > 2 ? ": " : "", (int)(length - 2), (const char *)bytes + 2);
    }
    close_for(socket, reason);
}

/* The connection no longer exists, for whatever reason. */
static void note_end(struct transport_websocket *socket)
{
    socket->dial.wsi = NULL;
    dial_set(&socket->dial, DIAL_FAILED, "the server closed the connection");
    if (socket->is_up) {
        close_by(socket, "the connection to %s broke");
    }
}

static int on_event(struct transport_websocket *socket, enum lws_callback_reasons reason, void *in,
                    size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        dial_take_status(&socket->dial);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        /* Messages wait in the kernel until websocket_start(). */
        lws_rx_flow_control(socket->dial.wsi, 0);
        socket->is_up = true;
        dial_set(&socket->dial, DIAL_DONE, NULL);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(socket, in, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return write_fragment(socket);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        note_close(socket, in, length);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dial_set(&socket->dial, DIAL_FAILED, in);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY:
        note_end(socket);
        return 0;
    default:
        return 0;
    }
}

static int on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t length)
{
    (void)user;
    struct transport_websocket *socket = wsi ? of_dial(dial_of(wsi)) : NULL;
    if (socket) {
        return on_event(socket, reason, in, length);
    }
    if (reason == LWS_CALLBACK_CLIENT_WRITEABLE) {
        /* The owner has detached from the connection: close it with a handshake. */
        lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return -1;
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    { .name = "cdp-websocket", .callback = on_websocket, .rx_buffer_size = FRAGMENT },
    { .name = NULL },
};

struct start {
    struct transport_websocket *socket;
    const struct transport_handler *handler;
};

static void start_on_loop(void *data)
{
    struct start *start = data;
    struct transport_websocket *socket = start->socket;
    socket->handler = *start->handler;
    if (socket->is_closed) {
        socket->handler.on_closed(socket->handler.data, socket->close_reason);
    } else {
        lws_rx_flow_control(socket->dial.wsi, 1);
    }
}

static bool websocket_start(struct transport *transport, const struct transport_handler *handler,
                            struct br_error *err)
{
    (void)err;
    struct start start = { .socket = (struct transport_websocket *)transport, .handler = handler };
    loop_call(start.socket->dial.loop, start_on_loop, &start);
    return true;
}

static void request_on_loop(void *data)
{
    struct transport_websocket *socket = data;
    if (socket->dial.wsi) {
        lws_callback_on_writable(socket->dial.wsi);
    }
}

static void abort_on_loop(void *data)
{
    struct transport_websocket *socket = data;
    dial_cut(&socket->dial);
    close_by(socket, "the connection to %s was closed");
}

static void break_on_loop(void *data)
{
    struct transport_websocket *socket = data;
    dial_cut(&socket->dial);
    close_by(socket, "%s stopped reading in the middle of a command");
}

static void websocket_abort(struct transport *transport)
{
    struct transport_websocket *socket = (struct transport_websocket *)transport;
    loop_post(socket->dial.loop, abort_on_loop, socket);
}

/* Waits until the message is sent, nothing can be sent any more, or the deadline has passed. */
static void await_sent(struct transport_websocket *socket, const struct outgoing *outgoing,
                       struct deadline deadline)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline);
    while (!outgoing->is_done && !socket->is_closed && result == 0) {
        result = pthread_cond_timedwait(&socket->dial.changed, &socket->dial.mutex, &until);
    }
}

static bool websocket_send(struct transport *transport, const char *text, size_t length,
                           struct deadline deadline, struct br_error *err)
{
    struct transport_websocket *socket = (struct transport_websocket *)transport;
    struct outgoing outgoing = { .text = text, .length = length };
    pthread_mutex_lock(&socket->dial.mutex);
    bool is_closed = socket->is_closed;
    socket->outgoing = is_closed ? NULL : &outgoing;
    pthread_mutex_unlock(&socket->dial.mutex);
    if (!is_closed) {
        loop_post(socket->dial.loop, request_on_loop, socket);
    }
    pthread_mutex_lock(&socket->dial.mutex);
    await_sent(socket, &outgoing, deadline);
    socket->outgoing = NULL;
    is_closed = socket->is_closed;
    pthread_mutex_unlock(&socket->dial.mutex);
    if (outgoing.is_done) {
        return true;
    }
    if (is_closed) {
        return error_set(err, BR_DISCONNECTED, "the connection to %s is gone",
                         socket->dial.peer->name);
    }
    if (outgoing.sent > 0) {
        /* The next command would be read as the rest of this one. */
        loop_post(socket->dial.loop, break_on_loop, socket);
    }
    return error_set(err, BR_TIMEOUT, "%s takes no more commands", socket->dial.peer->name);
}

static bool websocket_post(struct transport *transport, const char *text, size_t length,
                           void (*on_sent)(void *data), void *data)
{
    struct transport_websocket *socket = (struct transport_websocket *)transport;
    pthread_mutex_lock(&socket->dial.mutex);
    bool is_closed = socket->is_closed;
    if (!is_closed) {
        socket->posted = (struct outgoing){
            .text = text,
            .length = length,
            .on_sent = on_sent,
            .data = data,
        };
        socket->outgoing = &socket->posted;
    }
    pthread_mutex_unlock(&socket->dial.mutex);
    if (!is_closed) {
        request_on_loop(socket);
    }
    return is_closed;
}

static void stop_on_loop(void *data)
{
    struct transport_websocket *socket = data;
    struct lws *wsi = TAKE(socket->dial.wsi);
    socket->handler = (struct transport_handler){ 0 };
    if (wsi) {
        lws_set_opaque_user_data(wsi, NULL);
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, CLOSE_TIMEOUT_S);
        lws_callback_on_writable(wsi);
    }
}

static void websocket_free(struct transport_websocket *socket)
{
    strbuf_finish(&socket->message);
    dial_finish(&socket->dial);
    free(socket);
}

static void websocket_destroy(struct transport *transport)
{
    struct transport_websocket *socket = (struct transport_websocket *)transport;
    loop_call(socket->dial.loop, stop_on_loop, socket);
    /* A callback that ran meanwhile may have posted its abort after stop_on_loop(). */
    loop_flush(socket->dial.loop);
    websocket_free(socket);
}

static const struct transport_ops websocket_ops = {
    .start = websocket_start,
    .send = websocket_send,
    .post = websocket_post,
    .abort = websocket_abort,
    .destroy = websocket_destroy,
};

struct transport *transport_websocket_connect(struct loop *loop, const char *url,
                                              const struct server_kind *peer,
                                              struct deadline deadline, struct br_error *err)
{
    struct server_url server;
    if (!server_url_parse(url, &server, err)) {
        return NULL;
    }
    if (server.is_http) {
        error_set(err, BR_INVALID_ACTION, "%s://%s is no WebSocket",
                  server.is_tls ? "https" : "http", server.host);
        return NULL;
    }
    struct transport_websocket *socket = xcalloc(1, sizeof(*socket));
    socket->base.ops = &websocket_ops;
    socket->base.loop = loop;
    socket->message = (struct strbuf)STRBUF_INIT(TRANSPORT_MAX_MESSAGE);
    dial_init(&socket->dial, loop, peer);
    if (!dial_run(&socket->dial, &server, protocols, NULL, deadline, err)) {
        websocket_free(socket);
        return NULL;
    }
    return &socket->base;
}
