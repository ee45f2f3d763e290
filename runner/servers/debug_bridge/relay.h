/*
 * debug-bridge's relay: apps and agents of a session hear of each other. Messages pass as they
 * came; only their top level is looked at. A listener of its own, on the path /debug;
 * docs/protocols.md.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_RELAY_H

#include "runner/net/server.h"
#include "runner/servers/debug_bridge/relay_log.h"

struct relay;

/* Messages a second, and at once; a rate of 0: any number. */
struct relay_rate {
    int rate, burst;
};

struct relay_options {
    struct net_listener_options listener; /* name, framing and handler are the relay's */
    struct relay_rate app_rate, agent_rate;
    int empty_session_ms;    /* how long a session is kept that nobody is in */
    bool includes_newcomer;  /* who connects hears of it, too */
    bool broadcasts_results; /* results go to all agents, not only to the one that asked */
    bool is_verbatim;        /* nothing is added to messages that lack appId or origin */
    struct relay_log log;
};

#define RELAY_OPTIONS_INIT                                                                         \
    {                                                                                              \
        .listener = NET_LISTENER_OPTIONS_INIT, .app_rate = { 200, 1000 },                          \
        .agent_rate = { 10, 20 }, .empty_session_ms = 60000                                        \
    }

/* NULL with INVALID_ACTION for an address that is taken and the like. */
struct relay *relay_start(struct loop *loop, const struct relay_options *options,
                          struct br_error *err);
int relay_port(const struct relay *relay);

/* Closes all connections. Apps without a socket have left before. NULL is fine. */
void relay_stop(struct relay *relay);

/* An app without a socket: a page that is driven by this program. */
struct relay_app;

/* On any thread; must neither block nor call the relay. */
struct relay_app_handler {
    void *data;
    /* A command of an agent for this app, as it came, a NUL behind it; borrowed. */
    void (*on_command)(void *data, const char *text, size_t length);
    /* How many agents are in the session now; once at the beginning, and when it changes. */
    void (*on_agents)(void *data, size_t count);
};

/* Joins a session. NULL with the error for ids that are empty or too long. Any thread. */
struct relay_app *relay_join(struct relay *relay, const char *session_id, const char *app_id,
                             const struct relay_app_handler *handler, struct br_error *err);

/*
 * Sends a message as if it had come from a socket: the last hello and capabilities are kept for
 * agents that come later, and results go to who asked. Any thread but within a handler.
 */
void relay_app_send(struct relay_app *app, const char *text, size_t length);

/* Leaves; no handler is called behind its return. NULL is fine. */
void relay_leave(struct relay_app *app);

#endif
