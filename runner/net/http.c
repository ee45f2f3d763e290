#include "runner/net/http.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/net/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
    struct dial dial;
    struct strbuf answer; /* used on the loop thread until the dial has finished */
    bool is_chunked;      /* the answer marks its own end */
    bool may_break_off;   /* no bytes were left before the last read */
    size_t length_before; /* length of the answer before the last read */
};

/* Whether the other side has ended the connection and all its bytes have been read. */
static bool is_at_end(struct lws *wsi)
{
    char byte;
    return recv(lws_get_socket_fd(wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/*
 * libwebsockets treats the end of the connection as the end of any answer without a length. If a
 * chunked answer ends when no bytes were left to read, its last chunk is missing.
 */
static int read_some(struct request *request, struct lws *wsi)
{
    char buf[LWS_PRE + 4096];
    char *at = buf + LWS_PRE;
    int size = sizeof(buf) - LWS_PRE;
    request->may_break_off = request->is_chunked && is_at_end(wsi);
    request->length_before = request->answer.length;
    return lws_http_client_read(wsi, &at, &size) < 0 ? -1 : 0;
}

static int take_some(struct request *request, const char *bytes, size_t length)
{
    strbuf_add(&request->answer, bytes, length);
    if (request->answer.overflowed) {
        dial_set(&request->dial, DIAL_FAILED, "its answer is too large");
        return -1;
    }
    return 0;
}

static void take_end(struct request *request)
{
    bool is_broken_off = request->may_break_off && request->answer.length == request->length_before;
    dial_set(&request->dial, is_broken_off ? DIAL_FAILED : DIAL_DONE, "the answer broke off");
}

static int take_status(struct request *request)
{
    struct dial *dial = &request->dial;
    dial_take_status(dial);
    request->is_chunked = lws_hdr_total_length(dial->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0;
    if (dial->status != HTTP_STATUS_OK) {
        dial_set(dial, DIAL_FAILED, "refused");
        return -1;
    }
    return 0;
}

static int on_event(struct request *request, struct lws *wsi, enum lws_callback_reasons reason,
                    void *in, size_t length)
{
    struct dial *dial = &request->dial;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        return take_status(request);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return read_some(request, wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return take_some(request, in, length);
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        take_end(request);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dial_set(dial, DIAL_FAILED, in);
        return 0;
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        dial->wsi = NULL;
        dial_set(dial, DIAL_FAILED, "the server closed the connection");
        return 0;
    default:
        return 0;
    }
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
    (void)user;
    struct dial *dial = wsi ? dial_of(wsi) : NULL;
    if (!dial) {
        return 0;
    }
    return on_event(lws_container_of(dial, struct request, dial), wsi, reason, in, length);
}

static const struct lws_protocols protocols[] = {
    { .name = "cdp-http", .callback = on_http, .rx_buffer_size = 4096 },
    { .name = NULL },
};

static void cut_on_loop(void *data)
{
    dial_cut(data);
}

char *http_get(struct loop *loop, const struct server_url *server, const struct server_kind *peer,
               size_t max_bytes, struct deadline deadline, struct br_error *err)
{
    struct request request = { .answer = STRBUF_INIT(max_bytes) };
    dial_init(&request.dial, loop, peer);
    bool is_done = dial_run(&request.dial, server, protocols, "GET", deadline, err);
    loop_call(loop, cut_on_loop, &request.dial);
    char *answer = is_done ? strbuf_take(&request.answer) : NULL;
    strbuf_finish(&request.answer);
    dial_finish(&request.dial);
    return answer;
}

/*
 * Probing: with sockets of its own, since a wait for a server that starts has to end with its
 * process, and an accepted connection already is a result.
 */

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
}

/* The result of a wait. */
enum wait_result { WAIT_READY, WAIT_TOO_LATE, WAIT_STOPPED };

/* Waits for `events` of the descriptor; with -1 only for the deadline. */
static enum wait_result wait_for(int fd, short events, const struct http_probe_stop *stop,
                                 struct deadline deadline)
{
    for (;;) {
        struct pollfd fds[] = {
            { .fd = fd, .events = events },
            { .fd = stop->fds[0], .events = POLLIN },
            { .fd = stop->fds[1], .events = POLLIN },
        };
        int64_t left_ms = deadline_left_ms(deadline);
        int count = poll(fds, 3, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms);
        if (count > 0) {
            return fds[1].revents || fds[2].revents ? WAIT_STOPPED : WAIT_READY;
        }
        if (count == 0 && deadline_passed(deadline)) {
            return WAIT_TOO_LATE;
        }
    }
}

bool http_probe_pause(const struct http_probe_stop *stop, int64_t ms)
{
    return wait_for(-1, 0, stop, deadline_in_ms(ms)) != WAIT_STOPPED;
}

/* Converts the result of an unsuccessful wait. */
static enum http_probe_state state_of(enum wait_result result)
{
    return result == WAIT_STOPPED ? HTTP_PROBE_STOPPED : HTTP_PROBE_SILENT;
}

/* Starts connecting to the address and returns the descriptor; -1 on failure. */
static int begin_connect(const char *address, uint16_t port)
{
    const struct addrinfo wanted = {
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
        .ai_socktype = SOCK_STREAM,
    };
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof(service), "%u", (unsigned)port);
    if (getaddrinfo(address, service, &wanted, &found) != 0) {
        return -1;
    }
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) {
        close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

static bool is_connected(int fd)
{
    int failure = 0;
    socklen_t length = sizeof(failure);
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 && failure == 0;
}

/* The request is far smaller than any socket's buffer: it is sent at once or not at all. */
static bool send_request(int fd, const struct server_url *server)
{
    char host[SERVER_URL_MAX_HOST + 10];
    server_url_format_host(server->host, server->port, host, sizeof(host));
    CLEANUP_FREE char *request = xasprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n"
                                           "User-Agent: browser-runner/%s\r\n"
                                           "Connection: close\r\n\r\n",
                                           server->path, host, BROWSER_RUNNER_VERSION);
    size_t length = strlen(request);
    return send(fd, request, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* Returns 0 if the text is not an HTTP status line. */
static int parse_status(const char *line)
{
    int status = 0;
    int minor = 0;
    return sscanf(line, "HTTP/1.%1d %3d", &minor, &status) == 2 ? status : 0;
}

static enum http_probe_state read_status(int fd, const struct http_probe_stop *stop,
                                         struct deadline deadline, int *ret_status)
{
    char answer[256] = { 0 };
    size_t length = 0;
    while (!memchr(answer, '\n', length) && length < sizeof(answer) - 1) {
        enum wait_result result = wait_for(fd, POLLIN, stop, deadline);
        if (result != WAIT_READY) {
            return state_of(result);
        }
        ssize_t count = recv(fd, answer + length, sizeof(answer) - 1 - length, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
            return HTTP_PROBE_SILENT;
        }
        length += count > 0 ? (size_t)count : 0;
    }
    int status = parse_status(answer);
    *ret_status = status ? status : *ret_status;
    return status == 0 ? HTTP_PROBE_SILENT : status < 500 ? HTTP_PROBE_READY : HTTP_PROBE_REFUSED;
}

static enum http_probe_state ask(const struct server_url *server, const char *address,
                                 const struct http_probe_stop *stop, struct deadline deadline,
                                 int *ret_status)
{
    CLEANUP(close_fd) int fd = begin_connect(address, server->port);
    if (fd < 0) {
        return HTTP_PROBE_NOBODY;
    }
    enum wait_result result = wait_for(fd, POLLOUT, stop, deadline);
    if (result != WAIT_READY) {
        /* A firewall neither refuses nor answers. */
        return result == WAIT_STOPPED ? HTTP_PROBE_STOPPED : HTTP_PROBE_NOBODY;
    }
    if (!is_connected(fd)) {
        return HTTP_PROBE_NOBODY;
    }
    if (server->is_tls) {
        return HTTP_PROBE_READY;
    }
    return send_request(fd, server) ? read_status(fd, stop, deadline, ret_status)
                                    : HTTP_PROBE_SILENT;
}

enum http_probe_state http_probe(const struct server_url *server,
                                 const struct lookup_addresses *addresses,
                                 const struct http_probe_stop *stop, struct deadline deadline,
                                 int *ret_status)
{
    enum http_probe_state best = HTTP_PROBE_NOBODY;
    *ret_status = 0;
    for (size_t i = 0; i < addresses->count && best < HTTP_PROBE_READY; i++) {
        enum http_probe_state state = ask(server, addresses->items[i], stop, deadline, ret_status);
        best = state > best ? state : best;
    }
    return best;
}
