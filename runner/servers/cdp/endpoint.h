/*
 * The CDP endpoint: many clients of the DevTools protocol on one browser that is looked after. It
 * answers HTTP as Chrome's debugging port does, and WebSockets at /devtools/browser/ANY and
 * /devtools/page/ID. Each client has a browser context of its own, with one blank tab, unless its
 * URL has ?context=profile: then it works in the profile, as at Chrome's own port. docs/cdp.md has
 * what differs.
 */
#ifndef RUNNER_SERVERS_CDP_ENDPOINT_H
#define RUNNER_SERVERS_CDP_ENDPOINT_H

#include "runner/net/server.h"
#include "runner/sessions/sessions.h"

struct cdp_endpoint;

struct cdp_endpoint_options {
    struct net_listener_options listener; /* what it needs of its own is filled in */
    struct sessions *sessions;            /* whose browser it uses; borrowed, and outlives it */
    struct br_browser_options browser;
    struct br_policy policy; /* its rules about hosts hold for all clients */
    const char *audit;       /* file to which lines of clients are appended; NULL: none */
    /* Called on a thread of its own when the audit cannot be written. */
    void (*on_warning)(void *data, const char *text);
    void *data;
    bool is_read_only;
    bool may_close; /* Browser.close ends the browser, not only the client's view */
};

/* Has a thread of its own; the browser is started for the first client. NULL with the error. */
struct cdp_endpoint *cdp_endpoint_start(struct loop *loop,
                                        const struct cdp_endpoint_options *options,
                                        struct br_error *err);
struct net_listener *cdp_endpoint_listener(struct cdp_endpoint *endpoint);

/* Closes all connections in an orderly way. NULL is fine. */
void cdp_endpoint_stop(struct cdp_endpoint *endpoint);

#endif
