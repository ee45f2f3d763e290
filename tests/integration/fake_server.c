#include "tests/integration/fake_server.h"

#include "runner/base/memory.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Time limit for a client to send its request. */
enum { REQUEST_MS = 60000 };

struct fake_server {
    int fd;
    char url[40];
};

struct fake_server *fake_server_create(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 16) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        return NULL;
    }
    struct fake_server *server = xcalloc(1, sizeof(*server));
    server->fd = fd;
    snprintf(server->url, sizeof(server->url), "http://127.0.0.1:%u",
             (unsigned)ntohs(address.sin_port));
    return server;
}

void fake_server_destroy(struct fake_server *server)
{
    if (server) {
        close(server->fd);
        free(server);
    }
}

const char *fake_server_url(const struct fake_server *server)
{
    return server->url;
}

static bool wait_readable(int fd, struct deadline deadline)
{
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
    return poll(&poll_fd, 1, (int)deadline_left_ms(deadline)) > 0;
}

bool fake_server_await_knock(struct fake_server *server, struct deadline deadline)
{
    return wait_readable(server->fd, deadline);
}

int fake_server_take_request(struct fake_server *server, char *buf, size_t size,
                             struct deadline deadline)
{
    int on = 1;
    size_t length = 0;
    if (!wait_readable(server->fd, deadline)) {
        return -1;
    }
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
    /* Pieces of a split message must not wait for each other. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    struct deadline request_deadline = deadline_in_ms(REQUEST_MS);
    buf[0] = '\0';
    while (length < size - 1 && !strstr(buf, "\r\n\r\n") && wait_readable(fd, request_deadline)) {
        ssize_t count = read(fd, buf + length, size - 1 - length);
        if (count <= 0) {
            break;
        }
        length += (size_t)count;
        buf[length] = '\0';
    }
    return fd;
}

/* Finds the value of a header line, or "". */
static void find_header(const char *request, const char *name, char *buf, size_t size)
{
    const char *line = strcasestr(request, name);
    buf[0] = '\0';
    if (line) {
        line += strlen(name);
        line += strspn(line, " ");
        snprintf(buf, size, "%.*s", (int)strcspn(line, "\r\n"), line);
    }
}

static void answer(int fd, unsigned status, const char *body)
{
    dprintf(fd, "HTTP/1.1 %u Status\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
            status, strlen(body), body);
}

static bool is_local_host(const char *host)
{
    unsigned char address[16];
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(host, ":"), host);
    return strcmp(name, "localhost") == 0 || inet_pton(AF_INET, name, address) == 1;
}

static void answer_handshake(int fd, const char *key)
{
    char text[160];
    char hash[40];
    unsigned char digest[20];
    snprintf(text, sizeof(text), "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    lws_SHA1((unsigned char *)text, strlen(text), digest);
    lws_b64_encode_string((const char *)digest, sizeof(digest), hash, sizeof(hash));
    dprintf(fd,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: %s\r\n\r\n",
            hash);
}

/* Returns true if the request became a WebSocket. */
static bool answer_request(int fd, const char *request)
{
    char host[128];
    char origin[128];
    char key[64];
    find_header(request, "\r\nHost:", host, sizeof(host));
    find_header(request, "\r\nOrigin:", origin, sizeof(origin));
    find_header(request, "\r\nSec-WebSocket-Key:", key, sizeof(key));
    if (!is_local_host(host)) {
        answer(fd, 500, "Host header is specified and is not an IP address or localhost.");
    } else if (origin[0]) {
        answer(fd, 403, "Rejected an incoming WebSocket connection");
    } else if (strncmp(request, "GET /json/version HTTP/1.1\r\n", 28) == 0) {
        /* A browser in a container reports another host and port than those outside. */
        json_auto_t *version = json_pack("{s:s, s:s}", "Browser", "Fake/1", "webSocketDebuggerUrl",
                                         "ws://inside:9/devtools/browser/fake");
        CLEANUP_FREE char *body = json_dumps(version, JSON_COMPACT);
        answer(fd, 200, body);
    } else if (strncmp(request, "GET /devtools/browser/fake HTTP/1.1\r\n", 37) != 0 || !key[0]) {
        answer(fd, 404, "No such target id");
    } else {
        answer_handshake(fd, key);
        return true;
    }
    return false;
}

struct fake_peer *fake_server_accept(struct fake_server *server, struct deadline deadline)
{
    char request[4096];
    for (;;) {
        int fd = fake_server_take_request(server, request, sizeof(request), deadline);
        if (fd < 0) {
            return NULL;
        }
        if (answer_request(fd, request)) {
            return fake_peer_create_websocket(fd);
        }
        close(fd);
    }
}
