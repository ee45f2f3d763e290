/*
 * The bytes of a listener's messages that were received and are not processed yet. Above the limit,
 * clients that hold much of them are not read until half of the limit is free again.
 */
#ifndef RUNNER_NET_BUDGET_H
#define RUNNER_NET_BUDGET_H

#include "runner/net/server.h"

struct net_budget;
struct net_charge; /* the bytes of one message */

/* Never NULL. */
struct net_budget *net_budget_create(struct loop *loop, size_t max_bytes);

/* Frees the budget after its last charge. Call net_budget_attach() with NULL before. */
void net_budget_release(struct net_budget *budget);

/* Sets the listener whose clients are paused. NULL, before it is closed: pauses none any more. */
void net_budget_attach(struct net_budget *budget, struct net_listener *listener);

/*
 * Charges the client for a message, and pauses it if necessary. Loop thread only, in on_message.
 * The receiver releases the charge when the message is processed.
 */
struct net_charge *net_budget_charge(struct net_budget *budget, uint64_t connection, size_t bytes);

/* Whether the limit is reached. Any thread. */
bool net_budget_is_full(struct net_budget *budget);

/* Any thread; NULL is fine. */
void net_charge_release(struct net_charge *charge);

#endif
