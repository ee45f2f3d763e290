/*
 * The only route from a browser context to the network: a SOCKS5 server (RFC 1928) on 127.0.0.1. It
 * checks host and port, resolves the name itself, and checks the address before it connects, and
 * the scheme by the first byte that Chrome sends. So the rules also apply to requests of which no
 * DevTools session is notified. Supports CONNECT without authentication.
 */
#ifndef RUNNER_NET_WAY_OUT_H
#define RUNNER_NET_WAY_OUT_H

#include "runner/base/policy.h"
#include "runner/loop/loop.h"

struct way_out;

/*
 * Starts to listen. Refuses all connections until way_out_add() is called. `mapping`: the value of
 * Chrome's --host-resolver-rules, which Chrome does not apply to names that a proxy resolves; may
 * be NULL. Not on the loop thread. Returns NULL with the error.
 */
struct way_out *way_out_open(struct loop *loop, const char *mapping, struct br_error *err);

/* Closes all connections. Not on the loop thread. Accepts NULL. */
void way_out_close(struct way_out *way_out);

int way_out_port(const struct way_out *way_out);

/*
 * Adds or removes a session's rules; NULL allows everything. A connection is allowed if any
 * session's rules allow it. The policy must outlive its use here. Any thread.
 */
void way_out_add(struct way_out *way_out, const struct policy *policy);
void way_out_remove(struct way_out *way_out, const struct policy *policy);

/* Returns each refused host and port once; false if there are no more. Any thread. */
bool way_out_take_refusal(struct way_out *way_out, struct br_error *ret_why);

/*
 * Returns the reason if a connection to the URL's host and port was refused within the last 30 s;
 * false if not. Any thread.
 */
bool way_out_explain(struct way_out *way_out, const char *url, struct br_error *ret_why);

#endif
