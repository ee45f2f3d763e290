#include "runner/base/json.h"
#include "runner/net/lines.h"
#include "runner/servers/mcp/message.h"
#include "runner/servers/mcp/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_MESSAGE = 16 * 1024 * 1024,
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

struct socket_peer {
    struct socket_peer *next;
    struct mcp_socket *socket;
    uint64_t connection;
    struct mcp_peer *peer;
    bool is_modern; /* of HTTP: the end of the connection cancels the call */
};

/* Used on the loop thread, but for sending. */
struct mcp_socket {
    struct mcp_server *server;
    struct net_listener *listener;
    struct socket_peer *peers;
};

static void send_to(void *data, const char *text, size_t length, int code)
{
    (void)code;
    const struct socket_peer *own = data;
    net_send(own->socket->listener, own->connection, text, length, NET_REPLY);
}

static int status_of(int code, bool is_modern)
{
    return code == MCP_UNKNOWN_METHOD && is_modern ? 404 : 200;
}

static void send_answer(void *data, const char *text, size_t length, int code)
{
    const struct socket_peer *own = data;
    struct net_answer answer = { .status = status_of(code, own->is_modern),
                                 .content_type = "application/json",
                                 .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    strbuf_add(&answer.body, text, length);
    net_answer(own->socket->listener, own->connection, &answer);
}

static struct socket_peer *add_peer(struct mcp_socket *socket, uint64_t id, bool is_http,
                                    bool is_modern)
{
    struct socket_peer *own = xcalloc(1, sizeof(*own));
    const struct mcp_transport transport = { own, is_http ? send_answer : send_to, !is_http };
    *own = (struct socket_peer){ .next = socket->peers,
                                 .socket = socket,
                                 .connection = id,
                                 .peer = mcp_peer_open(socket->server, &transport),
                                 .is_modern = is_modern };
    socket->peers = own;
    return own;
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    (void)peer;
    add_peer(data, id, false, true);
    return true;
}

static struct socket_peer **find_peer(struct mcp_socket *socket, uint64_t id)
{
    struct socket_peer **place = &socket->peers;
    while (*place && (*place)->connection != id) {
        place = &(*place)->next;
    }
    return place;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    struct socket_peer *own = *find_peer(data, id);
    if (own && strspn(text, " \t\r") < length) {
        mcp_peer_take(own->peer, text, length);
    }
}

static void on_closed(void *data, uint64_t id)
{
    struct socket_peer **place = find_peer(data, id);
    struct socket_peer *own = *place;
    if (own) {
        *place = own->next;
        mcp_peer_close(own->peer, own->is_modern);
        free(own);
    }
}

/* Answers a request that cannot be handled. Takes ownership of the error. */
static void refuse(struct net_answer *answer, json_t *error)
{
    CLEANUP_FREE char *text = json_dumps(error, JSON_COMPACT);
    json_decref(error);
    answer->status = 400;
    answer->content_type = "application/json";
    strbuf_add_string(&answer->body, text ? text : "");
}

/* One message is one request. Its answer is JSON, never a stream of events. */
static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    struct br_error err;
    struct mcp_message message;
    if (strcmp(request->path, "/mcp") != 0 || !request->is_allowed) {
        return;
    }
    if (strcmp(request->method, "POST") != 0) {
        answer->status = 405;
        strbuf_add_string(&answer->body, "Send a message by POST.\n");
        return;
    }
    json_auto_t *root = json_parse(request->body, request->body_length, "the message", &err);
    if (!root) {
        refuse(answer, mcp_error(NULL, MCP_PARSE_ERROR, err.message, NULL));
        return;
    }
    json_t *error = mcp_message_read(root, &message);
    /* A header that differs counts before a version that is not known. */
    json_t *mismatch = !error || mcp_error_code(error) == MCP_UNSUPPORTED_VERSION
                           ? mcp_check_headers(&message, request->headers)
                           : NULL;
    if (mismatch) {
        json_decref(error);
        error = mismatch;
    }
    if (error) {
        refuse(answer, error);
        return;
    }
    if (!message.id || !message.method) {
        answer->status = 202; /* nothing can be cancelled across requests */
        return;
    }
    struct socket_peer *own = add_peer(data, request->id, true, message.is_modern);
    answer->is_later = true;
    mcp_peer_take(own->peer, request->body, request->body_length);
}

struct mcp_socket *mcp_listen(struct mcp_server *server, struct loop *loop,
                              struct net_listener_options *options, struct br_error *err)
{
    struct mcp_socket *socket = xcalloc(1, sizeof(*socket));
    socket->server = server;
    options->name = "mcp";
    options->framing = options->unix_path ? NET_LINES : NET_WEBSOCKET;
    options->limits.max_message = MAX_MESSAGE;
    options->handler = (struct net_handler){ .data = socket, .on_closed = on_closed };
    if (options->unix_path) {
        options->handler.on_open = on_open;
        options->handler.on_message = on_message;
    } else {
        options->handler.on_request = on_request;
        options->handler.takes_bodies = true;
        options->handler.headers = mcp_header_names;
    }
    socket->listener = net_listen(loop, options, err);
    if (!socket->listener) {
        free(socket);
        return NULL;
    }
    return socket;
}

struct net_listener *mcp_socket_listener(const struct mcp_socket *socket)
{
    return socket->listener;
}

void mcp_socket_close(struct mcp_socket *socket)
{
    if (socket) {
        net_listener_close(socket->listener, CLOSE_MS);
        free(socket);
    }
}
