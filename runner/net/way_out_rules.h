/*
 * Which connections a way out allows, and which it has refused, so that failures in pages can be
 * explained. Any thread.
 */
#ifndef RUNNER_NET_WAY_OUT_RULES_H
#define RUNNER_NET_WAY_OUT_RULES_H

#include "runner/base/policy.h"

struct way_out_rules;

struct way_out_rules *way_out_rules_create(void);
void way_out_rules_destroy(struct way_out_rules *rules);

/*
 * Returns whether a connection is allowed; records the reason if not. port: the requested port,
 * which replaces the peer's; address: the address of the name, NULL if it is not resolved yet.
 */
bool way_out_rules_allow(struct way_out_rules *rules, const struct url_parts *peer, int port,
                         const struct ip_address *address);

/*
 * Adds or removes a session's rules; NULL allows everything. A connection is allowed if any
 * session's rules allow it. The policy must outlive its use here. Any thread.
 */
void way_out_rules_add(struct way_out_rules *rules, const struct policy *policy);
void way_out_rules_remove(struct way_out_rules *rules, const struct policy *policy);

/* Returns each refused host and port once; false if there are no more. Any thread. */
bool way_out_rules_take_refusal(struct way_out_rules *rules, struct br_error *ret_why);

/*
 * Returns the reason if a connection to the URL's host and port was refused within the last 30 s;
 * false if not. Any thread.
 */
bool way_out_rules_explain(struct way_out_rules *rules, const char *url, struct br_error *ret_why);

#endif
