/*
 * The relay of debug-bridge passes messages between the apps and agents of a session, unchanged; it
 * reads only their top level. Has a listener of its own, with the path /debug. docs/protocols.md.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_H

#include "runner/net/budget.h"
#include "runner/servers/debug_bridge/relay_log.h"

struct relay;

/* Messages a second, and at once; rate 0: no limit. */
struct relay_rate {
    int rate, burst;
};

struct relay_options {
    struct net_listener_options listener; /* the relay sets name, framing and handler */
    struct relay_rate app_rate, agent_rate;
    int empty_session_ms;    /* how long an empty session is kept */
    bool includes_newcomer;  /* also send the connection_event to the peer that has joined */
    bool broadcasts_results; /* send results to all agents, not only to the one that asked */
    bool is_verbatim;        /* do not add a missing appId or origin */
    struct relay_log log;
};

#define RELAY_OPTIONS_INIT                                                                         \
    {                                                                                              \
        .listener = NET_LISTENER_OPTIONS_INIT, .app_rate = { 200, 1000 },                          \
        .agent_rate = { 10, 20 }, .empty_session_ms = 60000                                        \
    }

/* NULL with INVALID_ACTION, as net_listen(). */
struct relay *relay_start(struct loop *loop, const struct relay_options *options,
                          struct br_error *err);
struct net_listener *relay_listener(struct relay *relay);

/* Closes all connections. All apps of relay_join() must have left. NULL is fine. */
void relay_stop(struct relay *relay);

/* An app without a socket: a page that this program drives. */
struct relay_app;

/* Called on any thread; must neither block nor call the relay. */
struct relay_app_handler {
    void *data;
    /*
     * An agent's command for this app, unchanged, with a NUL behind it; borrowed. The receiver
     * releases the charge when the command is processed.
     */
    void (*on_command)(void *data, const char *text, size_t length, struct net_charge *charge);
    /* The number of agents in the session; called at the start, and at each change. */
    void (*on_agents)(void *data, size_t count);
};

/* Joins a session. NULL with INVALID_ACTION for ids that are empty or too long. Any thread. */
struct relay_app *relay_join(struct relay *relay, const char *session_id, const char *app_id,
                             const struct relay_app_handler *handler, struct br_error *err);

/*
 * Sends a message like an app with a socket: the relay keeps the last hello and capabilities for
 * later agents, and passes results to the agent that asked. Any thread, but not in a handler.
 */
void relay_app_send(struct relay_app *app, const char *text, size_t length);

/* Leaves the session; no handler is called after it returns. NULL is fine. */
void relay_leave(struct relay_app *app);

#endif
