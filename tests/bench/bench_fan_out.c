/*
 * The least that a relay of debug-bridge costs, for relay.mjs: passes each message of the app on to
 * all agents, with one system call for each, and looks at nothing but the frames' lengths. Prints
 * {"port":N}.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MAX_SOCKETS = 64,
    ROOM = 4 * 1024 * 1024, /* for messages that have arrived */
    MASK_SIZE = 4,
};

struct fan_out {
    struct pollfd fds[MAX_SOCKETS]; /* the listening socket, then clients */
    nfds_t count;
    bool is_agent[MAX_SOCKETS];
    uint8_t bytes[ROOM]; /* that were read from the app */
    size_t length;
};

static void die(const char *what)
{
    perror(what);
    exit(1); /* NOLINT: a tool without threads */
}

static int listen_at_free_port(int *ret_port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 ||
        listen(fd, SOMAXCONN) != 0 || getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        die("listen");
    }
    *ret_port = ntohs(address.sin_port);
    return fd;
}

/* A client that has gone is noticed when it is read. */
static void send_all(int fd, const void *bytes, size_t length)
{
    ssize_t count = 1;
    for (size_t sent = 0; sent < length && count > 0; sent += (size_t)count) {
        count = send(fd, (const char *)bytes + sent, length - sent, MSG_NOSIGNAL);
    }
}

/* The load checks no more of the answer than its status. */
static void accept_client(struct fan_out *out)
{
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n\r\n";
    char request[4096] = "";
    size_t length = 0;
    int on = 1;
    int fd = accept(out->fds[0].fd, NULL, NULL);
    if (fd < 0 || out->count == MAX_SOCKETS) {
        die("accept");
    }
    while (!strstr(request, "\r\n\r\n")) {
        ssize_t count = recv(fd, request + length, sizeof(request) - 1 - length, 0);
        if (count <= 0) {
            die("the handshake");
        }
        length += (size_t)count;
        request[length] = '\0';
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    send_all(fd, answer, strlen(answer));
    out->is_agent[out->count] = strstr(request, "role=agent");
    out->fds[out->count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* Returns the length of the masked frame with its header; 0: its header has not arrived. */
static size_t frame_length(const uint8_t *bytes, size_t length, size_t *ret_header)
{
    size_t extra = length < 2 ? 0 : (bytes[1] & 0x7F) == 127 ? 8 : (bytes[1] & 0x7F) == 126 ? 2 : 0;
    *ret_header = 2 + extra + MASK_SIZE;
    if (length < *ret_header) {
        return 0;
    }
    size_t payload = extra ? 0 : bytes[1] & 0x7F;
    for (size_t i = 0; i < extra; i++) {
        payload = payload << 8 | bytes[2 + i];
    }
    return *ret_header + payload;
}

static void unmask(uint8_t *bytes, size_t length, const uint8_t mask[MASK_SIZE])
{
    uint64_t word;
    uint64_t masks;
    size_t at = 0;
    memcpy(&masks, mask, MASK_SIZE);
    memcpy((uint8_t *)&masks + MASK_SIZE, mask, MASK_SIZE);
    for (; at + sizeof(word) <= length; at += sizeof(word)) {
        memcpy(&word, bytes + at, sizeof(word));
        word ^= masks;
        memcpy(bytes + at, &word, sizeof(word));
    }
    for (; at < length; at++) {
        bytes[at] ^= mask[at % MASK_SIZE];
    }
}

/* Passes on a whole frame: takes the mask out of its header, and off its payload. */
static void pass_on(struct fan_out *out, uint8_t *frame, size_t length, size_t header)
{
    uint8_t mask[MASK_SIZE];
    memcpy(mask, frame + header - MASK_SIZE, MASK_SIZE);
    unmask(frame + header, length - header, mask);
    frame[1] &= 0x7F;
    memmove(frame + MASK_SIZE, frame, header - MASK_SIZE);
    for (nfds_t i = 1; i < out->count; i++) {
        if (out->is_agent[i] && out->fds[i].fd >= 0) {
            send_all(out->fds[i].fd, frame + MASK_SIZE, length - MASK_SIZE);
        }
    }
}

/* False: the client has ended. */
static bool take(struct fan_out *out, int fd)
{
    size_t header;
    size_t at = 0;
    ssize_t count = recv(fd, out->bytes + out->length, ROOM - out->length, 0);
    if (count <= 0) {
        return false;
    }
    out->length += (size_t)count;
    for (;;) {
        size_t length = frame_length(out->bytes + at, out->length - at, &header);
        if (length == 0 || length > out->length - at) {
            break;
        }
        pass_on(out, out->bytes + at, length, header);
        at += length;
    }
    out->length -= at;
    memmove(out->bytes, out->bytes + at, out->length);
    return true;
}

static void serve(struct fan_out *out)
{
    while (poll(out->fds, out->count, -1) > 0) {
        if (out->fds[0].revents) {
            accept_client(out);
        }
        for (nfds_t i = 1; i < out->count; i++) {
            if (out->fds[i].revents && !take(out, out->fds[i].fd)) {
                close(out->fds[i].fd);
                out->fds[i].fd = -1;
                out->length = 0; /* the clients of a measurement leave together */
            }
        }
        while (out->count > 1 && out->fds[out->count - 1].fd < 0) {
            out->count--;
        }
    }
}

int main(void)
{
    static struct fan_out out;
    int port = 0;
    int fd = listen_at_free_port(&port);
    out.fds[0] = (struct pollfd){ .fd = fd, .events = POLLIN };
    out.count = 1;
    printf("{\"port\":%d}\n", port);
    fflush(stdout);
    serve(&out);
    return 0;
}
