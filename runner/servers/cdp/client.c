/* A client of the endpoint: a WebSocket, its browser context and its session with the browser. */
#include "runner/base/json.h"
#include "runner/servers/cdp/captures.h"
#include "runner/servers/cdp/endpoint.h"
#include "runner/servers/cdp/scope.h"
#include "runner/servers/cdp/visibility.h"

#include <stdio.h>
#include <string.h>

enum {
    ENTER_MS = 20000,                /* limit for entering the profile's context */
    RESET_MS = 500,                  /* limit for writing a command at the end */
    QUEUE_BYTES = 256 * 1024 * 1024, /* limit of its commands that are not written yet */
    TAG_ATTACH = SCOPE_LAST,         /* tag of the reply to our Target.attachToTarget */
    TAG_SELF,                        /* tag of the reply to our Target.getTargetInfo */
    TAG_CAPTURES,                    /* plus a number of captures_keep() */
    CLOSE_DONE = 1000,
    CLOSE_GOING_AWAY = 1001,
    CLOSE_RESTART = 1012,
    CLOSE_LIMIT = 1013,
    CLOSE_FAILED = 1011,
};

struct client {
    struct waiter waiter; /* first: waits for the browser */
    struct own_context_wait own_wait;
    struct client *next;
    struct cdp_endpoint *endpoint;
    uint64_t connection;
    enum client_kind kind;
    char *target_id;   /* the page of a CLIENT_PAGE */
    char *address;     /* of the peer */
    unsigned end_code; /* with which we closed the connection; 0: we did not */
    char *end_reason;
    struct trail_client *trail;
    struct view *view;
    struct cdp_sink *sink;         /* NULL before the relay is joined, and after the end */
    struct scope *scope;           /* NULL before the relay is joined */
    struct visibility *visibility; /* exists as long as the sink */
    struct captures *captures;
    bool is_busy;   /* a step of the beginning is under way, and calls back */
    bool is_gone;   /* its connection has closed */
    bool is_opened; /* its commands are read */
    /* Filled during the beginning: */
    struct context *context;
    char *context_id;
    int way_out_port;
    bool is_joined; /* to the registry of targets */
    bool is_refused;
    struct br_error err;   /* why it is refused */
    bool resets_downloads; /* at the end */
};

/* The end: on the worker, after the last callback. */

/* Sets the profile's downloads as our own sessions there have them, else as Chrome does. */
static void reset_downloads(const struct client *client)
{
    struct br_error ignored;
    struct browser_life *life = view_life(client->view);
    CLEANUP_FREE char *directory = NULL;
    bool is_known = targets_profile_downloads(browser_life_targets(life), &directory);
    bool is_denied = is_known || policy_files(client->endpoint->policy);
    const char *behavior = directory ? "allowAndName" : is_denied ? "deny" : "default";
    json_t *params = json_pack("{s:s, s:o*, s:b}", "behavior", behavior, "downloadPath",
                               directory ? json_text(directory) : NULL, "eventsEnabled", is_known);
    cdp_connection_send(browser_life_connection(life), NULL, NULL, "Browser.setDownloadBehavior",
                        params, deadline_in_ms(RESET_MS), &ignored);
}

static void end_on_worker(void *data)
{
    struct client *client = data;
    struct cdp_endpoint *endpoint = client->endpoint;
    if (client->resets_downloads) {
        reset_downloads(client);
    }
    if (client->is_joined) {
        targets_leave(browser_life_targets(view_life(client->view)), client);
    }
    trail_end(client->trail, client->end_code, client->end_reason);
    context_release(client->context, endpoint->policy);
    view_release(client->view);
    free(client->target_id);
    free(client->address);
    free(client->end_reason);
    free(client->context_id);
    free(client);
    endpoint_release(endpoint);
}

/* Ends a client whose connection has closed; no step of the beginning is under way. */
static void end(struct client *client)
{
    captures_destroy(TAKE(client->captures));
    visibility_destroy(TAKE(client->visibility));
    if (client->sink) {
        cdp_sink_destroy(TAKE(client->sink)); /* on_released follows */
    } else {
        endpoint_work(client->endpoint, end_on_worker, client);
    }
}

static void on_released(void *data)
{
    struct client *client = data;
    client->resets_downloads = client->kind == CLIENT_PROFILE && scope_has_downloads(client->scope);
    scope_destroy(TAKE(client->scope));
    endpoint_work(client->endpoint, end_on_worker, client);
}

static void close_connection(struct client *client, unsigned code, const char *why)
{
    if (!client->end_code) {
        client->end_code = code;
        client->end_reason = xstrdup(why);
    }
    net_close(client->endpoint->listener, client->connection, code, why);
}

/* client_lose_all() closes the connection then, with the reason. */
static bool has_lost_browser(const struct client *client)
{
    struct browser_life *life = view_life(client->view);
    browser_life_check(life);
    return !browser_life_is_open(life);
}

static void fail(struct client *client, const struct br_error *err)
{
    /* A write may fail before the loop has seen the end of the browser. */
    bool is_lost = client->endpoint->is_ending || has_lost_browser(client);
    if (err->code != BR_DISCONNECTED && !is_lost) {
        close_connection(client, CLOSE_FAILED, err->message);
    }
}

/* From the browser. */

static void on_text(void *data, char *text, size_t length)
{
    struct client *client = data;
    net_send_text(client->endpoint->listener, client->connection, text, length);
}

static void begin(struct client *client)
{
    client->is_opened = true;
    net_pause(client->endpoint->listener, client->connection, false);
}

static void on_attached_page(struct client *client, const json_t *reply)
{
    const char *session_id = json_member_string(json_object_get(reply, "result"), "sessionId");
    if (!session_id) {
        close_connection(client, CLOSE_FAILED, "the page is not there any more");
        return;
    }
    cdp_sink_set_front(client->sink, session_id);
    begin(client);
}

static void on_closed(void *data, enum cdp_sink_end end, const char *reason)
{
    struct client *client = data;
    if (end == CDP_SINK_FULL) {
        close_connection(client, CLOSE_LIMIT, reason);
    } else if (!has_lost_browser(client)) {
        close_connection(client, CLOSE_RESTART, reason);
    }
}

static void on_ended(void *data, const char *session_id)
{
    static const char detached[] =
        "{\"method\":\"Inspector.detached\",\"params\":{\"reason\":\"target_closed\"}}";
    struct client *client = data;
    visibility_end_session(client->visibility, session_id);
    if (client->kind == CLIENT_PAGE && !*session_id && client->is_opened) {
        on_text(client, xstrdup(detached), strlen(detached));
        close_connection(client, CLOSE_DONE, "target_closed");
    }
}

static void on_room(void *data)
{
    const struct client *client = data;
    net_pause(client->endpoint->listener, client->connection, false);
}

static bool on_event(void *data, const struct cdp_message *event)
{
    const struct client *client = data;
    /* A page's client has no session but that of our own attach before it is opened. */
    bool is_early = client->kind == CLIENT_PAGE && !client->is_opened;
    return !is_early && visibility_event(client->visibility, event);
}

static void send_again(void *data, const char *text, size_t length)
{
    const struct client *client = data;
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length + 1);
    cdp_sink_send(client->sink, copy, length);
}

/* As endpoint_forbid_downloads(), for a context of the client, before the client has its id. */
static void forbid_downloads(struct client *client, const char *context_id)
{
    if (context_id && policy_files(client->endpoint->policy)) {
        cdp_sink_command(
            client->sink, NULL, "Browser.setDownloadBehavior",
            json_pack("{s:s, s:s}", "behavior", "deny", "browserContextId", context_id), 0);
    }
}

/* Acts on a reply that the client's scope asked for, and removes what the client may not see. */
static void take_scope_reply(struct client *client, int tag, json_t *reply)
{
    const json_t *result = json_object_get(reply, "result");
    const char *target_id = json_member_string(result, "targetId");
    scope_reply(client->scope, tag, reply);
    if (tag == SCOPE_NEW_CONTEXT || tag == SCOPE_OWN_CONTEXT) {
        forbid_downloads(client, json_member_string(result, "browserContextId"));
    }
    if (tag == SCOPE_NEW_TARGET && target_id) {
        visibility_add_target(client->visibility, target_id);
    }
    char *text = json_dumps(reply, JSON_COMPACT);
    on_text(client, text, strlen(text));
    if (tag == SCOPE_CLOSE && result) {
        close_connection(client, CLOSE_DONE, "");
    }
}

static void on_reply(void *data, int tag, char *text, size_t length)
{
    struct client *client = data;
    if (tag > TAG_CAPTURES) {
        if (captures_answer(client->captures, tag - TAG_CAPTURES, text, length)) {
            on_text(client, text, length);
        } else {
            free(text);
        }
        return;
    }
    json_auto_t *reply = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
    const json_t *info = json_object_get(json_object_get(reply, "result"), "targetInfo");
    free(text);
    if (tag == TAG_ATTACH) {
        on_attached_page(client, reply);
    } else if (tag == TAG_SELF) {
        visibility_set_browser_target(client->visibility, json_member_string(info, "targetId"));
        begin(client);
    } else if (reply) {
        take_scope_reply(client, tag, reply);
    } else {
        close_connection(client, CLOSE_FAILED, "a reply of the browser cannot be read");
    }
}

static void on_command(void *data, const struct raw_command *command, struct cdp_ruling *ruling)
{
    const struct client *client = data;
    struct cdp_slice method = command->values[RAW_METHOD];
    bool did_ignore = scope_ignores_certificates(client->scope);
    scope_judge(client->scope, command, ruling);
    bool does_ignore = scope_ignores_certificates(client->scope);
    if (did_ignore != does_ignore) {
        visibility_ignore_certificates(client->visibility, does_ignore);
    }
    trail_command(client->trail, method.text + 1, method.length - 2,
                  !ruling->code   ? NULL
                  : *ruling->rule ? ruling->rule
                                  : "endpoint");
    int number = ruling->code ? 0 : captures_keep(client->captures, command);
    ruling->tag = number ? TAG_CAPTURES + number : ruling->tag;
}

/* The beginning, step by step. */

static bool is_hidden(void *data, const char *target_id)
{
    const struct client *client = data;
    const json_t *target = json_object_get(view_targets(client->view), target_id);
    /* The client may know of a new target before the view does. */
    return json_object_get(target, "browserContextId") &&
           (!scope_sees(client->scope, target) || endpoint_is_ours(client->view, target));
}

static bool is_shown(void *data, const json_t *target)
{
    const struct client *client = data;
    return visibility_shows(client->visibility, target);
}

static void join_relay(struct client *client)
{
    const struct scope_options scope = {
        .context_id = client->context_id ? client->context_id : "",
        .is_profile = client->kind == CLIENT_PROFILE,
        .contexts = client->kind == CLIENT_PROFILE ? view_contexts(client->view) : NULL,
        .is_page = client->kind == CLIENT_PAGE,
        .is_read_only = client->endpoint->options.is_read_only,
        .may_close = client->endpoint->options.may_close,
        .way_out_port = client->way_out_port,
        .has_rules = policy_judges_hosts(client->endpoint->policy),
        .policy = client->endpoint->policy,
        .is_hidden = is_hidden,
        .is_shown = is_shown,
        .data = client,
    };
    const struct cdp_sink_handler handler = {
        .on_text = on_text,
        .on_closed = on_closed,
        .on_command = on_command,
        .on_reply = on_reply,
        .on_event = on_event,
        .on_ended = on_ended,
        .on_room = on_room,
        .on_released = on_released,
        .data = client,
    };
    client->scope = scope_create(&scope);
    client->sink = cdp_sink_create(view_relay(client->view), QUEUE_BYTES, &handler);
    const struct visibility_options visibility = {
        .loop = client->endpoint->loop,
        .view = client->view,
        .scope = client->scope,
        .sink = client->sink,
        .is_profile = client->kind == CLIENT_PROFILE,
        .on_text = on_text,
        .data = client,
    };
    client->visibility = visibility_create(&visibility);
    if (client->kind == CLIENT_PAGE) {
        cdp_sink_command(client->sink, NULL, "Target.attachToTarget",
                         json_pack("{s:b, s:s}", "flatten", 1, "targetId", client->target_id),
                         TAG_ATTACH);
    } else {
        cdp_sink_command(client->sink, NULL, "Target.getTargetInfo", NULL, TAG_SELF);
    }
}

/* The page of each tab in the profile is known. */
static void on_learned(void *data)
{
    struct client *client = data;
    client->is_busy = false;
    if (client->is_gone) {
        end(client);
    } else {
        join_relay(client);
    }
}

static void on_entered(void *data)
{
    struct client *client = data;
    client->is_busy = false;
    if (client->is_gone) {
        end(client);
    } else if (client->is_refused) {
        fail(client, &client->err);
    } else {
        client->is_busy = true;
        view_learn_tabs(client->view, on_learned, client);
    }
}

/* The context's way out alone enforces rules about hosts for a client. */
static bool check_rules(const struct client *client, struct br_error *err)
{
    if (policy_judges_hosts(client->endpoint->policy) && client->way_out_port == 0) {
        return error_set(err, BR_POLICY_DENIED,
                         "the rules about hosts cannot be held for this client");
    }
    return true;
}

static void begin_trail(struct client *client)
{
    static const char *const contexts[] = { "own", "profile", "page" };
    const struct trail_peer peer = {
        .id = client->connection,
        .address = client->address,
        .context = contexts[client->kind],
        .target_id = client->target_id,
    };
    client->trail = trail_begin(client->endpoint->trail, &peer);
}

/* Enters the profile's context. */
static bool enter(struct client *client, struct br_error *err)
{
    struct cdp_endpoint *endpoint = client->endpoint;
    struct browser_life *life = view_life(client->view);
    char *id = NULL; /* the profile's context has none */
    client->context =
        context_acquire(browser_contexts(endpoint->browser), NULL, false, endpoint->policy, err);
    if (!client->context ||
        !context_enter(client->context, life, deadline_in_ms(ENTER_MS), &id, err)) {
        return false;
    }
    targets_join_client(browser_life_targets(life), client, NULL);
    targets_settle(browser_life_targets(life));
    client->is_joined = true;
    client->way_out_port = context_way_out(client->context);
    return check_rules(client, err);
}

static void enter_on_worker(void *data)
{
    struct client *client = data;
    struct br_error err = { 0 };
    client->is_refused = !enter(client, &err);
    client->err = err;
    loop_post(client->endpoint->loop, on_entered, client);
}

static void on_own_context(void *data, struct own_context *own)
{
    struct client *client = data;
    client->is_busy = false;
    client->err = own->err;
    client->context = TAKE(own->context);
    client->context_id = TAKE(own->id);
    client->way_out_port = own->way_out_port;
    bool is_fine = own->tab_id && check_rules(client, &client->err);
    own_context_destroy(own);
    if (client->is_gone) {
        end(client);
    } else if (is_fine) {
        join_relay(client);
    } else {
        fail(client, &client->err);
    }
}

static void on_view(struct waiter *waiter, struct view *view, const struct br_error *err)
{
    struct client *client = (struct client *)waiter;
    client->is_busy = false;
    if (client->is_gone) {
        end(client);
        return;
    }
    if (!view) {
        bool has_ended = err->code == BR_DISCONNECTED || err->code == BR_BROWSER_CRASHED;
        close_connection(client, has_ended ? CLOSE_RESTART : CLOSE_FAILED, err->message);
        return;
    }
    client->view = view_hold(view);
    begin_trail(client);
    if (client->kind == CLIENT_PAGE) {
        const char *context_id = json_member_string(
            json_object_get(view_targets(view), client->target_id), "browserContextId");
        client->context_id = xstrdup(context_id ? context_id : "");
        join_relay(client);
        return;
    }
    client->is_busy = true;
    if (client->kind == CLIENT_PROFILE) {
        client->context_id = xstrdup(view_profile_context(view));
        endpoint_work(client->endpoint, enter_on_worker, client);
        return;
    }
    client->own_wait = (struct own_context_wait){
        .view = client->view,
        .on_made = on_own_context,
        .data = client,
    };
    own_context_await(client->endpoint, &client->own_wait);
}

void client_open(struct cdp_endpoint *endpoint, uint64_t connection, const struct net_peer *peer,
                 enum client_kind kind, const char *target_id)
{
    struct client *client = xcalloc(1, sizeof(*client));
    endpoint_hold(endpoint);
    client->endpoint = endpoint;
    client->connection = connection;
    client->kind = kind;
    client->target_id = xstrdup(target_id);
    client->address = xstrdup(peer->address);
    client->captures = captures_create(endpoint->loop, send_again, client);
    client->next = endpoint->clients;
    endpoint->clients = client;
    client->waiter.on_view = on_view;
    client->is_busy = true;
    net_pause(endpoint->listener, connection, true);
    endpoint_await(endpoint, &client->waiter);
}

static struct client **find(struct cdp_endpoint *endpoint, uint64_t connection)
{
    struct client **place = &endpoint->clients;
    while (*place && (*place)->connection != connection) {
        place = &(*place)->next;
    }
    return place;
}

void client_receive(struct cdp_endpoint *endpoint, uint64_t connection, const char *text,
                    size_t length)
{
    const struct client *client = *find(endpoint, connection);
    if (!client || !client->sink) {
        return;
    }
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (cdp_sink_send(client->sink, copy, length) && cdp_sink_is_crowded(client->sink)) {
        net_pause(endpoint->listener, connection, true);
    }
}

void client_close(struct cdp_endpoint *endpoint, uint64_t connection)
{
    struct client **place = find(endpoint, connection);
    struct client *client = *place;
    if (!client) {
        return;
    }
    *place = client->next;
    client->is_gone = true;
    if (!client->is_busy) {
        end(client);
    }
}

void client_lose_all(struct cdp_endpoint *endpoint, const struct view *view, const char *reason)
{
    own_context_leave(endpoint, view);
    for (struct client *client = endpoint->clients; client; client = client->next) {
        if (client->view == view) {
            close_connection(client, endpoint->is_ending ? CLOSE_GOING_AWAY : CLOSE_RESTART,
                             reason);
        }
    }
}
