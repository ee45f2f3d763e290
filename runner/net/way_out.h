/*
 * The one way by which the requests of a browser context leave: a SOCKS5 server (RFC 1928) on
 * loopback. It knows a host and a port, resolves the name itself and judges the address that it
 * then connects to; whatever asked, and whether anybody still hears of it. Only CONNECT, without
 * login.
 */
#ifndef RUNNER_NET_WAY_OUT_H
#define RUNNER_NET_WAY_OUT_H

#include "runner/base/policy.h"
#include "runner/loop/loop.h"

struct way_out;

/*
 * Begins to listen. Nobody gets out before way_out_add(). `mapping`: rules as Chrome's
 * --host-resolver-rules has them, which do not hold for names that a proxy resolves; NULL: none.
 * Not on the loop thread. NULL with the error.
 */
struct way_out *way_out_open(struct loop *loop, const char *mapping, struct br_error *err);

/* Closes all connections. Not on the loop thread. NULL is fine. */
void way_out_close(struct way_out *way_out);

int way_out_port(const struct way_out *way_out);

/*
 * What one of the users' rules allow gets out; NULL: everything. The policy is borrowed until it is
 * removed. Any thread.
 */
void way_out_add(struct way_out *way_out, const struct policy *policy);
void way_out_remove(struct way_out *way_out, const struct policy *policy);

/* A refusal that was not taken yet: false, there is none. Any thread. */
bool way_out_take_refusal(struct way_out *way_out, struct br_error *ret_why);

/*
 * Replaces an error by why its host was refused lately, if it was and the message has that host.
 * Any thread.
 */
bool way_out_explain(struct way_out *way_out, struct br_error *err);

#endif
