/*
 * The relay's log: a line for each connection, and optionally for each message. Contains no private
 * data: contents are masked, and omitted for messages with texts of pages or forms.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_LOG_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_LOG_H

#include "runner/net/handler.h"

struct peer;
struct bridge_message;

struct relay_log {
    bool has_messages; /* also a line for each message */
    struct net_log lines;
};

/* Logs `app "shop" of session "dev": WHAT`. */
void relay_log_peer(const struct relay_log *log, const struct peer *peer, const char *what);

/* Logs that the peer has left, and how much it has sent. */
void relay_log_end(const struct relay_log *log, const struct peer *peer);

/* Logs a message that the peer has sent. */
void relay_log_message(const struct relay_log *log, const struct peer *peer, const char *text,
                       size_t length, const struct bridge_message *scan);

#endif
