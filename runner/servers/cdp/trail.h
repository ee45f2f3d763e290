/*
 * The endpoint's lines in the audit trail of --audit: who connects, by which methods, what is
 * refused and by which rule, and how it ends. Names of methods alone, never what is in them. The
 * session of the lines is "cdp-PID". A thread of its own writes them, since that may block.
 */
#ifndef RUNNER_SERVERS_CDP_TRAIL_H
#define RUNNER_SERVERS_CDP_TRAIL_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct trail;
struct trail_client;

/* on_failure hears once of a line that could not be written. NULL with INVALID_ACTION. */
struct trail *trail_open(const char *path, void (*on_failure)(void *data, const char *text),
                         void *data, struct br_error *err);
void trail_close(struct trail *trail); /* NULL is fine, here and below: nothing is written */

struct trail_peer {
    uint64_t id;           /* of the connection */
    const char *address;   /* "127.0.0.1:40000" */
    const char *context;   /* "own", "profile" or "page" */
    const char *target_id; /* of a page; NULL: none */
};
struct trail_client *trail_begin(struct trail *trail, const struct trail_peer *peer);

/*
 * A command; `method` may be anything. `rule`: by which it is refused,
 * NULL: it is not. The first 100 of a second have a line each, the others are counted by their
 * methods, in a line at the next command after that second or at the end.
 */
void trail_command(struct trail_client *client, const char *method, size_t length,
                   const char *rule);

/* Frees the client. `code` of the close, 0: the client has closed. */
void trail_end(struct trail_client *client, unsigned code, const char *reason);

/* A request over HTTP that does something, such as "/json/new". */
void trail_request(struct trail *trail, const char *path, const char *rule);

#endif
