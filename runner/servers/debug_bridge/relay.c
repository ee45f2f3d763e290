#include "runner/servers/debug_bridge/relay.h"

#include "runner/base/clock.h"
#include "runner/base/thread.h"
#include "runner/servers/debug_bridge/messages.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

enum {
    CLOSE_MS = 3000,
    MAX_INBOX = 64 << 20,
    MAX_KEPT = 64 * 1024,   /* bytes of a hello that is kept for later agents */
    REFUSE_EVERY_MS = 1000, /* between two RATE_LIMITED errors that answer no requestId */
    CODE_BAD_REQUEST = 4000,
    CODE_UNAUTHORIZED = 4001,
};

struct relay_app {
    struct relay *relay;
    struct peer *peer;
    struct relay_app_handler handler;
};

struct relay {
    struct relay_options options;
    struct net_listener *listener;
    struct net_budget *budget; /* of commands that apps without a socket have not processed */
    pthread_mutex_t mutex;     /* guards all below, and keeps messages in order */
    struct peers peers;
    size_t apps, agents;
    uint64_t messages, refused;
    struct strbuf stamped; /* the present message with the members that it lacked */
};

/* A message that is being passed on; borrowed. */
struct passage {
    const char *text;
    size_t length;
    struct bridge_message scan;
};

static void send_refusal(struct relay *relay, const struct peer *agent,
                         const struct passage *passage, const char *code, const char *why)
{
    size_t length = 0;
    CLEANUP_FREE char *text = bridge_refusal_text(agent, &passage->scan, code, why, &length);
    net_send(relay->listener, agent->id, text, length, NET_REPLY);
}

/* Joining and leaving. */

static void report_count(const struct peer *peer, size_t agents)
{
    const struct relay_app_handler *handler = &peer->app->handler;
    if (handler->on_agents) {
        handler->on_agents(handler->data, agents);
    }
}

/* Sends the connection_event to the session; to the newcomer itself only with the option. */
static void announce(struct relay *relay, const struct peer *peer, bool is_there)
{
    size_t length = 0;
    CLEANUP_FREE char *text = bridge_event_text(peer, is_there, &length);
    const struct session_peers *session = peer->session;
    for (const struct peer *other = session->first; other; other = other->next) {
        if (other->app && !peer->is_app) {
            report_count(other, session->agents);
        } else if (!other->app &&
                   (other != peer || (is_there && relay->options.includes_newcomer))) {
            net_send(relay->listener, other->id, text, length, NET_REPLY);
        }
    }
}

/* Sends a later agent the hello and capabilities of each app. */
static void replay(struct relay *relay, const struct peer *agent)
{
    for (const struct peer *peer = agent->session->first; peer; peer = peer->next) {
        if (peer->hello) {
            net_send(relay->listener, agent->id, peer->hello, strlen(peer->hello), NET_REPLY);
        }
        if (peer->capabilities) {
            net_send(relay->listener, agent->id, peer->capabilities, strlen(peer->capabilities),
                     NET_REPLY);
        }
    }
}

static struct peer *join(struct relay *relay, const char *session, bool is_app, const char *name,
                         uint64_t id, struct relay_app *app)
{
    struct peer *peer = peers_add(&relay->peers, session, is_app, name, id);
    peer->app = app;
    relay->apps += is_app;
    relay->agents += !is_app;
    relay_log_peer(&relay->options.log, peer, "there");
    if (!is_app) {
        replay(relay, peer);
    }
    announce(relay, peer, true);
    return peer;
}

static void leave(struct relay *relay, struct peer *peer)
{
    relay->apps -= peer->is_app;
    relay->agents -= !peer->is_app;
    relay_log_end(&relay->options.log, peer);
    peers_remove(&relay->peers, peer, clock_monotonic_ms());
    announce(relay, peer, false);
    peer_free(peer);
}

/* Closes a connection as the specification does, with the reason in more words. */
static void close_refused(struct relay *relay, uint64_t id, const struct net_peer *client,
                          unsigned code, const char *why)
{
    net_close(relay->listener, id, code, why);
    net_say_refused(relay->listener, client->address, why);
}

/* Reads the parameters of the URL. False: *ret_why says what is wrong. */
static bool read_query(const char *query, char *session, bool *ret_is_app, char *name,
                       const char **ret_why)
{
    char role[8] = "app"; /* some clients send no role */
    *name = *session = '\0';
    net_query_param(query, "role", role, sizeof(role));
    *ret_is_app = strcmp(role, "app") == 0;
    if (!*ret_is_app && strcmp(role, "agent") != 0) {
        *ret_why = "Missing role or sessionId: role must be app or agent";
        return false;
    }
    if (!net_query_param(query, "sessionId", session, BRIDGE_MAX_ID + 1) || !*session) {
        *ret_why = "Missing role or sessionId: sessionId must have 1 to 128 bytes";
        return false;
    }
    if (*ret_is_app && net_query_param(query, "appId", name, BRIDGE_MAX_ID + 1) && !*name) {
        *ret_why = "appId is empty or longer than 128 bytes";
        return false;
    }
    return true;
}

static bool on_open(void *data, uint64_t id, const struct net_peer *client)
{
    struct relay *relay = data;
    char session[BRIDGE_MAX_ID + 1];
    char name[BRIDGE_MAX_ID + 1];
    char flag[8];
    bool is_app = false;
    const char *why = NULL;
    if (strcmp(client->path, "/debug") != 0) {
        return false;
    }
    mutex_lock(&relay->mutex);
    /* After the handshake, since a browser does not tell a page of its status. */
    if (!client->has_token) {
        close_refused(relay, id, client, CODE_UNAUTHORIZED,
                      "Unauthorized: the token is missing or wrong");
    } else if (!read_query(client->query, session, &is_app, name, &why)) {
        close_refused(relay, id, client, CODE_BAD_REQUEST, why);
    } else {
        peers_sweep(&relay->peers, clock_monotonic_ms(), relay->options.empty_session_ms);
        struct peer *peer = join(relay, session, is_app, name, id, NULL);
        peer->takes_over = net_query_param(client->query, "takesOver", flag, sizeof(flag));
    }
    mutex_unlock(&relay->mutex);
    return true;
}

static void on_closed(void *data, uint64_t id)
{
    struct relay *relay = data;
    mutex_lock(&relay->mutex);
    struct peer *peer = peers_find(&relay->peers, id);
    if (peer) {
        leave(relay, peer);
    }
    mutex_unlock(&relay->mutex);
}

/* Messages. */

static bool is_too_fast(struct peer *peer, const struct relay_rate *rate)
{
    return rate->rate > 0 &&
           !bucket_admits(&peer->bucket, rate->rate, rate->burst, clock_monotonic_ms());
}

static void refuse(struct relay *relay, struct peer *peer, const char *why)
{
    relay->refused++;
    if (peer->refused++ == 0) {
        relay_log_peer(&relay->options.log, peer, why);
    }
}

/* Adds missing members before the last brace. */
static void stamp(struct relay *relay, const struct peer *peer, struct passage *passage)
{
    const struct bridge_message *scan = &passage->scan;
    bool lacks_app = peer->is_app && scan->app_id.length == 0;
    bool lacks_origin = scan->origin.length == 0;
    if (relay->options.is_verbatim || (!lacks_app && !lacks_origin)) {
        return;
    }
    struct strbuf *text = &relay->stamped;
    const char *comma = scan->is_empty ? "" : ",";
    strbuf_clear(text);
    strbuf_add(text, passage->text, scan->close);
    if (lacks_app) {
        strbuf_add_format(text, "%s\"appId\":%s", comma, peer->stamp);
        comma = ",";
    }
    if (lacks_origin) {
        strbuf_add_format(text, "%s\"origin\":\"%s\"", comma, peer->is_app ? "app" : "agent");
    }
    strbuf_add(text, "}", 1);
    passage->text = text->data;
    passage->length = text->length;
}

static void send_to_agents(struct relay *relay, const struct peer *app,
                           const struct passage *passage, enum net_class class)
{
    for (const struct peer *peer = app->session->first; peer; peer = peer->next) {
        if (!peer->is_app) {
            net_send(relay->listener, peer->id, passage->text, passage->length, class);
        }
    }
}

/*
 * Passes a result to the agent that asked. Drops a result without a requestId that no agent asked
 * for: some clients answer every message that they receive.
 */
static void pass_result(struct relay *relay, struct peer *app, const struct passage *passage)
{
    CLEANUP_FREE char *id = bridge_value_text(passage->scan.request_id);
    uint64_t agent = peer_take_asked(app, id);
    if (relay->options.broadcasts_results || (id && !agent)) {
        send_to_agents(relay, app, passage, NET_REPLY);
    } else if (agent && peers_find(&relay->peers, agent)) {
        net_send(relay->listener, agent, passage->text, passage->length, NET_REPLY);
    }
}

/* Keeps a copy for replay(), unless it is too long. */
static void keep(char **kept, const struct passage *passage)
{
    if (passage->length <= MAX_KEPT) {
        free(*kept);
        *kept = xstrndup(passage->text, passage->length);
    }
}

/* Sends the app no errors: some clients answer every message, and it would never end. */
static void take_from_app(struct relay *relay, struct peer *app, struct passage *passage)
{
    const struct bridge_message *scan = &passage->scan;
    bool is_result = bridge_value_is(scan->type, "command_result");
    bool is_hello = bridge_value_is(scan->type, "hello");
    bool is_capabilities = bridge_value_is(scan->type, "capabilities");
    bool is_telemetry = !is_result && !is_hello && !is_capabilities;
    if (!is_result && !app->app && is_too_fast(app, &relay->options.app_rate)) {
        refuse(relay, app, "too fast; messages above the limit are dropped");
        return;
    }
    stamp(relay, app, passage);
    if (is_hello || is_capabilities) {
        keep(is_hello ? &app->hello : &app->capabilities, passage);
    }
    if (is_result) {
        pass_result(relay, app, passage);
    } else {
        send_to_agents(relay, app, passage, is_telemetry ? NET_TELEMETRY : NET_REPLY);
    }
}

/*
 * Whether a later load of the same tab has the app's id: an earlier one may be kept, with its
 * socket, for going back to it.
 */
static bool is_replaced(const struct peer *app)
{
    const struct peer *later = app->takes_over ? app->next : NULL;
    while (later && !(later->takes_over && strcmp(later->name, app->name) == 0)) {
        later = later->next;
    }
    return later;
}

/* Returns how many apps the command was for. */
static size_t send_to_apps(struct relay *relay, const struct peer *agent,
                           const struct passage *passage)
{
    CLEANUP_FREE char *app_id = bridge_value_text(passage->scan.app_id);
    CLEANUP_FREE char *request_id = bridge_value_text(passage->scan.request_id);
    size_t count = 0;
    for (struct peer *peer = agent->session->first; peer; peer = peer->next) {
        if (!peer->is_app || (app_id && strcmp(app_id, peer->name) != 0) || is_replaced(peer)) {
            continue;
        }
        count++;
        peer_note_asked(peer, request_id, agent->id);
        if (peer->app) {
            peer->app->handler.on_command(
                peer->app->handler.data, passage->text, passage->length,
                net_budget_charge(relay->budget, agent->id, passage->length));
        } else {
            net_send(relay->listener, peer->id, passage->text, passage->length, NET_REPLY);
        }
    }
    return count;
}

/* An agent waits for an answer to each requestId. */
static void refuse_too_fast(struct relay *relay, struct peer *agent, const struct passage *passage)
{
    int64_t now_ms = clock_monotonic_ms();
    bool is_due = !agent->refused_at_ms || now_ms - agent->refused_at_ms >= REFUSE_EVERY_MS;
    refuse(relay, agent, "too fast; commands above the limit are refused");
    if (passage->scan.request_id.length > 0) {
        send_refusal(relay, agent, passage, "RATE_LIMITED",
                     "too many commands; this one was not passed on");
    } else if (is_due) {
        agent->refused_at_ms = now_ms;
        send_refusal(relay, agent, passage, "RATE_LIMITED",
                     "too many commands; some without a requestId were not passed on");
    }
}

static void take_from_agent(struct relay *relay, struct peer *agent, struct passage *passage)
{
    bool is_result = bridge_value_is(passage->scan.type, "command_result");
    if (!is_result && is_too_fast(agent, &relay->options.agent_rate)) {
        refuse_too_fast(relay, agent, passage);
        return;
    }
    stamp(relay, agent, passage);
    if (send_to_apps(relay, agent, passage) == 0 && !is_result &&
        passage->scan.request_id.length > 0) {
        send_refusal(relay, agent, passage, "TARGET_NOT_FOUND",
                     passage->scan.app_id.length > 0 ? "no app with this appId is in the session"
                                                     : "no app is in the session");
    }
}

static void take(struct relay *relay, struct peer *peer, const char *text, size_t length)
{
    struct passage passage = { .text = text, .length = length };
    bool is_fine = bridge_scan(text, length, &passage.scan);
    relay->messages++;
    peer->messages++;
    peer->bytes += length;
    relay_log_message(&relay->options.log, peer, text, length, &passage.scan);
    if (!is_fine) {
        refuse(relay, peer, "sent a message that is not a JSON object; it is dropped");
        bool is_fast = !peer->is_app && is_too_fast(peer, &relay->options.agent_rate);
        if (!peer->is_app && (!is_fast || passage.scan.request_id.length > 0)) {
            send_refusal(relay, peer, &passage, "INVALID_COMMAND",
                         "the message is not a JSON object");
        }
        return;
    }
    if (passage.scan.version.length > 0 && !peer->has_other_version &&
        (passage.scan.version.length != 1 || *passage.scan.version.from != '1')) {
        peer->has_other_version = true;
        relay_log_peer(&relay->options.log, peer, "uses another protocol version than 1");
    }
    if (peer->is_app) {
        take_from_app(relay, peer, &passage);
    } else {
        take_from_agent(relay, peer, &passage);
    }
}

extern const char sdk_script_debug_bridge[];
extern const char sdk_types_debug_bridge[];

static const struct {
    const char *path, *content_type, *text;
} sdk_files[] = {
    { "/debug-bridge.js", "text/javascript; charset=utf-8", sdk_script_debug_bridge },
    { "/debug-bridge.d.ts", "text/plain; charset=utf-8", sdk_types_debug_bridge },
};

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    (void)data;
    for (size_t i = 0; i < sizeof(sdk_files) / sizeof(sdk_files[0]); i++) {
        if (strcmp(request->path, sdk_files[i].path) == 0) {
            answer->status = 200;
            answer->content_type = sdk_files[i].content_type;
            answer->is_for_all_origins = true;
            strbuf_add_string(&answer->body, sdk_files[i].text);
        }
    }
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    struct relay *relay = data;
    mutex_lock(&relay->mutex);
    struct peer *peer = peers_find(&relay->peers, id);
    if (peer) {
        take(relay, peer, text, length);
    }
    mutex_unlock(&relay->mutex);
}

static void on_metrics(void *data, struct strbuf *text)
{
    struct relay *relay = data;
    mutex_lock(&relay->mutex);
    peers_sweep(&relay->peers, clock_monotonic_ms(), relay->options.empty_session_ms);
    strbuf_add_format(text,
                      "# TYPE browser_runner_bridge_sessions gauge\n"
                      "# HELP browser_runner_bridge_sessions Sessions of debug-bridge.\n"
                      "browser_runner_bridge_sessions %zu\n"
                      "# TYPE browser_runner_bridge_peers gauge\n"
                      "# HELP browser_runner_bridge_peers Apps and agents in these sessions.\n"
                      "browser_runner_bridge_peers{role=\"app\"} %zu\n"
                      "browser_runner_bridge_peers{role=\"agent\"} %zu\n"
                      "# TYPE browser_runner_bridge_messages counter\n"
                      "# HELP browser_runner_bridge_messages Messages from apps and agents.\n"
                      "browser_runner_bridge_messages_total %" PRIu64 "\n"
                      "# TYPE browser_runner_bridge_refused counter\n"
                      "# HELP browser_runner_bridge_refused Messages that were not passed on.\n"
                      "browser_runner_bridge_refused_total %" PRIu64 "\n",
                      relay->peers.sessions.count, relay->apps, relay->agents, relay->messages,
                      relay->refused);
    mutex_unlock(&relay->mutex);
}

static void relay_free(struct relay *relay)
{
    peers_finish(&relay->peers);
    strbuf_finish(&relay->stamped);
    net_budget_release(relay->budget);
    pthread_mutex_destroy(&relay->mutex);
    free(relay);
}

struct relay *relay_start(struct loop *loop, const struct relay_options *options,
                          struct br_error *err)
{
    struct relay *relay = xcalloc(1, sizeof(*relay));
    relay->options = *options;
    relay->stamped = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    relay->budget = net_budget_create(loop, MAX_INBOX);
    pthread_mutex_init(&relay->mutex, NULL);
    relay->options.listener.name = "debug-bridge";
    relay->options.listener.framing = NET_WEBSOCKET;
    relay->options.listener.leaves_token = true;
    relay->options.listener.handler = (struct net_handler){
        .data = relay,
        .on_open = on_open,
        .on_message = on_message,
        .on_closed = on_closed,
        .on_request = on_request,
        .on_metrics = on_metrics,
    };
    relay->options.listener.ret_listener = &relay->listener;
    if (!net_listen(loop, &relay->options.listener, err)) {
        relay_free(relay);
        return NULL;
    }
    net_budget_attach(relay->budget, relay->listener);
    return relay;
}

struct net_listener *relay_listener(struct relay *relay)
{
    return relay->listener;
}

void relay_stop(struct relay *relay)
{
    if (relay) {
        net_budget_attach(relay->budget, NULL);
        net_listener_close(relay->listener, CLOSE_MS);
        relay_free(relay);
    }
}

struct relay_app *relay_join(struct relay *relay, const char *session_id, const char *app_id,
                             const struct relay_app_handler *handler, struct br_error *err)
{
    if (!*session_id || strlen(session_id) > BRIDGE_MAX_ID || !*app_id ||
        strlen(app_id) > BRIDGE_MAX_ID) {
        error_set(err, BR_INVALID_ACTION, "the ids of session and app must have 1 to %d bytes",
                  BRIDGE_MAX_ID);
        return NULL;
    }
    struct relay_app *app = xcalloc(1, sizeof(*app));
    app->relay = relay;
    app->handler = *handler;
    mutex_lock(&relay->mutex);
    app->peer = join(relay, session_id, true, app_id, peers_own_id(&relay->peers), app);
    report_count(app->peer, app->peer->session->agents);
    mutex_unlock(&relay->mutex);
    return app;
}

void relay_app_send(struct relay_app *app, const char *text, size_t length)
{
    mutex_lock(&app->relay->mutex);
    take(app->relay, app->peer, text, length);
    mutex_unlock(&app->relay->mutex);
}

void relay_leave(struct relay_app *app)
{
    if (app) {
        mutex_lock(&app->relay->mutex);
        leave(app->relay, app->peer);
        mutex_unlock(&app->relay->mutex);
        free(app);
    }
}
