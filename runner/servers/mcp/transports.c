#include "runner/base/json.h"
#include "runner/net/lines.h"
#include "runner/net/service.h"
#include "runner/servers/mcp/message.h"
#include "runner/servers/mcp/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_MESSAGE = 16 * 1024 * 1024,
    MAX_WAITING = 64 * 1024 * 1024, /* bytes of messages from sockets that are not read yet */
    READ_BYTES = 64 * 1024,
    CLOSE_MS = 2000, /* for clients to read their last answers */
};

/* Standard input and output. */

struct stdio {
    int output;
    bool is_broken; /* the client reads no more */
};

static void write_line(void *data, const char *text, size_t length, int code)
{
    (void)code;
    struct stdio *stdio = data;
    CLEANUP_FREE char *line = xasprintf("%s\n", text);
    for (size_t sent = 0; sent < length + 1 && !stdio->is_broken;) {
        ssize_t count = write(stdio->output, line + sent, length + 1 - sent);
        if (count > 0) {
            sent += (size_t)count;
        } else if (errno == EAGAIN) {
            struct pollfd fd = { .fd = stdio->output, .events = POLLOUT };
            poll(&fd, 1, -1);
        } else if (errno != EINTR) {
            stdio->is_broken = true;
        }
    }
}

/* Returns false at the end of the input. */
static bool read_more(int input, struct strbuf *text)
{
    strbuf_reserve(text, READ_BYTES);
    ssize_t count = read(input, text->data + text->length, READ_BYTES);
    if (count < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    text->length += (size_t)count;
    text->data[text->length] = '\0';
    return count > 0;
}

bool mcp_serve_stdio(struct mcp_server *server, int input, int output, int stop_fd,
                     struct br_error *err)
{
    struct stdio stdio = { .output = output };
    const struct mcp_transport transport = { &stdio, write_line, true };
    struct mcp_peer *peer = mcp_peer_open(server, &transport);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct line_cut cut = { 0 };
    bool is_read = true;
    bool is_fine = true;
    while (is_read && is_fine && !stdio.is_broken) {
        struct pollfd fds[] = { { .fd = input, .events = POLLIN },
                                { .fd = stop_fd, .events = POLLIN } };
        int left_ms = mcp_idle_left_ms(server);
        if (poll(fds, 2, left_ms) == 0 && mcp_idle_left_ms(server) == 0) {
            break;
        }
        if (fds[1].revents) {
            break;
        }
        is_read = !fds[0].revents || read_more(input, &text);
        size_t length = 0;
        const char *line = NULL;
        while ((line = line_cut_next(&cut, &text, !is_read, &length))) {
            if (strspn(line, " \t\r") < length) {
                mcp_peer_take(peer, line, length);
            }
        }
        is_fine = line_cut_rest(&cut, &text) <= MAX_MESSAGE ||
                  error_set(err, BR_LIMIT_EXCEEDED, "a message is longer than %d MB",
                            MAX_MESSAGE / 1024 / 1024);
        line_cut_forget(&cut, &text);
    }
    mcp_peer_close(peer, true);
    return is_fine;
}

/* Sockets. */

struct mcp_socket {
    struct mcp_server *server;
    struct service *service;
    struct service_port *port;
};

struct socket_peer {
    struct service_client client;
    struct mcp_peer *peer;
    bool is_modern; /* of HTTP: the end of the connection cancels the call */
};

static void send_to(void *data, const char *text, size_t length, int code)
{
    (void)code;
    const struct socket_peer *own = data;
    service_send(&own->client, text, length, NET_REPLY);
}

static void on_opened(struct service_client *client, const char *query)
{
    (void)query;
    struct socket_peer *own = (struct socket_peer *)client;
    const struct mcp_socket *socket = client->data;
    const struct mcp_transport transport = { own, send_to, true };
    own->is_modern = true;
    own->peer = mcp_peer_open(socket->server, &transport);
}

static void on_message(struct service_client *client, struct service_message *message)
{
    if (strspn(message->text, " \t\r") < message->length) {
        mcp_peer_take(((struct socket_peer *)client)->peer, message->text, message->length);
    }
}

static void on_closed(struct service_client *client)
{
    struct socket_peer *own = (struct socket_peer *)client;
    if (own->peer) {
        mcp_peer_close(own->peer, own->is_modern);
    }
}

static void answer_unread(struct service_port *port, uint64_t connection, json_t *root)
{
    struct mcp_message message;
    json_auto_t *error = mcp_message_read(root, &message);
    if (!error && message.id && message.method) {
        error = mcp_error(message.id, MCP_INTERNAL_ERROR, "the server is shutting down", NULL);
    }
    CLEANUP_FREE char *text = error ? json_dumps(error, JSON_COMPACT) : NULL;
    if (text) {
        net_send(service_listener(port), connection, text, strlen(text), NET_REPLY);
    }
}

static void on_unread(struct service_port *port, uint64_t connection,
                      const struct service_message *unread)
{
    struct br_error ignored;
    size_t index;
    json_t *item;
    json_auto_t *root = json_parse(unread->text, unread->length, "the message", &ignored);
    if (json_is_array(root)) {
        json_array_foreach (root, index, item) {
            answer_unread(port, connection, item);
        }
    } else if (root) {
        answer_unread(port, connection, root);
    }
}

static const struct service_type over_lines = {
    .client_size = sizeof(struct socket_peer),
    .max_bytes = MAX_WAITING,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_unread = on_unread,
    .on_closed = on_closed,
};

/* HTTP. One message is one request. Its answer is JSON, never a stream of events. */

static void answer_with(const struct socket_peer *own, int status, const char *text, size_t length)
{
    struct net_answer answer = { .status = status,
                                 .content_type = length ? "application/json" : "text/plain",
                                 .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    strbuf_add(&answer.body, text, length);
    service_answer(&own->client, &answer);
}

static void send_answer(void *data, const char *text, size_t length, int code)
{
    const struct socket_peer *own = data;
    bool is_unknown = code == MCP_UNKNOWN_METHOD && own->is_modern;
    answer_with(own, is_unknown ? 404 : 200, text, length);
}

/* Answers a request that cannot be handled. Takes ownership of the error. */
static void refuse(const struct socket_peer *own, json_t *error)
{
    CLEANUP_FREE char *text = json_dumps(error, JSON_COMPACT);
    json_decref(error);
    answer_with(own, 400, text, text ? strlen(text) : 0);
}

/* On the loop thread. */
static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    (void)data;
    if (strcmp(request->path, "/mcp") != 0 || !request->is_allowed) {
        return;
    }
    if (strcmp(request->method, "POST") != 0) {
        answer->status = 405;
        strbuf_add_string(&answer->body, "Send a message by POST.\n");
        return;
    }
    answer->is_later = true;
}

static void on_body(struct service_client *client, struct service_message *body)
{
    struct br_error err;
    struct mcp_message message;
    struct socket_peer *own = (struct socket_peer *)client;
    const struct mcp_socket *socket = client->data;
    json_auto_t *root = json_parse(body->text, body->length, "the message", &err);
    if (!root) {
        refuse(own, mcp_error(NULL, MCP_PARSE_ERROR, err.message, NULL));
        return;
    }
    json_t *error = mcp_message_read(root, &message);
    /* A header that differs counts before a version that is not known. */
    json_t *mismatch = !error || mcp_error_code(error) == MCP_UNSUPPORTED_VERSION
                           ? mcp_check_headers(&message, body->headers)
                           : NULL;
    if (mismatch) {
        json_decref(error);
        error = mismatch;
    }
    if (error) {
        refuse(own, error);
        return;
    }
    if (!message.id || !message.method) {
        answer_with(own, 202, "", 0); /* nothing can be cancelled across requests */
        return;
    }
    const struct mcp_transport transport = { own, send_answer, false };
    own->is_modern = message.is_modern;
    own->peer = mcp_peer_open(socket->server, &transport);
    mcp_peer_take_json(own->peer, root);
}

static const struct service_type over_http = {
    .client_size = sizeof(struct socket_peer),
    .max_bytes = MAX_WAITING,
    .on_message = on_body,
    .on_closed = on_closed,
    .on_request = on_request,
    .takes_bodies = true,
    .headers = mcp_header_names,
};

static struct deadline on_tick(void *data)
{
    (void)data;
    return DEADLINE_NEVER;
}

struct mcp_socket *mcp_listen(struct mcp_server *server, struct loop *loop,
                              struct net_listener_options *options, struct br_error *err)
{
    struct mcp_socket *socket = xcalloc(1, sizeof(*socket));
    socket->server = server;
    socket->service = service_create(loop, on_tick, socket);
    options->name = "mcp";
    options->framing = options->unix_path ? NET_LINES : NET_WEBSOCKET;
    options->limits.max_message = MAX_MESSAGE;
    socket->port = service_listen(socket->service, options->unix_path ? &over_lines : &over_http,
                                  options, err);
    if (!socket->port || !service_begin(socket->service, err)) {
        mcp_socket_close(socket);
        return NULL;
    }
    return socket;
}

struct net_listener *mcp_socket_listener(const struct mcp_socket *socket)
{
    return service_listener(socket->port);
}

void mcp_socket_close(struct mcp_socket *socket)
{
    if (!socket) {
        return;
    }
    if (socket->port) {
        net_listener_refuse(service_listener(socket->port));
        mcp_await_calls(socket->server, deadline_in_ms(CLOSE_MS));
        service_end(socket->service);
        for (struct service_client *client = service_clients(socket->port); client;
             client = client->next) {
            on_closed(client);
        }
    }
    service_destroy(socket->service, CLOSE_MS);
    free(socket);
}
