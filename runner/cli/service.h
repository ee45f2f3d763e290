/*
 * The protocols of a service manager, such as systemd, without its library: it passes listening
 * sockets (sd_listen_fds(3)) and receives notifications (sd_notify(3)).
 */
#ifndef RUNNER_CLI_SERVICE_H
#define RUNNER_CLI_SERVICE_H

#include "runner/net/server.h"

struct service_socket {
    int fd; /* -1: a listener has it */
    char *name;
};

struct service {
    struct service_socket *sockets;
    size_t socket_count;
    char *address;   /* of notifications; NULL: none are sent */
    int notify_fd;   /* -1: none */
    int watchdog_ms; /* the longest time between two WATCHDOG=1; 0: it expects none */
};

#define SERVICE_INIT                                                                               \
    {                                                                                              \
        .notify_fd = -1                                                                            \
    }

/*
 * Reads the variables of these protocols and removes them from the environment, so that browsers
 * do not inherit them. Call it while the program has one thread. INVALID_ACTION for an invalid
 * value; call service_finish() then, too.
 */
bool service_init(struct service *service, struct br_error *err);

/* Closes the sockets that no listener has. */
void service_finish(struct service *service);

/*
 * Fails with INVALID_ACTION for a socket whose name is not in `known` or not in `served`, which are
 * NULL-terminated, and for more than SOCKET_MAX sockets of a name.
 */
bool service_check_names(const struct service *service, const char *const *known,
                         const char *const *served, struct br_error *err);

/* Gives the listener all sockets of this name; NULL: all sockets. */
void service_take(struct service *service, const char *name, struct net_listener_options *listener);

/* Sends assignments such as "READY=1", a newline between two. */
void service_notify(const struct service *service, const char *text);

/* Notifies of a reload, which ends with READY=1. */
void service_notify_reloading(const struct service *service);

#endif
