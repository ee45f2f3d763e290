/*
 * A connection to the daemon of warm sessions: sends one request and reads the lines of its answer.
 * Calls block; use a connection from one thread.
 */
#ifndef RUNNER_SERVERS_LOCAL_CLIENT_H
#define RUNNER_SERVERS_LOCAL_CLIENT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/strbuf.h"

#include <jansson.h>

struct local_client;

enum local_start {
    LOCAL_START,    /* starts a daemon if none runs */
    LOCAL_NO_START, /* fails with INVALID_ACTION if none runs */
};

/* Returns false only if it is certain that no daemon of this user runs. */
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

/* Whether the daemon holds its end open. Only for a connection on which it sends nothing more. */
bool local_client_is_open(const struct local_client *client);

/* { version, op, session }: the beginning of a request. session NULL: none. Caller decrefs. */
json_t *local_request(const char *op, const char *session);

/* A request with all lines of its answer. */
struct local_exchange {
    enum local_start start;
    int64_t timeout_ms; /* limit for the whole answer */
    int cancel_fd;      /* cancels the request when it is readable; -1: none */
    void *data;
    /* Receives a line that is not an error. Returning false with the error ends the exchange. */
    bool (*on_line)(void *data, json_t *line, const char *text, struct br_error *err);
    /* Called when cancel_fd is readable. Returns whether it is polled again. */
    bool (*on_cancel)(void *data);
    /* Receives the connection after the first line, to be closed. NULL: all lines are read. */
    struct local_client **ret_open;
};

/*
 * Sends the request, of which it takes ownership, and passes all lines of the answer on. A daemon
 * of another version is replaced if possible. Returns false with the error, also that of an "error"
 * line.
 */
bool local_ask(const struct local_exchange *exchange, json_t *request, struct br_error *err);

enum { LOCAL_LOOK_TOKENS = 1000 };

/*
 * Runs a `snapshot` action, of which it takes ownership, and returns its text; NULL if there is
 * none. Caller frees.
 */
typedef char *local_snapshot(void *data, json_t *action);

/*
 * Adds what changed since the last look at the same document; for another document, or for large
 * changes, the page, within LOCAL_LOOK_TOKENS. Returns whether it added the page.
 */
bool local_client_look(local_snapshot *snapshot, void *data, struct strbuf *text);

#endif
