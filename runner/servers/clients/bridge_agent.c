#include "runner/servers/clients/bridge_agent.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/loop/mailbox.h"
#include "runner/net/gate.h"
#include "runner/net/handler.h"
#include "runner/net/transport.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    MAX_WAITING = 256 * 1024 * 1024, /* bytes of messages that were not read yet */
    MAX_SESSION = 128,               /* bytes of a session's id */
};

static const struct server_kind relay_peer = {
    .name = "the relay",
    .start = "serve --debug-bridge=",
};

/* A received message, or the end of the connection. */
struct incoming {
    struct message base;
    char *text; /* the message, or why the connection has ended */
    size_t length;
    bool is_end;
};

struct agent {
    struct transport *transport;
    struct mailbox *mailbox;
    int fd;               /* an eventfd: readable when something was received */
    struct incoming *end; /* NULL: the end was not reached yet */
};

/* Whether the query has the parameter. */
static bool has_parameter(const char *query, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = query; at; at = strchr(at, '&')) {
        at += *at == '&' || *at == '?';
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            return true;
        }
    }
    return false;
}

static void add_parameter(struct strbuf *url, const char *name, const char *value)
{
    /* "=…": gate_add_parameter() would treat a value that begins with "token=" as a token. */
    CLEANUP_FREE char *parameter = xasprintf("=%s", value);
    struct strbuf encoded = STRBUF_INIT(STRBUF_UNCAPPED);
    gate_add_parameter(&encoded, parameter);
    strbuf_add_format(url, "%s%s%s", strchr(url->data, '?') ? "&" : "?", name, encoded.data);
    strbuf_finish(&encoded);
}

/* The session is named once, or twice in the same way. */
static bool check_session(const char *query, const char *session_id, struct br_error *err)
{
    char named[MAX_SESSION + 1] = "";
    bool is_named = has_parameter(query, "sessionId");
    bool is_given = session_id && *session_id;
    if (!is_named && !is_given) {
        error_set(err, BR_INVALID_ACTION, "the relay's session is missing");
        return error_hint(err, "name it with --bridge-session ID, the sessionId of its apps");
    }
    if (is_named && is_given) {
        net_query_param(query + 1, "sessionId", named, sizeof(named));
    }
    if (is_named && is_given && strcmp(named, session_id) != 0) {
        error_set(err, BR_INVALID_ACTION, "the URL names another session than --bridge-session");
        return error_hint(err, "name the session once");
    }
    return true;
}

char *agent_url(const char *url, const char *session_id, const char *token, struct br_error *err)
{
    struct server_url server;
    if (!server_url_parse(url, &server, err)) {
        return NULL;
    }
    if (server.is_http) {
        error_set(err, BR_INVALID_ACTION, "the relay's URL must begin with ws:// or wss://");
        return NULL;
    }
    const char *query = strchr(server.path, '?');
    if (!check_session(query, session_id, err)) {
        return NULL;
    }
    char host[SERVER_URL_MAX_HOST + 10];
    server_url_format_host(server.host, server.port, host, sizeof(host));
    struct strbuf full = STRBUF_INIT(STRBUF_UNCAPPED);
    bool has_path = server.path[1] && server.path[1] != '?';
    strbuf_add_format(&full, "%s://%s%s%s", server.is_tls ? "wss" : "ws", host,
                      has_path ? "" : "/debug", has_path ? server.path : server.path + 1);
    if (!has_parameter(query, "role")) {
        add_parameter(&full, "role", "agent");
    }
    if (!has_parameter(query, "sessionId")) {
        add_parameter(&full, "sessionId", session_id);
    }
    if (token && !has_parameter(query, "token")) {
        add_parameter(&full, "token", token);
    }
    return strbuf_take(&full);
}

static void incoming_destroy(struct message *message)
{
    struct incoming *incoming = (struct incoming *)message;
    free(incoming->text);
    free(incoming);
}

static void post(struct agent *agent, char *text, size_t length, bool is_end)
{
    struct incoming *incoming = xcalloc(1, sizeof(*incoming));
    *incoming = (struct incoming){
        .base = { .destroy = incoming_destroy, .size = length, .is_droppable = !is_end },
        .text = text,
        .length = length,
        .is_end = is_end,
    };
    mailbox_post(agent->mailbox, &incoming->base);
}

static void on_message(void *data, char *text, size_t length)
{
    post(data, text, length, false);
}

static void on_closed(void *data, const char *reason)
{
    post(data, xstrdup(reason), 0, true);
}

struct agent *agent_connect(struct loop *loop, const char *url, struct deadline deadline,
                            struct br_error *err)
{
    struct transport *transport =
        transport_websocket_connect(loop, url, &relay_peer, deadline, err);
    if (!transport) {
        return NULL;
    }
    struct agent *agent = xcalloc(1, sizeof(*agent));
    agent->transport = transport;
    agent->mailbox = mailbox_create(MAX_WAITING);
    agent->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (agent->fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot wait for the relay");
        agent_close(agent);
        return NULL;
    }
    mailbox_watch(agent->mailbox, agent->fd);
    const struct transport_handler handler = {
        .on_message = on_message,
        .on_closed = on_closed,
        .data = agent,
    };
    if (!transport->ops->start(transport, &handler, err)) {
        agent_close(agent);
        return NULL;
    }
    return agent;
}

void agent_close(struct agent *agent)
{
    if (!agent) {
        return;
    }
    agent->transport->ops->destroy(agent->transport);
    if (agent->end) {
        message_destroy(&agent->end->base);
    }
    mailbox_destroy(agent->mailbox);
    if (agent->fd >= 0) {
        close(agent->fd);
    }
    free(agent);
}

/* Returns the next message that is an object; NULL when the queue is empty. */
static json_t *take_message(struct agent *agent)
{
    eventfd_t count;
    struct br_error ignored;
    eventfd_read(agent->fd, &count);
    while (!agent->end) {
        struct incoming *incoming =
            (struct incoming *)mailbox_wait(agent->mailbox, deadline_in_ms(0));
        if (!incoming) {
            return NULL;
        }
        if (incoming->is_end) {
            agent->end = incoming;
            return NULL;
        }
        json_t *message = json_parse(incoming->text, incoming->length, "the relay", &ignored);
        message_destroy(&incoming->base);
        if (json_is_object(message)) {
            return message;
        }
        json_decref(message);
    }
    return NULL;
}

enum agent_news agent_next(struct agent *agent, int stop_fd, struct deadline deadline,
                           json_t **ret_message, struct br_error *err)
{
    for (;;) {
        *ret_message = take_message(agent);
        if (*ret_message) {
            return AGENT_MESSAGE;
        }
        if (agent->end) {
            error_set(err, BR_DISCONNECTED, "%s", agent->end->text);
            return AGENT_GONE;
        }
        struct pollfd fds[] = {
            { .fd = agent->fd, .events = POLLIN },
            { .fd = stop_fd, .events = POLLIN },
        };
        int64_t left_ms = deadline_left_ms(deadline);
        int count = poll(fds, 2, left_ms < INT32_MAX ? (int)left_ms : INT32_MAX);
        if (count > 0 && fds[1].revents) {
            return AGENT_STOPPED;
        }
        if (count == 0 && deadline_passed(deadline)) {
            return AGENT_NOTHING;
        }
    }
}

size_t agent_take_dropped(struct agent *agent)
{
    return mailbox_take_dropped(agent->mailbox);
}

bool agent_send(struct agent *agent, const json_t *message, struct deadline deadline,
                struct br_error *err)
{
    CLEANUP_FREE char *text = json_dumps(message, JSON_COMPACT);
    if (!text) {
        return error_set(err, BR_INVALID_ACTION, "the message is not UTF-8");
    }
    return agent->transport->ops->send(agent->transport, text, strlen(text), deadline, err);
}
