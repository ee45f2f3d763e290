/*
 * The listeners of `serve` between their start and their end: access rules, notifications to the
 * service manager, SIGHUP, and the drain.
 */
#ifndef RUNNER_CLI_SERVING_H
#define RUNNER_CLI_SERVING_H

#include "runner/cli/access.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/systemd.h"
#include "runner/sessions/sessions.h"

enum { SERVING_MAX = 8 };

/* Which rules of the access file apply to a listener. */
enum access_use {
    ACCESS_ALL,
    ACCESS_ORIGINS, /* extensions cannot send a token */
    ACCESS_NONE,
    ACCESS_ALL_TO_THE_END, /* all, and the listener accepts clients while it drains, to refuse them
                              with a status */
};

struct serving {
    const struct cli_options *options;
    struct systemd systemd;
    struct access access;
    struct net_log log; /* for the listeners of serving_set_listener() */
    struct {
        const char *name;
        struct net_listener *listener;
        enum access_use use;
    } open[SERVING_MAX];
    size_t open_count;
};

/*
 * Takes the sockets of the service manager, and reads --access-file. Call it while the program has
 * one thread. Call serving_finish() also when it fails.
 */
bool serving_init(struct serving *serving, const struct cli_options *options, struct br_error *err);
void serving_finish(struct serving *serving);

/* Sets the address of a server, by the server's name, and its access rules. */
void serving_set_listener(struct serving *serving, const char *name, int port,
                          struct net_listener_options *listener);

/* Remembers an open listener, and prints its `listening` line for the parent process. */
void serving_add(struct serving *serving, const char *name, struct net_listener *listener,
                 enum access_use use, const char *scheme, const char *path);

/* Prints a line of JSON on stdout; takes ownership. */
void serving_say(json_t *line);

/*
 * Reports that the servers are ready. Reads files again on SIGHUP, until a signal ends the program.
 */
void serving_wait(struct serving *serving, struct loop *loop, const struct interrupt *interrupt);

/* Tells the service manager that the program ends; the status is a line for people. */
void serving_stopping(const struct serving *serving, const char *status);

/* Stops accepting clients, and gives running actions and commands some time to end. */
void serving_drain(struct serving *serving, struct sessions *sessions);

#endif
