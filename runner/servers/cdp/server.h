/*
 * The CDP endpoint: many clients of the DevTools protocol on one supervised browser. It
 * answers HTTP as Chrome's debugging port does, and WebSockets at /devtools/browser/ANY and
 * /devtools/page/ID. Each client has a browser context of its own, with one blank tab, unless its
 * URL has ?context=profile: then it works in the profile, as at Chrome's own port. docs/cdp.md
 * lists the differences.
 */
#ifndef RUNNER_SERVERS_CDP_SERVER_H
#define RUNNER_SERVERS_CDP_SERVER_H

#include "runner/net/server.h"
#include "runner/sessions/sessions.h"

struct cdp_endpoint;

struct cdp_endpoint_options {
    struct net_listener_options listener; /* name, framing, limits and handler are replaced */
    struct sessions *sessions;            /* own the browser; borrowed, must outlive the endpoint */
    struct br_browser_options browser;
    struct br_policy policy; /* holds for all clients */
    const char *audit;       /* path of the audit trail; NULL: none */
    /* Called on the audit's thread when the audit cannot be written. */
    void (*on_warning)(void *data, const char *text);
    void *data;
    /* Answers the requests that Chrome's port does not know; on the loop thread. NULL: 404. */
    void (*on_request)(void *data, const struct net_request *request, struct net_answer *answer);
    void *request_data;
    bool is_read_only;
    bool may_close; /* Browser.close ends the browser, not only the client's view */
};

/* Starts to listen. The first client starts the browser. NULL with the error. */
struct cdp_endpoint *cdp_endpoint_start(struct loop *loop,
                                        const struct cdp_endpoint_options *options,
                                        struct br_error *err);
struct net_listener *cdp_endpoint_listener(struct cdp_endpoint *endpoint);

/* Closes all connections with 1001, and frees the endpoint. NULL is fine. */
void cdp_endpoint_stop(struct cdp_endpoint *endpoint);

#endif
