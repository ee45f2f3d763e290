/*
 * The side of the command line: one request to the daemon of warm sessions, and the lines that it
 * is answered with. Waits by itself; for programs with one thread.
 */
#ifndef RUNNER_SERVERS_LOCAL_CLIENT_H
#define RUNNER_SERVERS_LOCAL_CLIENT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <jansson.h>

struct local_client;

enum local_start {
    LOCAL_START,    /* a daemon where none runs */
    LOCAL_NO_START, /* INVALID_ACTION then */
};

/* Whether a daemon of the user's runs. */
bool local_client_finds_daemon(void);

/* NULL with the error. Caller closes. */
struct local_client *local_client_connect(enum local_start start, struct br_error *err);
void local_client_close(struct local_client *client); /* NULL is fine */

/* Sends a request; takes ownership. */
bool local_client_send(struct local_client *client, json_t *request, struct br_error *err);

/*
 * The next line, as JSON; *ret_line (may be NULL) is its text, borrowed until the next call.
 * Waits until the deadline, or until `interrupt_fd` (-1: none) is readable: then
 * *ret_is_interrupted. NULL with the error, or with err->code BR_OK at the end. Caller decrefs.
 */
json_t *local_client_read(struct local_client *client, struct deadline deadline, int interrupt_fd,
                          bool *ret_is_interrupted, const char **ret_line, struct br_error *err);

#endif
