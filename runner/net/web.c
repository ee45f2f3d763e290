#include "runner/net/web.h"

#include "runner/base/clock.h"

#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* Bytes of an answer, or of a message of several frames, that are sent or read at once. */
    FRAGMENT = 64 * 1024,
    /* Bytes of short messages, at most SHORT each, that are sent by one system call. */
    BATCH = 32 * 1024,
    SHORT = 4 * 1024,
    MAX_HEADER = 4,
    /* A larger buffer is freed after each message. */
    KEPT_BUFFER = 64 * 1024,
    /* Time in which the client must read the next part of an answer, and then close. */
    ANSWER_MS = 30000,
    LATER_MS = 60000, /* time in which the handler must give a deferred answer, if not limited */
    LINGER_MS = 1000,
};

_Static_assert(QUEUE_FRONT >= LWS_PRE, "libwebsockets writes in front of what it sends");

enum web_state {
    WEB_REQUEST,   /* the request has not arrived */
    WEB_BODY,      /* its body has not arrived */
    WEB_LATER,     /* the handler has not answered yet */
    WEB_PARTS,     /* it has sent a part of the answer, and will send more */
    WEB_ANSWER,    /* the answer is being sent */
    WEB_ANSWERED,  /* the answer was sent; nothing follows */
    WEB_HANDSHAKE, /* the upgrade was accepted */
    WEB_SOCKET,
    WEB_LEFT, /* a close frame was sent or received; libwebsockets completes the close */
};

struct web {
    struct connection base;
    struct lws *wsi; /* NULL: not created yet, or destroyed */
    enum web_state state;
    struct pages_asked asked; /* by a request with a deferred answer */
    struct request *request;  /* of WEB_BODY; otherwise NULL */
    bool is_reported;         /* its end is reported to the handler */
    int bodies; /* how often libwebsockets has reported the end of the request's body */
};

/* A closing client is still read until its close frame. Its messages are ignored. */
static void web_read(struct connection *connection, bool is_allowed)
{
    struct web *web = (struct web *)connection;
    if (web->wsi && web->state == WEB_SOCKET) {
        lws_rx_flow_control(web->wsi, is_allowed || connection->is_closing);
    }
}

/* LWS_TO_KILL_SYNC would wait until buffered data is sent. */
static void web_kill(struct connection *connection)
{
    struct web *web = (struct web *)connection;
    if (web->wsi) {
        lws_set_timeout(web->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
}

static void end_in(struct web *web, int ms)
{
    web->base.end_at_ms = clock_monotonic_ms() + ms;
    connections_wake(web->base.all, web->base.end_at_ms);
}

/* The handler has this long for the answer or its next part. */
static void end_unless_answered(struct web *web)
{
    int limit_ms = web->base.all->limits.answer_ms;
    end_in(web, limit_ms > 0 ? limit_ms : LATER_MS);
}

/* A client that reads too slowly is ended, since no part may be missing. */
static void web_answer(struct connection *connection, const struct net_answer *answer)
{
    struct web *web = (struct web *)connection;
    if (!web->wsi || (web->state != WEB_LATER && web->state != WEB_PARTS) ||
        connection->is_killed) {
        return;
    }
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t dropped = 0;
    if (web->state == WEB_LATER) {
        pages_add(&text, answer, &web->asked);
        connection->queue.max =
            answer->has_more ? connection->all->limits.max_queue : STRBUF_UNCAPPED;
    } else {
        pages_add_part(&text, answer, &web->asked);
    }
    struct queue_item *item = queue_item_create(text.data, text.length, "", NET_REPLY);
    bool is_taken = queue_put(&connection->queue, item, &dropped) == QUEUE_TAKEN;
    strbuf_finish(&text);
    if (!is_taken) {
        connection_kill(connection);
        return;
    }
    web->state = answer->has_more ? WEB_PARTS : WEB_ANSWER;
    end_in(web, ANSWER_MS);
    lws_callback_on_writable(web->wsi);
}

/*
 * Answers a waiting request with 503 and the reason for closing. Without Retry-After: its actions
 * may have run, and must not be repeated unseen.
 */
static void answer_close(struct web *web)
{
    struct net_answer answer = { .status = 503,
                                 .content_type = "text/plain; charset=utf-8",
                                 .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    strbuf_add_format(&answer.body, "%s; the request may have been carried out\n",
                      web->base.close_reason);
    web_answer(&web->base, &answer);
    strbuf_finish(&answer.body);
}

static void web_write(struct connection *connection)
{
    struct web *web = (struct web *)connection;
    if (connection->is_closing && web->state == WEB_LATER) {
        answer_close(web);
    } else if (connection->is_closing && (web->state == WEB_REQUEST || web->state == WEB_BODY ||
                                          web->state == WEB_HANDSHAKE || web->state == WEB_PARTS)) {
        connection_kill(connection);
    } else if (web->wsi &&
               (web->state == WEB_ANSWER || web->state == WEB_PARTS || web->state == WEB_SOCKET)) {
        lws_callback_on_writable(web->wsi);
    }
}

static const struct connection_ops web_ops = {
    .write = web_write,
    .read = web_read,
    .kill = web_kill,
    .answer = web_answer,
    .is_pinged = true,
};

/* The text is short enough for the buffer of a newly accepted socket. */
static int refuse_now(struct web *web, const struct request_refusal *refusal)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    web->base.all->counters.refused++;
    web->state = WEB_ANSWERED;
    pages_refuse(&text, refusal);
    struct queue_item *item = queue_item_create(text.data, text.length, "", NET_REPLY);
    int count = lws_write(web->wsi, item->bytes + QUEUE_FRONT, item->length, LWS_WRITE_HTTP);
    queue_item_destroy(item);
    strbuf_finish(&text);
    return count < 0 ? -1 : 1;
}

/* Writes "127.0.0.1:40000" or "[::1]:40000"; "" if the address is unknown. */
static void read_address(struct web *web, char *text, size_t size)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof(peer);
    char host[INET6_ADDRSTRLEN] = "";
    char port[8] = "";
    *text = '\0';
    if (getpeername(lws_get_socket_fd(web->wsi), (struct sockaddr *)&peer, &length) == 0 &&
        getnameinfo((struct sockaddr *)&peer, length, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        snprintf(text, size, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
    }
}

/* Returns 0 to let the request become a WebSocket. */
static int on_upgrade(struct web *web, const char *protocol)
{
    struct request request;
    struct request_refusal refusal;
    if (web->state != WEB_REQUEST) {
        return -1;
    }
    char address[INET6_ADDRSTRLEN + 16];
    bool is_fine = request_read(&request, web->wsi, web->base.all->gate, &refusal) &&
                   request_allows_upgrade(&request, web->wsi, protocol, &refusal);
    read_address(web, address, sizeof(address));
    if (is_fine) {
        const struct net_peer peer = { .path = request.path,
                                       .query = request.query.data,
                                       .address = address,
                                       .has_token = request.has_token };
        web->state = WEB_HANDSHAKE;
        is_fine = connection_open(&web->base, &peer);
        refusal = (struct request_refusal){ 404, "There is no WebSocket at this path.", "" };
    }
    request_finish(&request);
    if (!is_fine) {
        connections_say_refused(web->base.all, address, refusal.why);
    }
    return is_fine ? 0 : refuse_now(web, &refusal);
}

/*
 * The kernel has the whole answer, and libwebsockets buffers none of it. Closing at once would
 * discard the answer if the client has sent more bytes. So only the sending side is shut down.
 */
static void end_answer(struct web *web)
{
    web->state = WEB_ANSWERED;
    lws_rx_flow_control(web->wsi, 0);
    shutdown(lws_get_socket_fd(web->wsi), SHUT_WR);
    end_in(web, LINGER_MS);
}

/* Writes the next queued bytes. Returns false if the queue is empty. */
static bool write_next(struct web *web, bool is_socket, int *ret_result)
{
    struct queue *queue = &web->base.queue;
    size_t length = 0;
    bool is_first, is_last;
    size_t most = is_socket && queue->first && !queue->first->text ? QUEUE_ONE_FRAME : FRAGMENT;
    unsigned char *bytes = queue_begin(queue, most, &length, &is_first, &is_last);
    if (!bytes) {
        return false;
    }
    int kind = is_socket ? lws_write_ws_flags(LWS_WRITE_TEXT, is_first, is_last) : LWS_WRITE_HTTP;
    int count = lws_write(web->wsi, bytes, length, (enum lws_write_protocol)kind);
    *ret_result = count < (int)length ? -1 : 0;
    connection_note_life(&web->base);
    if (is_last && is_socket) {
        connection_note_sent(&web->base, queue->first->length);
    }
    queue_advance(queue, length);
    return true;
}

static void wait_for_answer(struct web *web)
{
    web->state = WEB_LATER;
    /* Disables libwebsockets' timeout; end_at_ms covers the wait. */
    lws_set_timeout(web->wsi, NO_PENDING_TIMEOUT, 0);
    end_unless_answered(web);
}

/* Answers a request that was read, or refuses it if there is a refusal. Finishes the request. */
static int answer_request(struct web *web, struct request *request,
                          const struct request_refusal *refusal)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t dropped = 0;
    int result = 0;
    enum pages_result outcome = PAGES_REFUSED;
    if (refusal) {
        pages_refuse(&text, refusal);
    } else {
        outcome = pages_answer(web->base.all, request, web->base.id, &text);
    }
    web->base.all->counters.refused += outcome == PAGES_REFUSED;
    web->base.queue.max = STRBUF_UNCAPPED;
    if (outcome == PAGES_LATER) {
        web->asked =
            (struct pages_asked){ TAKE(request->origin), strcmp(request->method, "HEAD") != 0,
                                  request->has_chunks };
        web->is_reported = web->base.all->handler.takes_bodies;
    }
    request_finish(request);
    if (outcome == PAGES_LATER) {
        wait_for_answer(web);
        return 0;
    }
    web->state = WEB_ANSWER;
    queue_put(&web->base.queue, queue_item_create(text.data, text.length, "", NET_REPLY), &dropped);
    strbuf_finish(&text);
    end_in(web, ANSWER_MS);
    /* Written at once: most answers are short and complete before anything else is read. */
    if (!write_next(web, false, &result) || result != 0) {
        return -1;
    }
    if (!web->base.queue.first && !lws_partial_buffered(web->wsi)) {
        end_answer(web);
    } else {
        lws_callback_on_writable(web->wsi);
    }
    return 0;
}

/*
 * Decides whether a body is read. Returns false with the refusal. Runs before the body is read, so
 * that a refused client cannot send one.
 */
static bool begin_body(struct web *web, const struct request *request, int64_t *ret_length,
                       struct request_refusal *ret_refusal)
{
    const struct connections *all = web->base.all;
    bool has_body = all->handler.takes_bodies && strcmp(request->method, "POST") == 0;
    *ret_length = has_body ? request_body_length(web->wsi) : 0;
    if (!has_body) {
        return true;
    }
    if (!request_allows_answer(request, true, ret_refusal)) {
        return false;
    }
    if (*ret_length < 0) {
        *ret_refusal = (struct request_refusal){ 411, "Send the body with a Content-Length.", "" };
    } else if ((uint64_t)*ret_length > all->limits.max_message) {
        *ret_refusal = (struct request_refusal){ 413, "The body is too long.", "" };
    } else {
        return true;
    }
    return false;
}

static int on_request(struct web *web)
{
    struct request request;
    struct request_refusal refusal;
    int64_t length = 0;
    if (web->state != WEB_REQUEST) {
        return -1;
    }
    if (!request_read(&request, web->wsi, web->base.all->gate, &refusal) ||
        !begin_body(web, &request, &length, &refusal)) {
        return answer_request(web, &request, &refusal);
    }
    if (!request_read_headers(&request, web->wsi, web->base.all->handler.headers)) {
        refusal = (struct request_refusal){ 400, "This is not a valid request.", "" };
        return answer_request(web, &request, &refusal);
    }
    if (length == 0) {
        return answer_request(web, &request, NULL);
    }
    web->request = xmalloc(sizeof(*web->request));
    *web->request = request;
    web->state = WEB_BODY;
    end_in(web, ANSWER_MS);
    return 0;
}

static int receive_body(struct web *web, const void *bytes, size_t length)
{
    if (web->state != WEB_BODY) {
        return 0;
    }
    strbuf_add(&web->request->body, bytes, length);
    connection_note_life(&web->base);
    return web->request->body.length <= web->base.all->limits.max_message ? 0 : -1;
}

static int on_body(struct web *web)
{
    if (web->state != WEB_BODY) {
        /* If bytes follow the body, libwebsockets calls this in an endless loop without a timer. */
        web->bodies++;
        return web->bodies > 1 ? -1 : 0;
    }
    web->bodies++;
    struct request *request = TAKE(web->request);
    int result = answer_request(web, request, NULL);
    free(request);
    return result;
}

static int write_answer(struct web *web)
{
    int result = 0;
    if (web->state != WEB_ANSWER && web->state != WEB_PARTS) {
        return 0;
    }
    /* Disables libwebsockets' timeout; end_at_ms covers the answer. */
    lws_set_timeout(web->wsi, NO_PENDING_TIMEOUT, 0);
    if (write_next(web, false, &result)) {
        end_in(web, ANSWER_MS);
        lws_callback_on_writable(web->wsi);
    } else if (web->state == WEB_ANSWER) {
        end_answer(web);
    } else {
        end_unless_answered(web);
    }
    return result;
}

/* libwebsockets reports a pong only if it has a payload. */
static int write_ping(struct web *web)
{
    unsigned char bytes[LWS_PRE + 4] = { 0 };
    web->base.is_ping_sent = true;
    return lws_write(web->wsi, bytes + LWS_PRE, 4, LWS_WRITE_PING) < 0 ? -1 : 0;
}

static int close_now(struct web *web)
{
    struct connection *connection = &web->base;
    size_t length = strnlen(connection->close_reason, sizeof(connection->close_reason));
    lws_rx_flow_control(web->wsi, LWS_RXFLOW_REASON_APPLIES_ENABLE | LWS_RXFLOW_REASON_USER_BOOL |
                                      LWS_RXFLOW_REASON_FLAG_PROCESS_NOW);
    lws_close_reason(web->wsi, (enum lws_close_status)connection->close_code,
                     (unsigned char *)connection->close_reason, length);
    web->state = WEB_LEFT;
    return -1;
}

static bool is_short(const struct queue *queue)
{
    return queue->first && queue->sent == 0 && queue->first->length <= SHORT;
}

/* Adds the header of an unfragmented text frame (RFC 6455, 5.2); returns its length. */
static size_t add_header(unsigned char *at, size_t length)
{
    at[0] = 0x81;
    if (length < 126) {
        at[1] = (unsigned char)length;
        return 2;
    }
    at[1] = 126;
    at[2] = (unsigned char)(length >> 8);
    at[3] = (unsigned char)length;
    return 4;
}

/*
 * Sends several short messages with one system call, which costs more than all other work for them.
 * libwebsockets would send one message at a time. With LWS_WRITE_HTTP it sends bytes unchanged,
 * even on a WebSocket, and buffers what the socket does not accept.
 */
static int write_batch(struct web *web)
{
    unsigned char batch[LWS_PRE + BATCH];
    struct queue *queue = &web->base.queue;
    size_t count = 0;
    connection_note_life(&web->base);
    while (is_short(queue) && count + MAX_HEADER + queue->first->length <= BATCH) {
        size_t length = 0;
        bool is_first, is_last;
        const unsigned char *bytes = queue_begin(queue, SHORT, &length, &is_first, &is_last);
        count += add_header(batch + LWS_PRE + count, length);
        memcpy(batch + LWS_PRE + count, bytes, length);
        count += length;
        connection_note_sent(&web->base, length);
        queue_advance(queue, length);
    }
    return lws_write(web->wsi, batch + LWS_PRE, count, LWS_WRITE_HTTP) < (int)count ? -1 : 0;
}

/* libwebsockets allows one lws_write() per callback. */
static int write_message(struct web *web)
{
    int result = 0;
    if (web->state != WEB_SOCKET) {
        return 0;
    }
    bool owes_ping = web->base.owes_ping && !web->base.is_ping_sent && !web->base.is_closing;
    if (owes_ping) {
        result = write_ping(web);
    } else if (is_short(&web->base.queue) && web->base.queue.first->next) {
        result = write_batch(web);
    } else if (!write_next(web, true, &result)) {
        return web->base.is_closing ? close_now(web) : 0;
    }
    if (web->base.queue.first || web->base.is_closing) {
        lws_callback_on_writable(web->wsi);
    }
    return result;
}

static void take_message(struct web *web)
{
    struct strbuf *incoming = &web->base.incoming;
    connection_take(&web->base, incoming->data, incoming->length);
    if (incoming->capacity > KEPT_BUFFER) {
        strbuf_finish(incoming);
    } else {
        strbuf_clear(incoming);
    }
}

static int receive(struct web *web, const void *bytes, size_t length)
{
    struct strbuf *incoming = &web->base.incoming;
    if (web->base.is_closing || web->state != WEB_SOCKET) {
        return 0;
    }
    connection_note_life(&web->base);
    size_t left = lws_remaining_packet_payload(web->wsi);
    size_t max = web->base.all->limits.max_message;
    if (lws_frame_is_binary(web->wsi)) {
        connection_close(&web->base, 1003, "messages must be text");
    } else if (length > max || left > max || incoming->length + length + left > max) {
        connection_close(&web->base, 1009, "the message is too long");
    } else {
        strbuf_add(incoming, bytes, length);
        if (lws_is_final_fragment(web->wsi) && left == 0) {
            take_message(web);
        }
        return 0;
    }
    strbuf_finish(incoming);
    return 0;
}

static void be_socket(struct web *web)
{
    int on = 1;
    /* The handler may already have queued messages. */
    web->state = WEB_SOCKET;
    setsockopt(lws_get_socket_fd(web->wsi), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    web_read(&web->base, connection_is_read(&web->base));
    lws_callback_on_writable(web->wsi);
}

static int be_left(struct web *web)
{
    web->state = WEB_LEFT;
    connection_fail(&web->base, 1000, "");
    return 0;
}

static void be_gone(struct web *web)
{
    const struct net_handler *handler = &web->base.all->handler;
    if (web->is_reported && handler->on_closed) {
        handler->on_closed(handler->data, web->base.id);
    }
    if (web->request) {
        request_finish(web->request);
        free(web->request);
    }
    connection_finish(&web->base);
    free(web->asked.origin);
    free(web);
}

static int on_event(struct web *web, enum lws_callback_reasons reason, void *in, size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(web, in);
    case LWS_CALLBACK_HTTP:
        return on_request(web);
    case LWS_CALLBACK_HTTP_BODY:
        return receive_body(web, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_body(web);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return write_answer(web);
    case LWS_CALLBACK_ESTABLISHED:
        be_socket(web);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(web, in, length);
    case LWS_CALLBACK_RECEIVE_PONG:
        connection_note_pong(&web->base);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_message(web);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return be_left(web);
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        /* "CONNECT …" would become a raw tunnel that bypasses all checks. */
        return -1;
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(web->wsi, NULL);
        be_gone(web);
        return 0;
    default:
        return 0;
    }
}

static int on_web(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length)
{
    (void)user;
    struct web *web = wsi ? lws_get_opaque_user_data(wsi) : NULL;
    if (!web) {
        return 0;
    }
    web->wsi = wsi;
    return on_event(web, reason, in, length);
}

static const struct lws_protocols protocols[] = {
    {
        .name = "net-web",
        .callback = on_web,
        .rx_buffer_size = FRAGMENT,
        /* Otherwise libwebsockets sends rx_buffer_size at once, and copies the rest for later. */
        .tx_packet_size = QUEUE_ONE_FRAME,
    },
    { .name = NULL },
};

/*
 * Returns the one virtual host for all listeners of the loop. No other virtual host may have its
 * port: among virtual hosts of the same port, libwebsockets selects one by the Host header.
 */
static struct lws_vhost *get_vhost(struct loop *loop)
{
    /* Disables libwebsockets' own pings, which would end a paused client after five minutes. */
    static const lws_retry_bo_t no_pings = { .secs_since_valid_hangup = 0 };
    /* For responses with which libwebsockets itself refuses, such as to other upgrades. */
    static const struct lws_protocol_vhost_options headers = {
        .name = "connection:",
        .value = "close",
    };
    struct lws_context *context = loop_context(loop);
    struct lws_vhost *vhost = lws_get_vhost_by_name(context, protocols[0].name);
    if (vhost) {
        return vhost;
    }
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .vhost_name = protocols[0].name,
        .protocols = protocols,
        .headers = &headers,
        .retry_and_idle_policy = &no_pings,
    };
    return lws_create_vhost(context, &info);
}

bool web_accept(struct connections *all, int fd)
{
    struct lws_vhost *vhost = get_vhost(all->loop);
    if (!vhost) {
        close(fd);
        return false;
    }
    struct web *web = xcalloc(1, sizeof(*web));
    connection_init(&web->base, all, &web_ops);
    uint64_t id = web->base.id;
    const lws_adopt_desc_t adoption = {
        .vh = vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP,
        .fd = { .sockfd = fd },
        .opaque = web,
    };
    if (lws_adopt_descriptor_vhost_via_info(&adoption)) {
        return true;
    }
    /* If libwebsockets had already created a wsi, LWS_CALLBACK_WSI_DESTROY has freed `web`. */
    if (connections_find(all, id)) {
        be_gone(web);
    }
    return false;
}

void web_refuse(int fd)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    const struct request_refusal refusal = { 503,
                                             "There are too many connections; try again later.",
                                             "Retry-After: 1\r\n" };
    pages_refuse(&text, &refusal);
    send(fd, text.data, text.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
    strbuf_finish(&text);
}
