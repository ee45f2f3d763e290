/*
 * The only route from a browser context to the network: a SOCKS5 server (RFC 1928) on 127.0.0.1. It
 * checks host and port, resolves the name itself, and checks the address before it connects, and
 * the scheme by the first byte that Chrome sends. So the rules also apply to requests of which no
 * DevTools session is notified. Supports CONNECT without authentication.
 */
#ifndef RUNNER_NET_WAY_OUT_H
#define RUNNER_NET_WAY_OUT_H

#include "runner/loop/loop.h"
#include "runner/net/way_out_rules.h"

struct way_out;

/*
 * Starts to listen. Refuses all connections until its rules have a session. `mapping`: the value of
 * Chrome's --host-resolver-rules, which Chrome does not apply to names that a proxy resolves; may
 * be NULL. Not on the loop thread. Returns NULL with the error.
 */
struct way_out *way_out_open(struct loop *loop, const char *mapping, struct br_error *err);

/* Closes all connections. Not on the loop thread. Accepts NULL. */
void way_out_close(struct way_out *way_out);

int way_out_port(const struct way_out *way_out);

/* Returns the rules of its connections, to which sessions add theirs. Borrowed. */
struct way_out_rules *way_out_rules(const struct way_out *way_out);

#endif
