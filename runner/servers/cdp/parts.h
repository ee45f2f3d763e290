/* What the files of the endpoint share: its clients, its work, and who waits for a browser. */
#ifndef RUNNER_SERVERS_CDP_PARTS_H
#define RUNNER_SERVERS_CDP_PARTS_H

#include "runner/base/policy.h"
#include "runner/chrome/browser.h"
#include "runner/servers/cdp/endpoint.h"
#include "runner/servers/cdp/trail.h"
#include "runner/servers/cdp/view.h"

#include <pthread.h>

struct client;
struct protocol_wait;

/* A request for a browser; its callback is called once, on the loop thread. */
struct waiter {
    struct waiter *next;
    /* view is NULL with the error. Frees the waiter, as far as that is needed. */
    void (*on_view)(struct waiter *waiter, struct view *view, const struct br_error *err);
};

struct cdp_endpoint {
    struct cdp_endpoint_options options;
    struct loop *loop;
    struct net_listener *listener;
    struct br_browser *browser; /* borrowed from the sessions */
    struct policy *policy;      /* NULL: no rules */
    struct trail *trail;        /* NULL: there is no audit */
    /* The worker does what may wait: starting, contexts, ending. */
    struct mailbox *work;
    pthread_t worker;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    size_t busy; /* clients, views and pieces of work that are not over */
    /* Used on the loop thread only: */
    bool is_ending, is_starting;
    struct view *view; /* the present one; NULL: none */
    bool is_ready;     /* that one is */
    struct waiter *waiters;
    struct client *clients;
    /* What is opened by HTTP: its context, and the id of that in the present view; NULL: not yet.
     */
    struct context *http_context;
    char *http_context_id;
    bool has_http_tab, is_opening_http_tab;
    struct waiter *tab_waiters; /* requests that wait for the first tab of that context */
    struct context *profile_context;
    /* The protocol as Chrome describes it, and the version that does; who waits for that. */
    char *protocol, *protocol_version;
    struct protocol_wait *protocol_waits;
    bool is_describing; /* a thread is at it */
};

/* Has this done on the worker, which then has it done on the loop thread by endpoint_post(). */
void endpoint_work(struct cdp_endpoint *endpoint, void (*run)(void *data), void *data);

/* What is not over yet keeps the endpoint. Any thread. */
void endpoint_hold(struct cdp_endpoint *endpoint);
void endpoint_release(struct cdp_endpoint *endpoint);

/* Releases a reference, on the worker. Any thread. */
void endpoint_release_view(struct cdp_endpoint *endpoint, struct view *view);

/*
 * Under a rule for files Chrome chooses no folder for what pages download in a context (NULL: the
 * profile's). On the worker.
 */
void endpoint_forbid_downloads(struct cdp_endpoint *endpoint, struct browser_life *life,
                               const char *context_id);

/* on_view is called when there is a browser, perhaps at once. */
void endpoint_await(struct cdp_endpoint *endpoint, struct waiter *waiter);

/* Whose a target is: not known while one of our own sessions makes a tab, or a tab was not asked.
 */
enum owner { OWNER_OURS, OWNER_OTHER, OWNER_UNKNOWN };
enum owner endpoint_owner(struct view *view, const json_t *target);

/* Whether a target, by its targetInfo, is, or may be, of one of our own sessions. */
bool endpoint_is_ours(struct view *view, const json_t *target);

/* client.c */
enum client_kind { CLIENT_OWN, CLIENT_PROFILE, CLIENT_PAGE };
void client_open(struct cdp_endpoint *endpoint, uint64_t connection, const struct net_peer *peer,
                 enum client_kind kind, const char *target_id);
void client_receive(struct cdp_endpoint *endpoint, uint64_t connection, const char *text,
                    size_t length);
void client_close(struct cdp_endpoint *endpoint, uint64_t connection);
/* The browser has ended: closes the clients that were in this life of it. */
void client_lose_all(struct cdp_endpoint *endpoint, const struct view *view, const char *reason);

/*
 * protocol.c: the description of the protocol of a version of Chrome. on_protocol comes once, on
 * the loop thread, perhaps at once: with a borrowed text, or NULL and the error.
 */
struct protocol_wait {
    struct protocol_wait *next;
    char *version; /* "PRODUCT-REVISION"; stays the owner's */
    void (*on_protocol)(struct protocol_wait *wait, const char *text, const struct br_error *err);
};
void protocol_await(struct cdp_endpoint *endpoint, struct protocol_wait *wait);

/* http.c */
void http_answer(struct cdp_endpoint *endpoint, const struct net_request *request,
                 struct net_answer *answer);

#endif
