/*
 * The least that a process between two others costs, for cdp.mjs: passes bytes on between the
 * clients of a port of its own, which it prints, and a port of this machine. Reads nothing of them.
 *
 *   bench_forward PORT                            until stdin ends
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_SOCKETS = 256, CHUNK = 64 * 1024 };

struct forward {
    int port;
    struct pollfd fds[MAX_SOCKETS]; /* stdin, the listening socket, then pairs */
    nfds_t count;
};

static struct sockaddr_in address_of(int port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static bool listen_at_free_port(int *ret_fd, int *ret_port)
{
    struct sockaddr_in address = address_of(0);
    socklen_t length = sizeof(address);
    *ret_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*ret_fd < 0 || bind(*ret_fd, (struct sockaddr *)&address, length) != 0 ||
        listen(*ret_fd, SOMAXCONN) != 0 ||
        getsockname(*ret_fd, (struct sockaddr *)&address, &length) != 0) {
        return false;
    }
    *ret_port = ntohs(address.sin_port);
    return true;
}

static void add(struct forward *forward, int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    forward->fds[forward->count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void take_client(struct forward *forward, int listening_fd)
{
    struct sockaddr_in address = address_of(forward->port);
    int client = accept(listening_fd, NULL, NULL);
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0 || server < 0 || forward->count + 2 > MAX_SOCKETS ||
        connect(server, (struct sockaddr *)&address, sizeof(address)) != 0) {
        perror("bench_forward");
        exit(1); /* NOLINT: a tool without threads */
    }
    add(forward, client);
    add(forward, server);
}

/* False: the side has ended. */
static bool pass_on(int from, int to)
{
    static char bytes[CHUNK];
    ssize_t count = recv(from, bytes, sizeof(bytes), 0);
    for (ssize_t sent = 0; sent < count;) {
        ssize_t part = send(to, bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
        if (part <= 0) {
            return false;
        }
        sent += part;
    }
    return count > 0;
}

static void serve(struct forward *forward)
{
    while (poll(forward->fds, forward->count, -1) > 0 && !forward->fds[0].revents) {
        if (forward->fds[1].revents) {
            take_client(forward, forward->fds[1].fd);
        }
        for (nfds_t i = 2; i < forward->count; i++) {
            struct pollfd *other = &forward->fds[i % 2 ? i - 1 : i + 1];
            if (forward->fds[i].revents && !pass_on(forward->fds[i].fd, other->fd)) {
                shutdown(other->fd, SHUT_RDWR);
                forward->fds[i].fd = -1; /* poll() leaves it out; the descriptors are few */
            }
        }
    }
}

int main(int argc, char **argv)
{
    static struct forward forward;
    int fd = -1;
    int port = 0;
    if (argc != 2 || !listen_at_free_port(&fd, &port)) {
        fprintf(stderr, "usage: bench_forward PORT\n");
        return 2;
    }
    forward.port = (int)strtol(argv[1], NULL, 10);
    forward.fds[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
    forward.fds[1] = (struct pollfd){ .fd = fd, .events = POLLIN };
    forward.count = 2;
    printf("%d\n", port);
    fflush(stdout);
    serve(&forward);
    return 0;
}
