/* Sockets that listen, and who is at the other end of one that was accepted. */
#ifndef RUNNER_NET_SOCKET_H
#define RUNNER_NET_SOCKET_H

#include "runner/base/error.h"

#include <stdint.h>
#include <sys/types.h>

/* What a server listens on. */
struct socket_set {
    int fds[2];             /* -1: not there */
    int port;               /* of TCP, else 0 */
    char *path;             /* of a Unix socket that was made here, else NULL */
    uint64_t device, inode; /* of that */
};

#define SOCKET_SET_INIT                                                                            \
    {                                                                                              \
        .fds = { -1, -1 }                                                                          \
    }

/*
 * On an address, or on those of localhost for "localhost" and NULL, where ::1 may be missing. Port
 * 0: one that is free at each of them.
 */
bool socket_listen_tcp(struct socket_set *set, const char *host, int port, struct br_error *err);

/* At a path, in the place of a socket that nobody listens at any more. For the user alone. */
bool socket_listen_unix(struct socket_set *set, const char *path, struct br_error *err);

/* Takes a descriptor that somebody else listens with; `is_unix`: as it has to be. */
bool socket_inherit(struct socket_set *set, int fd, bool is_unix, struct br_error *err);

/* Whether only this machine reaches it: an address, localhost, or NULL. */
bool socket_host_is_local(const char *host);

/* Whether only this machine reaches what this listens at. */
bool socket_is_local(int fd);

/* Closes them and removes the path, if it is still theirs. */
void socket_set_finish(struct socket_set *set);

/* Takes the path away, so that nobody else comes; the descriptors stay. */
void socket_set_hide(struct socket_set *set);

/* Whether the process at the other end of a Unix socket is of our user. */
bool socket_peer_is_ours(int fd, pid_t *ret_pid);

#endif
