/*
 * The endpoint's lines in the audit trail of --audit: connections, names of methods, refusals with
 * their rule, and ends, but never parameters or results. The lines have the session "cdp-PID". A
 * separate thread writes them, since writing may block.
 */
#ifndef RUNNER_SERVERS_CDP_TRAIL_H
#define RUNNER_SERVERS_CDP_TRAIL_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct trail;
struct trail_client;

/* Calls on_failure once if a line cannot be written. NULL with INVALID_ACTION: cannot open it. */
struct trail *trail_open(const char *path, void (*on_failure)(void *data, const char *text),
                         void *data, struct br_error *err);
void trail_close(struct trail *trail); /* this and the functions below accept NULL: no audit */

struct trail_peer {
    uint64_t id;           /* id of the connection */
    const char *address;   /* for example "127.0.0.1:40000" */
    const char *context;   /* "own", "profile" or "page" */
    const char *target_id; /* target of a page; NULL: none */
};
struct trail_client *trail_begin(struct trail *trail, const struct trail_peer *peer);

/*
 * Records a command. method may contain any bytes. rule: the rule that refuses it; NULL: not
 * refused. The first 100 commands in a second have a line each. The others are counted by method,
 * in one line at the next command after that second or at the end.
 */
void trail_command(struct trail_client *client, const char *method, size_t length,
                   const char *rule);

/* Records the end, and frees the client. code: our close code; 0: the client has closed. */
void trail_end(struct trail_client *client, unsigned code, const char *reason);

/* Records an HTTP request that changes something, such as "/json/new". */
void trail_request(struct trail *trail, const char *path, const char *rule);

#endif
