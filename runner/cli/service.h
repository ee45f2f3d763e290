/*
 * The service manager that has started the program, such as systemd: sockets that it has opened for
 * the program (sd_listen_fds(3)), and what it is told (sd_notify(3)), without its library.
 */
#ifndef RUNNER_CLI_SERVICE_H
#define RUNNER_CLI_SERVICE_H

#include "runner/net/server.h"

struct service_socket {
    int fd; /* -1: it was taken */
    char *name;
};

struct service {
    struct service_socket *sockets;
    size_t socket_count;
    char *address;   /* where to send what it is told; NULL: nowhere */
    int notify_fd;   /* -1: none */
    int watchdog_ms; /* within which it wants to be told that the program works; 0: never */
};

#define SERVICE_INIT                                                                               \
    {                                                                                              \
        .notify_fd = -1                                                                            \
    }

/*
 * Reads the environment and removes what is meant for this process alone, so that no browser gets
 * it. Call it while the program has one thread. INVALID_ACTION for what is not as it should be;
 * call service_finish() then, too.
 */
bool service_init(struct service *service, struct br_error *err);

/* Closes the sockets that nobody has taken. */
void service_finish(struct service *service);

/*
 * Fails for a socket whose name is not among the NULL-terminated `known` ones, or not among the
 * `served`, and for too many of one name.
 */
bool service_check_names(const struct service *service, const char *const *known,
                         const char *const *served, struct br_error *err);

/* Gives the listener all sockets of this name, or of all names where that is NULL. */
void service_take(struct service *service, const char *name, struct net_listener_options *listener);

/* Sends assignments such as "READY=1", a newline between two. */
void service_notify(const struct service *service, const char *text);

/* That files are read again, until READY=1. */
void service_notify_reloading(const struct service *service);

#endif
