/* What debug-bridge's relay says itself. Callers free. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_MESSAGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_MESSAGES_H

#include "runner/servers/debug_bridge/peers.h"
#include "runner/servers/debug_bridge/scan.h"

/* That the peer has come or gone; of its session as it is now. */
char *bridge_event_text(const struct peer *peer, bool is_there, size_t *ret_length);

/* Why the agent's command was not passed on. */
char *bridge_refusal_text(const struct peer *agent, const struct bridge_message *command,
                          const char *code, const char *why, size_t *ret_length);

#endif
