/*
 * The service manager that has started the program, such as systemd: the sockets that it has opened
 * for the program (sd_listen_fds(3)), and notifications to it (sd_notify(3)). Implemented without
 * systemd's library.
 */
#ifndef RUNNER_CLI_SYSTEMD_H
#define RUNNER_CLI_SYSTEMD_H

#include "runner/net/server.h"

struct systemd_socket {
    int fd; /* -1: a listener has taken it */
    char *name;
};

struct systemd {
    struct systemd_socket *sockets;
    size_t socket_count;
    char *address;   /* where notifications are sent; NULL: nowhere */
    int notify_fd;   /* -1: none */
    int watchdog_ms; /* the manager expects a WATCHDOG=1 within this time; 0: never */
};

#define SYSTEMD_INIT                                                                               \
    {                                                                                              \
        .notify_fd = -1                                                                            \
    }

/*
 * Reads the environment variables and removes those meant for this process alone, so that no
 * browser inherits them. Call it while the program has one thread. INVALID_ACTION for invalid
 * variables or sockets; call systemd_finish() then, too.
 */
bool systemd_init(struct systemd *systemd, struct br_error *err);

/* Closes the sockets that no listener has taken. */
void systemd_finish(struct systemd *systemd);

/*
 * Fails for a socket whose name is not among the NULL-terminated `known` ones, or not among the
 * `served`, and for too many of one name.
 */
bool systemd_check_names(const struct systemd *systemd, const char *const *known,
                         const char *const *served, struct br_error *err);

/* Gives the listener all sockets of this name, or of all names where that is NULL. */
void systemd_take(struct systemd *systemd, const char *name, struct net_listener_options *listener);

/* Sends assignments such as "READY=1", separated by newlines. */
void systemd_notify(const struct systemd *systemd, const char *text);

/* Reports that files are being read again; the next READY=1 ends this state. */
void systemd_notify_reloading(const struct systemd *systemd);

#endif
