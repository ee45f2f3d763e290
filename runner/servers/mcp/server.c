#include "runner/servers/mcp/server.h"

#include "runner/base/json.h"
#include "runner/base/thread.h"
#include "runner/servers/local/client.h"
#include "runner/servers/mcp/message.h"
#include "runner/servers/mcp/tool.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    MAX_CALLS = 64, /* that run at once */
    END_MS = 8000,  /* for calls to end after they were cancelled */
    LISTS_LAST_MS = 3600000,
};

/* A session that was opened here. Kept until its peer is closed, so that its name can be reused. */
struct mcp_session {
    struct mcp_session *next;
    pthread_mutex_t opening; /* held while it is opened or closed */
    char *name;
    struct local_client *kept; /* the session ends with it; NULL: not open */
};

struct mcp_peer {
    struct mcp_server *server;
    struct mcp_transport transport;
    size_t users; /* the transport, and calls that run */
    bool is_closed;
    char *session; /* used without an argument; NULL: none */
    struct mcp_session *sessions;
};

/* A call that runs, on its own thread. */
struct running {
    struct running *next;
    struct mcp_peer *peer;
    const struct mcp_tool *tool;
    json_t *id, *arguments; /* owned */
    char *uri;              /* owned; of a resource that is read; NULL: a tool is called */
    bool is_modern, is_cancelled;
    int cancel_fd;
};

struct mcp_server {
    struct mcp_options options;
    struct mcp_files *files;
    pthread_mutex_t mutex; /* guards the members below, all peers, and sending */
    pthread_cond_t changed;
    int64_t used_at_ms; /* last message or end of a call */
    struct running *running;
    size_t running_count;
    struct mcp_session *sessions; /* of peers without a session of their own */
};

static void send_json(struct mcp_peer *peer, json_t *answer)
{
    CLEANUP_FREE char *text = json_dumps(answer, JSON_COMPACT);
    int code = mcp_error_code(answer);
    json_decref(answer);
    if (text && !peer->is_closed) {
        peer->transport.send(peer->transport.data, text, strlen(text), code);
    }
}

static void sessions_free(struct mcp_session *session)
{
    while (session) {
        struct mcp_session *next = session->next;
        local_client_close(session->kept);
        pthread_mutex_destroy(&session->opening);
        free(session->name);
        free(session);
        session = next;
    }
}

/* Call it with the mutex. */
static void release_peer(struct mcp_peer *peer)
{
    if (--peer->users == 0) {
        sessions_free(peer->sessions);
        free(peer->session);
        free(peer);
    }
}

/* Sessions. A name is unguessable, so that no client uses another's tab by chance. */

static struct mcp_session **sessions_of(struct mcp_peer *peer)
{
    return peer->transport.has_session ? &peer->sessions : &peer->server->sessions;
}

static struct mcp_session *find_session(struct mcp_peer *peer, const char *name)
{
    struct mcp_session *session = *sessions_of(peer);
    while (session && strcmp(session->name, name) != 0) {
        session = session->next;
    }
    return session;
}

static struct mcp_session *add_session(struct mcp_peer *peer)
{
    uint32_t number = 0;
    ssize_t count = getrandom(&number, sizeof(number), 0);
    struct mcp_session *session = xcalloc(1, sizeof(*session));
    pthread_mutex_init(&session->opening, NULL);
    session->name = xasprintf("mcp-%08x", count > 0 ? number : (uint32_t)getpid());
    session->next = *sessions_of(peer);
    *sessions_of(peer) = session;
    return session;
}

static bool no_page(struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION, "no page is open");
    return error_hint(err, "call browser_open with a url first");
}

/*
 * Finds the session of a call, or makes one. *ret_session is NULL for one that was not opened here;
 * *ret_name is borrowed.
 */
static bool choose_session(struct mcp_peer *peer, enum mcp_session_use use, const char *given,
                           struct mcp_session **ret_session, const char **ret_name,
                           struct br_error *err)
{
    bool has_own = peer->transport.has_session;
    bool is_new = use == MCP_OPENS && (given ? strcmp(given, "new") == 0 : !peer->session);
    *ret_name = given ? given : peer->session;
    if (!is_new && !*ret_name) {
        if (has_own) {
            return no_page(err);
        }
        error_set(err, BR_INVALID_ACTION, "session is missing");
        return error_hint(err, "browser_open without a session opens one, and says its name");
    }
    *ret_session = is_new ? add_session(peer) : find_session(peer, *ret_name);
    if (is_new) {
        *ret_name = (*ret_session)->name;
    }
    if (has_own && use == MCP_OPENS && (is_new || given)) {
        free(peer->session);
        peer->session = xstrdup(*ret_name);
        *ret_name = *ret_session ? (*ret_session)->name : peer->session;
    }
    return true;
}

/* Opens the session, or checks that it is open. */
static bool hold_session(struct mcp_session *session, bool opens, struct mcp_call *call,
                         struct br_error *err)
{
    pthread_mutex_lock(&session->opening);
    bool is_open = session->kept && local_client_is_open(session->kept);
    if (!is_open) {
        local_client_close(session->kept);
        session->kept = opens ? mcp_keep_session(call, err) : NULL;
        is_open = session->kept;
        if (!opens) {
            no_page(err);
        }
    }
    pthread_mutex_unlock(&session->opening);
    return is_open;
}

static bool close_session(struct mcp_session *session, struct mcp_call *call, struct br_error *err)
{
    if (!session) {
        error_set(err, BR_INVALID_ACTION, "the session %s was not opened by this client",
                  call->session);
        return error_hint(err, "it stays open: browser-runner session stop %s ends it",
                          call->session);
    }
    pthread_mutex_lock(&session->opening);
    bool was_open = session->kept && local_client_is_open(session->kept);
    bool is_closed = !was_open || mcp_stop_session(call, err);
    local_client_close(session->kept);
    session->kept = NULL;
    pthread_mutex_unlock(&session->opening);
    if (is_closed) {
        strbuf_add_string(&call->text, was_open ? "closed" : "nothing was open");
    }
    return is_closed;
}

/* Calls. */

static bool run_in_session(const struct running *running, struct mcp_call *call,
                           struct br_error *err)
{
    struct mcp_peer *peer = running->peer;
    struct mcp_server *server = peer->server;
    struct mcp_session *session = NULL;
    enum mcp_session_use use = running->tool->use;
    const json_t *value = json_object_get(running->arguments, "session");
    if (value && !json_is_string(value)) {
        return error_set(err, BR_INVALID_ACTION, "session is not a text");
    }
    CLEANUP_FREE char *given = xstrdup(json_string_value(value));
    json_object_del(running->arguments, "session");
    pthread_mutex_lock(&server->mutex);
    const char *name = NULL;
    bool is_chosen = use == MCP_NONE || choose_session(peer, use, given, &session, &name, err);
    CLEANUP_FREE char *own = xstrdup(name);
    pthread_mutex_unlock(&server->mutex);
    call->session = own;
    call->settings = server->options.settings;
    call->opens = session && use == MCP_OPENS;
    if (!is_chosen || use == MCP_CLOSES) {
        return is_chosen && close_session(session, call, err);
    }
    if (session && !hold_session(session, use == MCP_OPENS, call, err)) {
        return false;
    }
    mcp_tool_run(running->tool, call, running->arguments);
    if (use == MCP_OPENS) {
        strbuf_add_format(&call->text, "session %s\n", own);
    }
    return true;
}

static void remove_running(struct running *running)
{
    struct mcp_server *server = running->peer->server;
    struct running **place = &server->running;
    while (*place != running) {
        place = &(*place)->next;
    }
    *place = running->next;
    server->running_count--;
    server->used_at_ms = clock_monotonic_ms();
    release_peer(running->peer);
    pthread_cond_broadcast(&server->changed);
    close(running->cancel_fd);
    json_decref(running->id);
    json_decref(running->arguments);
    free(running->uri);
    free(running);
}

static json_t *answer_call(const struct running *running, struct mcp_call *call)
{
    const struct mcp_message message = { .id = running->id, .is_modern = running->is_modern };
    if (!running->uri) {
        return mcp_result(&message, mcp_call_result(call), -1);
    }
    if (!call->has_failed) {
        return mcp_result(&message, mcp_call_contents(call, running->uri), 0);
    }
    return call->code == BR_INVALID_ACTION
               ? mcp_no_resource(&message, running->uri, call->text.data)
               : mcp_error(message.id, MCP_INTERNAL_ERROR, call->text.data, NULL);
}

static void *run_call(void *data)
{
    struct br_error err;
    struct running *running = data;
    struct mcp_server *server = running->peer->server;
    struct mcp_call call = {
        .check_options = server->options.check_options,
        .directory = server->options.directory,
        .files = server->files,
        .cancel_fd = running->cancel_fd,
    };
    mcp_call_init(&call);
    if (!run_in_session(running, &call, &err)) {
        mcp_add_error(&call, &err);
    }
    json_t *answer = answer_call(running, &call);
    mcp_call_finish(&call);
    pthread_mutex_lock(&server->mutex);
    if (running->is_cancelled) {
        json_decref(answer);
    } else {
        send_json(running->peer, answer);
    }
    remove_running(running);
    pthread_mutex_unlock(&server->mutex);
    return NULL;
}

/*
 * Starts a tool or the reading of a resource, with ownership of the arguments. Returns NULL, or the
 * answer if it cannot begin.
 */
static json_t *begin(struct mcp_peer *peer, const struct mcp_message *message,
                     const struct mcp_tool *tool, json_t *arguments, const char *uri)
{
    struct mcp_server *server = peer->server;
    if (server->running_count >= MAX_CALLS) {
        json_decref(arguments);
        return mcp_error(message->id, MCP_INTERNAL_ERROR, "too many calls run at once", NULL);
    }
    struct running *running = xcalloc(1, sizeof(*running));
    *running = (struct running){
        .next = server->running,
        .peer = peer,
        .tool = tool,
        .id = json_deep_copy(message->id),
        .arguments = arguments,
        .uri = xstrdup(uri),
        .is_modern = message->is_modern,
        .cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    server->running = running;
    server->running_count++;
    peer->users++;
    pthread_t thread;
    if (thread_start(&thread, run_call, running) != 0) {
        remove_running(running);
        return mcp_error(message->id, MCP_INTERNAL_ERROR, "cannot start a thread", NULL);
    }
    pthread_detach(thread);
    return NULL;
}

static json_t *begin_read(struct mcp_peer *peer, const struct mcp_message *message)
{
    const char *uri = json_member_string(message->params, "uri");
    CLEANUP_FREE char *session = NULL;
    if (!uri) {
        return mcp_error(message->id, MCP_INVALID_PARAMS, "uri is missing", NULL);
    }
    const struct mcp_tool *resource = mcp_resource_find(uri, &session);
    if (!resource) {
        return mcp_no_resource(message, uri, "unknown resource; resources/list has all");
    }
    json_t *arguments = json_pack("{s:s*}", "session", session);
    return begin(peer, message, resource, arguments, uri);
}

static json_t *begin_call(struct mcp_peer *peer, const struct mcp_message *message)
{
    const char *nearest = NULL;
    const char *name = json_member_string(message->params, "name");
    const struct mcp_tool *tool = name ? mcp_tool_find(name, &nearest) : NULL;
    json_t *arguments = json_object_get(message->params, "arguments");
    if (!tool) {
        CLEANUP_FREE char *text =
            xasprintf("unknown tool %s%s%s", name ? name : "", nearest ? "; did you mean " : "",
                      nearest ? nearest : "");
        return mcp_error(message->id, MCP_INVALID_PARAMS, text, NULL);
    }
    if (arguments && !json_is_object(arguments)) {
        return mcp_error(message->id, MCP_INVALID_PARAMS, "arguments is not an object", NULL);
    }
    return begin(peer, message, tool, arguments ? json_deep_copy(arguments) : json_object(), NULL);
}

/* id NULL: all calls of the peer; peer NULL: all calls. */
static void cancel(struct mcp_server *server, const struct mcp_peer *peer, json_t *id)
{
    for (struct running *running = server->running; running; running = running->next) {
        if ((!peer || running->peer == peer) && (!id || json_equal(running->id, id))) {
            running->is_cancelled = true;
            eventfd_write(running->cancel_fd, 1);
        }
    }
}

/* Messages. */

static json_t *answer_ping(const struct mcp_message *message)
{
    return mcp_result(message, json_object(), -1);
}

static json_t *answer_tools(const struct mcp_message *message)
{
    return mcp_result(message, json_pack("{s:o}", "tools", mcp_tools()), LISTS_LAST_MS);
}

static json_t *answer_resources(const struct mcp_message *message)
{
    return mcp_result(message, mcp_resource_list(), LISTS_LAST_MS);
}

static json_t *answer_templates(const struct mcp_message *message)
{
    return mcp_result(message, mcp_resource_templates(), LISTS_LAST_MS);
}

static json_t *answer_initialize(const struct mcp_message *message)
{
    return mcp_initialize(message, mcp_instructions);
}

static json_t *answer_discover(const struct mcp_message *message)
{
    return mcp_discover(message, mcp_instructions);
}

enum generation { LEGACY = 1, MODERN = 2 };

static const struct {
    const char *name;
    int generations;
    json_t *(*answer)(const struct mcp_message *message);
} methods[] = {
    { "initialize", LEGACY, answer_initialize },
    { "ping", LEGACY, answer_ping },
    { "server/discover", MODERN, answer_discover },
    { "tools/list", LEGACY | MODERN, answer_tools },
    { "resources/list", LEGACY | MODERN, answer_resources },
    { "resources/templates/list", LEGACY | MODERN, answer_templates },
};

/* Returns NULL if there is none, or none yet. */
static json_t *answer(struct mcp_peer *peer, const struct mcp_message *message)
{
    if (!message->id) {
        json_t *id = json_object_get(message->params, "requestId");
        if (strcmp(message->method, "notifications/cancelled") == 0 && id) {
            cancel(peer->server, peer, id);
        }
        return NULL;
    }
    if (strcmp(message->method, "tools/call") == 0) {
        return begin_call(peer, message);
    }
    if (strcmp(message->method, "resources/read") == 0) {
        return begin_read(peer, message);
    }
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (methods[i].generations & (message->is_modern ? MODERN : LEGACY) &&
            strcmp(methods[i].name, message->method) == 0) {
            return methods[i].answer(message);
        }
    }
    CLEANUP_FREE char *text = xasprintf("unknown method %s", message->method);
    return mcp_error(message->id, MCP_UNKNOWN_METHOD, text, NULL);
}

static void take_one(struct mcp_peer *peer, json_t *root)
{
    struct mcp_message message;
    json_t *reply = mcp_message_read(root, &message);
    if (!reply && message.method) {
        reply = answer(peer, &message);
    }
    if (reply) {
        send_json(peer, reply);
    }
}

void mcp_peer_take(struct mcp_peer *peer, const char *text, size_t length)
{
    struct br_error err;
    json_auto_t *root = json_parse(text, length, "the message", &err);
    if (root) {
        mcp_peer_take_json(peer, root);
    } else {
        pthread_mutex_lock(&peer->server->mutex);
        peer->server->used_at_ms = clock_monotonic_ms();
        send_json(peer, mcp_error(NULL, MCP_PARSE_ERROR, err.message, NULL));
        pthread_mutex_unlock(&peer->server->mutex);
    }
}

void mcp_peer_take_json(struct mcp_peer *peer, json_t *root)
{
    size_t index;
    json_t *item;
    pthread_mutex_lock(&peer->server->mutex);
    peer->server->used_at_ms = clock_monotonic_ms();
    if (json_is_array(root) && json_array_size(root) > 0) {
        /* A batch of 2025-03-26; its answers are sent one by one. */
        json_array_foreach (root, index, item) {
            take_one(peer, item);
        }
    } else {
        take_one(peer, root);
    }
    pthread_mutex_unlock(&peer->server->mutex);
}

struct mcp_peer *mcp_peer_open(struct mcp_server *server, const struct mcp_transport *transport)
{
    struct mcp_peer *peer = xcalloc(1, sizeof(*peer));
    *peer = (struct mcp_peer){ .server = server, .transport = *transport, .users = 1 };
    peer->session = transport->has_session ? xstrdup(server->options.session) : NULL;
    return peer;
}

void mcp_peer_close(struct mcp_peer *peer, bool cancels)
{
    struct mcp_server *server = peer->server;
    pthread_mutex_lock(&server->mutex);
    peer->is_closed = true;
    if (cancels) {
        cancel(server, peer, NULL);
    }
    release_peer(peer);
    pthread_mutex_unlock(&server->mutex);
}

struct mcp_server *mcp_create(const struct mcp_options *options)
{
    struct mcp_server *server = xcalloc(1, sizeof(*server));
    server->options = *options;
    server->files = mcp_files_create();
    server->used_at_ms = clock_monotonic_ms();
    pthread_mutex_init(&server->mutex, NULL);
    condition_init(&server->changed);
    return server;
}

int mcp_idle_left_ms(struct mcp_server *server)
{
    pthread_mutex_lock(&server->mutex);
    int64_t idle_ms = server->running_count > 0 ? 0 : clock_monotonic_ms() - server->used_at_ms;
    pthread_mutex_unlock(&server->mutex);
    int64_t left_ms = server->options.idle_ms - idle_ms;
    return server->options.idle_ms == 0 ? -1
           : left_ms <= 0               ? 0
           : left_ms < INT_MAX          ? (int)left_ms
                                        : INT_MAX;
}

bool mcp_await_calls(struct mcp_server *server, struct deadline deadline)
{
    pthread_mutex_lock(&server->mutex);
    while (server->running_count > 0 && !deadline_passed(deadline)) {
        condition_wait(&server->changed, &server->mutex, deadline);
    }
    bool is_idle = server->running_count == 0;
    pthread_mutex_unlock(&server->mutex);
    return is_idle;
}

void mcp_destroy(struct mcp_server *server)
{
    pthread_mutex_lock(&server->mutex);
    cancel(server, NULL, NULL);
    pthread_mutex_unlock(&server->mutex);
    bool is_idle = mcp_await_calls(server, deadline_in_ms(END_MS));
    sessions_free(server->sessions);
    server->sessions = NULL;
    mcp_files_destroy(server->files);
    if (is_idle) { /* otherwise threads still use it, until the process ends */
        pthread_cond_destroy(&server->changed);
        pthread_mutex_destroy(&server->mutex);
        free(server);
    }
}
