/*
 * What `serve` does with its open listeners until they end: it replaces the access lists on SIGHUP,
 * notifies the service manager, and drains.
 */
#ifndef RUNNER_CLI_SERVING_H
#define RUNNER_CLI_SERVING_H

#include "runner/cli/access.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/service.h"
#include "runner/sessions/sessions.h"

enum { SERVING_MAX = 6 };

/* What of the access lists counts at a listener. */
enum access_use {
    ACCESS_ALL,
    ACCESS_ORIGINS, /* extensions cannot send a token */
    ACCESS_NONE,
};

struct serving {
    const struct cli_options *options;
    struct service service;
    struct access access;
    struct {
        const char *name;
        struct net_listener *listener;
        enum access_use use;
    } open[SERVING_MAX];
    size_t open_count;
};

/*
 * Reads the service manager's variables and --access-file. Call it while the program has one
 * thread, and serving_finish() also when it fails.
 */
bool serving_init(struct serving *serving, const struct cli_options *options, struct br_error *err);
void serving_finish(struct serving *serving);

/* Fills in where a server listens, by its name, and who may connect. */
void serving_set_listener(struct serving *serving, const char *name, int port,
                          struct net_listener_options *listener);

/* Remembers an open listener, and prints its `listening` line for the parent process. */
void serving_add(struct serving *serving, const char *name, struct net_listener *listener,
                 enum access_use use, const char *scheme, const char *path);

/* Prints a line of JSON on stdout; takes ownership. */
void serving_say(json_t *line);

/* Notifies that the servers are ready; then reloads on SIGHUP until a signal to end comes. */
void serving_wait(struct serving *serving, struct loop *loop, const struct interrupt *interrupt);

/* Stops accepting clients, and waits at most 5 s until no session is busy. */
void serving_drain(struct serving *serving, struct sessions *sessions);

#endif
