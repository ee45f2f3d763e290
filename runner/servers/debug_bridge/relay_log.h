/*
 * The relay's log: a line a connection, and one a message if that is asked for. What is private is
 * not in it: contents are shown of small messages alone, masked, and never what an agent types.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_LOG_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_LOG_H

#include <stdbool.h>
#include <stddef.h>

struct peer;
struct bridge_message;

struct relay_log {
    bool has_messages; /* each message in short, beside the connections */
    /* A line without its newline, borrowed. On any thread; must not block. NULL: nobody listens. */
    void (*on_line)(void *data, const char *line);
    void *data;
};

/* "app "shop" of session "dev": WHAT". */
void relay_log_peer(const struct relay_log *log, const struct peer *peer, const char *what);

/* That it has gone, and what it has sent. */
void relay_log_end(const struct relay_log *log, const struct peer *peer);

/* A message that it has sent. */
void relay_log_message(const struct relay_log *log, const struct peer *peer, const char *text,
                       size_t length, const struct bridge_message *scan);

#endif
