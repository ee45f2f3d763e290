/* Listening sockets, and the process at the other end of an accepted socket. */
#ifndef RUNNER_NET_SOCKET_H
#define RUNNER_NET_SOCKET_H

#include "runner/base/error.h"

#include <stdint.h>
#include <sys/types.h>

/* Sockets of one listener: 127.0.0.1, ::1, and a few addresses from a service manager. */
enum { SOCKET_MAX = 8 };

/* The sockets of a listener. */
struct socket_set {
    int fds[SOCKET_MAX];
    size_t count;           /* number of fds */
    int port;               /* TCP port of the first socket, otherwise 0 */
    char *path;             /* path of a Unix socket that was created here, otherwise NULL */
    uint64_t device, inode; /* identify the file at the path */
};

/*
 * Listens on an address. For "localhost" and NULL listens on 127.0.0.1 and on ::1, which may be
 * missing. Port 0: a port that is free on both.
 */
bool socket_listen_tcp(struct socket_set *set, const char *host, int port, struct br_error *err);

/* Listens at a path that only this user can access. Replaces a socket file without a listener. */
bool socket_listen_unix(struct socket_set *set, const char *path, struct br_error *err);

/* Checks that the inherited descriptors of the set are listening sockets of the given kind. */
bool socket_inherit(struct socket_set *set, bool is_unix, struct br_error *err);

/* Returns the numeric address of a socket, without the port; "" for a Unix socket. Caller frees. */
char *socket_address(int fd);

/* Whether only this machine can reach the host: an address, localhost, or NULL. */
bool socket_host_is_local(const char *host);

/* Whether only this machine can reach the address of a listening socket. */
bool socket_is_local(int fd);

/* Closes the sockets. Removes the path if the file is still this socket. */
void socket_set_finish(struct socket_set *set);

/* Removes the path, so that no further client connects. Keeps the descriptors. */
void socket_set_hide(struct socket_set *set);

/* Whether the process at the other end of a Unix socket belongs to our user. */
bool socket_peer_is_ours(int fd, pid_t *ret_pid);

#endif
