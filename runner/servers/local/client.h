/*
 * The command line's connection to the daemon of warm sessions: sends one request and reads the
 * lines of its answer. Calls block; use it from one thread.
 */
#ifndef RUNNER_SERVERS_LOCAL_CLIENT_H
#define RUNNER_SERVERS_LOCAL_CLIENT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <jansson.h>

struct local_client;

enum local_start {
    LOCAL_START,    /* starts a daemon if none runs */
    LOCAL_NO_START, /* fails with INVALID_ACTION if none runs */
};

/* Whether a daemon of this user runs. */
bool local_client_finds_daemon(void);

/* Returns NULL with the error. Caller closes. */
struct local_client *local_client_connect(enum local_start start, struct br_error *err);
void local_client_close(struct local_client *client); /* NULL is fine */

/* Sends a request; takes ownership. */
bool local_client_send(struct local_client *client, json_t *request, struct br_error *err);

/*
 * Reads the next line as JSON; *ret_line (may be NULL) is its text, borrowed until the next call.
 * Waits until the deadline, or until `interrupt_fd` (-1: none) is readable, which sets
 * *ret_is_interrupted. Returns NULL with the error, at the end with err->code BR_OK. Caller
 * decrefs.
 */
json_t *local_client_read(struct local_client *client, struct deadline deadline, int interrupt_fd,
                          bool *ret_is_interrupted, const char **ret_line, struct br_error *err);

#endif
