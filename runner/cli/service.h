/*
 * The service manager that has started the program, such as systemd: the sockets that it has opened
 * for the program (sd_listen_fds(3)), and notifications to it (sd_notify(3)). Implemented without
 * systemd's library.
 */
#ifndef RUNNER_CLI_SERVICE_H
#define RUNNER_CLI_SERVICE_H

#include "runner/net/server.h"

struct service_socket {
    int fd; /* -1: a listener has taken it */
    char *name;
};

struct service {
    struct service_socket *sockets;
    size_t socket_count;
    char *address;   /* where notifications are sent; NULL: nowhere */
    int notify_fd;   /* -1: none */
    int watchdog_ms; /* the manager expects a WATCHDOG=1 within this time; 0: never */
};

#define SERVICE_INIT                                                                               \
    {                                                                                              \
        .notify_fd = -1                                                                            \
    }

/*
 * Reads the environment variables and removes those meant for this process alone, so that no
 * browser inherits them. Call it while the program has one thread. INVALID_ACTION for invalid
 * variables or sockets; call service_finish() then, too.
 */
bool service_init(struct service *service, struct br_error *err);

/* Closes the sockets that no listener has taken. */
void service_finish(struct service *service);

/*
 * Fails for a socket whose name is not among the NULL-terminated `known` ones, or not among the
 * `served`, and for too many of one name.
 */
bool service_check_names(const struct service *service, const char *const *known,
                         const char *const *served, struct br_error *err);

/* Gives the listener all sockets of this name, or of all names where that is NULL. */
void service_take(struct service *service, const char *name, struct net_listener_options *listener);

/* Sends assignments such as "READY=1", separated by newlines. */
void service_notify(const struct service *service, const char *text);

/* Reports that files are being read again; the next READY=1 ends this state. */
void service_notify_reloading(const struct service *service);

#endif
