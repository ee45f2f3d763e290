#include "runner/net/socket.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 128, PORT_TRIES = 16 };

union address {
    struct sockaddr any;
    struct sockaddr_in in4;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    struct sockaddr_storage room;
};

static socklen_t size_of(const union address *address)
{
    return address->any.sa_family == AF_INET    ? sizeof(address->in4)
           : address->any.sa_family == AF_INET6 ? sizeof(address->in6)
                                                : sizeof(address->un);
}

static bool read_address(const char *host, union address *ret_address)
{
    *ret_address = (union address){ 0 };
    if (inet_pton(AF_INET, host, &ret_address->in4.sin_addr) == 1) {
        ret_address->any.sa_family = AF_INET;
    } else if (inet_pton(AF_INET6, host, &ret_address->in6.sin6_addr) == 1) {
        ret_address->any.sa_family = AF_INET6;
    }
    return ret_address->any.sa_family != 0;
}

static void set_port(union address *address, int port)
{
    *(address->any.sa_family == AF_INET ? &address->in4.sin_port : &address->in6.sin6_port) =
        htons((uint16_t)port);
}

static int port_of(int fd)
{
    union address address = { 0 };
    socklen_t length = sizeof(address);
    if (getsockname(fd, &address.any, &length) != 0) {
        return 0;
    }
    return address.any.sa_family == AF_INET    ? ntohs(address.in4.sin_port)
           : address.any.sa_family == AF_INET6 ? ntohs(address.in6.sin6_port)
                                               : 0;
}

static bool is_loopback(const union address *address)
{
    return address->any.sa_family == AF_INET
               ? ntohl(address->in4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
               : address->any.sa_family == AF_INET6 &&
                     IN6_IS_ADDR_LOOPBACK(&address->in6.sin6_addr);
}

static bool means_localhost(const char *host)
{
    return !host || strcmp(host, "localhost") == 0;
}

bool socket_host_is_local(const char *host)
{
    union address address;
    return means_localhost(host) || (read_address(host, &address) && is_loopback(&address));
}

bool socket_is_local(int fd)
{
    union address address = { 0 };
    socklen_t length = sizeof(address);
    return getsockname(fd, &address.any, &length) == 0 &&
           (address.any.sa_family == AF_UNIX || is_loopback(&address));
}

/* Returns -1 with errno set. */
static int listen_at(const union address *address)
{
    int on = 1;
    int family = address->any.sa_family;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    /* bind() creates the path with this mode. A umask would apply to the whole process. */
    bool is_ready = family == AF_UNIX
                        ? fchmod(fd, 0600) == 0
                        : setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0;
    if (is_ready && family == AF_INET6) {
        is_ready = setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) == 0;
    }
    if (is_ready && bind(fd, &address->any, size_of(address)) == 0 && listen(fd, BACKLOG) == 0) {
        return fd;
    }
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}

static bool fail_to_listen(const char *host, int port, struct br_error *err)
{
    char holder[120] = "another program";
    int failure = errno;
    error_set_errno(err, BR_INVALID_ACTION, failure, "cannot listen at %.100s, port %d", host,
                    port);
    if (failure != EADDRINUSE) {
        return false;
    }
    platform_port_holder(port, holder, sizeof(holder));
    return error_hint(err, "%s listens there; use another port, or 0 for a free one", holder);
}

/* Returns false for -1, and keeps errno. */
static bool add_socket(struct socket_set *set, int fd)
{
    if (fd < 0) {
        return false;
    }
    set->port = set->count ? set->port : port_of(fd);
    set->fds[set->count++] = fd;
    return true;
}

/* ::1 may be missing on this machine, but its port must not belong to another program. */
static bool listen_local(struct socket_set *set, int port, struct br_error *err)
{
    union address in4, in6;
    read_address("127.0.0.1", &in4);
    read_address("::1", &in6);
    for (int tries = 0; tries < PORT_TRIES; tries++) {
        set_port(&in4, port);
        if (!add_socket(set, listen_at(&in4))) {
            return fail_to_listen("127.0.0.1", port, err);
        }
        set_port(&in6, set->port);
        if (add_socket(set, listen_at(&in6)) || errno != EADDRINUSE) {
            return true;
        }
        if (port != 0) {
            return fail_to_listen("::1", port, err);
        }
        close(set->fds[--set->count]);
    }
    return error_set(err, BR_INVALID_ACTION, "no port is free at both 127.0.0.1 and ::1");
}

bool socket_listen_tcp(struct socket_set *set, const char *host, int port, struct br_error *err)
{
    union address address;
    if (port < 0 || port > UINT16_MAX) {
        return error_set(err, BR_INVALID_ACTION, "%d is not a port: 0 to %d", port, UINT16_MAX);
    }
    if (means_localhost(host)) {
        return listen_local(set, port, err);
    }
    if (!read_address(host, &address)) {
        error_set(err, BR_INVALID_ACTION, "\"%.100s\" is not an IP address", host);
        return error_hint(err, "write it in numbers, such as 127.0.0.1, ::1 or 0.0.0.0");
    }
    set_port(&address, port);
    return add_socket(set, listen_at(&address)) || fail_to_listen(host, port, err);
}

/* Whether the path is a socket without a listener, as left by a killed process. */
static bool is_left_over(const union address *address)
{
    struct stat stat;
    if (lstat(address->un.sun_path, &stat) != 0 || !S_ISSOCK(stat.st_mode)) {
        return false;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_refused =
        fd >= 0 && connect(fd, &address->any, sizeof(address->un)) != 0 && errno == ECONNREFUSED;
    if (fd >= 0) {
        close(fd);
    }
    return is_refused;
}

bool socket_listen_unix(struct socket_set *set, const char *path, struct br_error *err)
{
    union address address = { .un = { .sun_family = AF_UNIX } };
    struct stat stat;
    if (!*path || strlen(path) >= sizeof(address.un.sun_path)) {
        error_set(err, BR_INVALID_ACTION,
                  "the path of a socket must have 1 to %zu bytes, this has %zu: %.200s",
                  sizeof(address.un.sun_path) - 1, strlen(path), path);
        return error_hint(err, "use a shorter path, such as one in $XDG_RUNTIME_DIR");
    }
    memcpy(address.un.sun_path, path, strlen(path));
    int fd = listen_at(&address);
    if (fd < 0 && errno == EADDRINUSE) {
        if (!is_left_over(&address)) {
            return error_set(err, BR_INVALID_ACTION, "another program listens at %.200s", path);
        }
        unlink(path);
        fd = listen_at(&address);
    }
    if (!add_socket(set, fd)) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot listen at %.200s", path);
    }
    if (lstat(path, &stat) == 0) {
        set->path = xstrdup(path);
        set->device = stat.st_dev;
        set->inode = stat.st_ino;
    }
    return true;
}

/* Returns an option of the level SOL_SOCKET; -1 if the descriptor is not a socket. */
static int socket_option(int fd, int option)
{
    int value = 0;
    socklen_t size = sizeof(value);
    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

static bool check_inherited(int fd, bool is_unix, struct br_error *err)
{
    int family = socket_option(fd, SO_DOMAIN);
    if (socket_option(fd, SO_TYPE) != SOCK_STREAM || socket_option(fd, SO_ACCEPTCONN) != 1) {
        error_set(err, BR_INVALID_ACTION, "descriptor %d is not a listening stream socket", fd);
        return error_hint(err, "a socket unit needs ListenStream= and Accept=no");
    }
    if (is_unix ? family != AF_UNIX : family != AF_INET && family != AF_INET6) {
        error_set(err, BR_INVALID_ACTION, "descriptor %d is not a %s socket", fd,
                  is_unix ? "Unix" : "TCP");
        return error_hint(err, is_unix ? "name a path in ListenStream="
                                       : "name an address and a port in ListenStream=");
    }
    return true;
}

bool socket_inherit(struct socket_set *set, bool is_unix, struct br_error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!check_inherited(set->fds[i], is_unix, err)) {
            return false;
        }
        /* Keeps browsers that are started later from inheriting the socket. */
        fcntl(set->fds[i], F_SETFD, FD_CLOEXEC);
    }
    set->port = port_of(set->fds[0]);
    return true;
}

char *socket_address(int fd)
{
    char text[INET6_ADDRSTRLEN] = "";
    union address address = { 0 };
    socklen_t length = sizeof(address);
    bool is_known = getsockname(fd, &address.any, &length) == 0;
    if (is_known && address.any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &address.in4.sin_addr, text, sizeof(text));
    } else if (is_known && address.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &address.in6.sin6_addr, text, sizeof(text));
    }
    return xstrdup(text);
}

void socket_set_hide(struct socket_set *set)
{
    struct stat stat;
    CLEANUP_FREE char *path = TAKE(set->path);
    if (path && lstat(path, &stat) == 0 && stat.st_dev == set->device &&
        stat.st_ino == set->inode) {
        unlink(path);
    }
}

void socket_set_finish(struct socket_set *set)
{
    socket_set_hide(set);
    while (set->count) {
        close(set->fds[--set->count]);
    }
}

bool socket_peer_is_ours(int fd, pid_t *ret_pid)
{
    struct ucred peer = { 0 };
    socklen_t length = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
        return false;
    }
    *ret_pid = peer.pid;
    return peer.uid == geteuid();
}
