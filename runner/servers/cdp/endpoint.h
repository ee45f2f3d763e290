/*
 * The ground of the CDP endpoint (server.h): its browser's present life, its worker thread, and who
 * owns a target.
 */
#ifndef RUNNER_SERVERS_CDP_ENDPOINT_H
#define RUNNER_SERVERS_CDP_ENDPOINT_H

#include "runner/base/policy.h"
#include "runner/chrome/browser.h"
#include "runner/servers/cdp/server.h"
#include "runner/servers/cdp/trail.h"
#include "runner/servers/cdp/view.h"

#include <pthread.h>

struct client;
struct own_context;
struct own_context_wait;
struct protocol_wait;

/* A request for a browser. */
struct waiter {
    struct waiter *next;
    /* Called once, on the loop thread. view is NULL with the error. May free the waiter. */
    void (*on_view)(struct waiter *waiter, struct view *view, const struct br_error *err);
};

struct cdp_endpoint {
    struct cdp_endpoint_options options;
    struct loop *loop;
    struct net_listener *listener;
    struct br_browser *browser; /* borrowed from the sessions */
    struct policy *policy;      /* NULL: no rules */
    struct trail *trail;        /* NULL: no audit */
    /* Closes the clients of a life of the browser that has ended. On the loop thread. */
    void (*on_lost)(struct cdp_endpoint *endpoint, const struct view *view, const char *reason);
    /* The worker thread runs what may block: starting the browser, contexts, releasing. */
    struct mailbox *work;
    pthread_t worker;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    size_t busy; /* clients, views and requests that have not ended */
    /* Used on the loop thread only: */
    bool is_ending, is_starting;
    struct view *view; /* of the present life of the browser; NULL: none */
    bool is_ready;     /* the view is */
    struct waiter *waiters;
    struct client *clients;
    /* own_context.c */
    struct own_context *ahead; /* made ahead of the next client; NULL: none */
    struct own_context *own_making;
    struct own_context_wait *own_waits;
    struct loop_timer *ahead_timer; /* until the next one is made; NULL: it does not run */
    /* The context of tabs opened by HTTP, and its id in the present view (NULL: not created). */
    struct context *http_context;
    char *http_context_id;
    bool has_http_tab, is_opening_http_tab;
    struct waiter *tab_waiters; /* requests that wait for its first tab */
    struct context *profile_context;
    /* The description of the protocol, Chrome's version of it, and requests for it. */
    char *protocol, *protocol_version;
    struct protocol_wait *protocol_waits;
    bool is_describing; /* a thread fetches it */
};

/* Starts the worker thread. */
bool endpoint_begin_work(struct cdp_endpoint *endpoint, struct br_error *err);

/* Ends it, after all that was posted. */
void endpoint_end_work(struct cdp_endpoint *endpoint);

/* Calls run on the worker thread. Any thread. */
void endpoint_work(struct cdp_endpoint *endpoint, void (*run)(void *data), void *data);

/* cdp_endpoint_stop() waits until each hold is released. Any thread. */
void endpoint_hold(struct cdp_endpoint *endpoint);
void endpoint_release(struct cdp_endpoint *endpoint);

/* Releases a reference to the view on the worker. Any thread. */
void endpoint_release_view(struct cdp_endpoint *endpoint, struct view *view);

/*
 * Denies downloads of a context (NULL: the profile's) if there is a rule for files: Chrome would
 * choose the folder. On the worker.
 */
void endpoint_forbid_downloads(struct cdp_endpoint *endpoint, struct browser_life *life,
                               const char *context_id);

/* Takes leave of the browser's present life, if there is one. */
void endpoint_leave_view(struct cdp_endpoint *endpoint, const char *reason);

/* Starts the browser if needed. Calls on_view, perhaps before it returns. */
void endpoint_await(struct cdp_endpoint *endpoint, struct waiter *waiter);

/*
 * The owner of a target: one of our own sessions, or another client. Unknown while a session
 * creates a tab, and for a tab whose page is not learnt yet.
 */
enum owner { OWNER_OURS, OWNER_OTHER, OWNER_UNKNOWN };
enum owner endpoint_owner(struct view *view, const json_t *target);

/* Whether the target of a targetInfo belongs, or may belong, to one of our own sessions. */
bool endpoint_is_ours(struct view *view, const json_t *target);

/* client.c */
enum client_kind { CLIENT_OWN, CLIENT_PROFILE, CLIENT_PAGE };
void client_open(struct cdp_endpoint *endpoint, uint64_t connection, const struct net_peer *peer,
                 enum client_kind kind, const char *target_id);
void client_receive(struct cdp_endpoint *endpoint, uint64_t connection, const char *text,
                    size_t length);
void client_close(struct cdp_endpoint *endpoint, uint64_t connection);
/* Closes the clients of a life of the browser that has ended. */
void client_lose_all(struct cdp_endpoint *endpoint, const struct view *view, const char *reason);

/*
 * own_context.c: browser contexts that clients have for themselves, each with a first tab at
 * about:blank. One is made ahead of the next client, since making takes Chrome longer than the rest
 * of connecting: half a second after the last one was taken, for five minutes, and only in a
 * browser that was launched without windows. Clients do not see it. On the loop thread.
 */
struct own_context {
    struct own_context *next; /* among those that are being made */
    struct cdp_endpoint *endpoint;
    struct view *view;       /* held */
    struct context *context; /* NULL: it could not be acquired */
    char *id;
    int way_out_port; /* of context_way_out() */
    char *tab_id;     /* NULL: it could not be made, for the reason in err */
    struct br_error err;
};
struct own_context_wait {
    struct own_context_wait *next;
    struct view *view; /* borrowed until on_made */
    /* Called once, perhaps before own_context_await() returns; takes ownership of `own`. */
    void (*on_made)(void *data, struct own_context *own);
    void *data;
};
void own_context_await(struct cdp_endpoint *endpoint, struct own_context_wait *wait);
void own_context_destroy(struct own_context *own); /* NULL is a no-op; does not wait */
/* Destroys the context made ahead, if it belongs to this view; NULL: to any view. */
void own_context_leave(struct cdp_endpoint *endpoint, const struct view *view);

/*
 * protocol.c: a request for the protocol's description in a version of Chrome. on_protocol is
 * called once, on the loop thread, perhaps before protocol_await() returns: with a borrowed text,
 * or with NULL and the error.
 */
struct protocol_wait {
    struct protocol_wait *next;
    char *version; /* "PRODUCT-REVISION"; borrowed */
    void (*on_protocol)(struct protocol_wait *wait, const char *text, const struct br_error *err);
};
void protocol_await(struct cdp_endpoint *endpoint, struct protocol_wait *wait);

/* discovery.c */
void discovery_answer(struct cdp_endpoint *endpoint, const struct net_request *request,
                      struct net_answer *answer);

#endif
