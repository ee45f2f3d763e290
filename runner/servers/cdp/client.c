/* A client of the endpoint: a WebSocket, its session with the browser, and what it may see. */
#include "runner/base/json.h"
#include "runner/servers/cdp/captures.h"
#include "runner/servers/cdp/delayed.h"
#include "runner/servers/cdp/parts.h"
#include "runner/servers/cdp/scope.h"

#include <stdio.h>
#include <string.h>

enum {
    ENTER_MS = 20000,                /* for its context to be made */
    QUEUE_BYTES = 256 * 1024 * 1024, /* of its commands that were not written */
    HOLD_MS = 2000,                  /* how long it may hold a tab that others see */
    LOOK_MS = 4,                     /* until it is looked again whose a new tab is */
    TAG_ATTACH = SCOPE_LAST,         /* the reply to our Target.attachToTarget */
    TAG_SELF,                        /* to our Target.getTargetInfo */
    TAG_CAPTURES,                    /* behind it: the numbers of captures_keep() */
    CLOSE_DONE = 1000,
    CLOSE_GOING_AWAY = 1001,
    CLOSE_RESTART = 1012,
    CLOSE_LIMIT = 1013,
    CLOSE_FAILED = 1011,
};

/* A tab in the profile that waits at its start for the client. */
struct held {
    struct held *next;
    struct client *client;
    char *session_id;
    struct loop_timer *timer;
};

struct client {
    struct waiter waiter; /* first: for its browser */
    struct client *next;
    struct cdp_endpoint *endpoint;
    uint64_t connection;
    enum client_kind kind;
    char *target_id;   /* of a page's client */
    char *address;     /* of its peer */
    unsigned end_code; /* with which its connection was closed here; 0: it was not */
    char *end_reason;
    struct trail_client *trail; /* of the worker, and of the relay's thread while it has a sink */
    struct view *view;
    struct cdp_sink *sink; /* NULL: not yet, or any more */
    struct scope *scope;
    bool is_busy;   /* with a step of its beginning, which comes back */
    bool is_gone;   /* its connection has closed */
    bool is_opened; /* commands are taken */
    char *self;     /* the target that is the browser for it; NULL: not known */
    json_t *told;   /* object: targets that it was told of */
    json_t *others; /* object: targets of our own sessions */
    json_t *pages;  /* object: its sessions of pages */
    json_t *hidden; /* object: sessions of others' targets that auto-attach brought */
    struct held *held;
    struct captures *captures;
    struct delayed *delayed; /* events about targets of which it is not known whose they are */
    struct loop_timer *delay;
    /* Used on the worker thread only: */
    struct context *context; /* of its own */
    char *context_id;
    int way_out_port;
    bool is_joined; /* the registry of targets */
    bool is_refused;
    struct br_error err; /* why */
};

/* The end: on the worker, when nothing of the client is in use any more. */

/* As our own sessions in the profile have it, else as Chrome does. */
static void reset_downloads(const struct client *client)
{
    struct br_error ignored;
    struct browser_life *life = view_life(client->view);
    CLEANUP_FREE char *directory = NULL;
    if (client->kind != CLIENT_PROFILE || !client->scope || !scope_has_downloads(client->scope)) {
        return;
    }
    bool is_known = targets_profile_downloads(browser_life_targets(life), &directory);
    bool is_denied = is_known || policy_files(client->endpoint->policy);
    const char *behavior = directory ? "allowAndName" : is_denied ? "deny" : "default";
    json_t *params = json_pack("{s:s, s:o*, s:b}", "behavior", behavior, "downloadPath",
                               directory ? json_text(directory) : NULL, "eventsEnabled", is_known);
    cdp_connection_send(browser_life_connection(life), NULL, NULL, "Browser.setDownloadBehavior",
                        params, deadline_in_ms(500), &ignored);
}

static void end_on_worker(void *data)
{
    struct client *client = data;
    struct cdp_endpoint *endpoint = client->endpoint;
    if (client->view) {
        reset_downloads(client);
        if (client->is_joined) {
            targets_leave(browser_life_targets(view_life(client->view)), client);
        }
    }
    trail_end(client->trail, client->end_code, client->end_reason);
    context_release(client->context, endpoint->policy);
    scope_destroy(client->scope);
    view_release(client->view);
    captures_destroy(client->captures);
    json_decref(client->told);
    json_decref(client->others);
    json_decref(client->pages);
    json_decref(client->hidden);
    free(client->target_id);
    free(client->address);
    free(client->end_reason);
    free(client->self);
    free(client->context_id);
    free(client);
    endpoint_release(endpoint);
}

static void drop_held(struct client *client)
{
    while (client->held) {
        struct held *held = client->held;
        client->held = held->next;
        loop_timer_cancel(held->timer);
        free(held->session_id);
        free(held);
    }
}

static void drop_delayed(struct client *client)
{
    if (client->delay) {
        loop_timer_cancel(TAKE(client->delay));
    }
    while (client->delayed) {
        struct delayed *delayed = client->delayed;
        client->delayed = delayed->next;
        delayed_destroy(delayed);
    }
}

/* Its connection has closed, and nothing that is under way will come back to it. */
static void end(struct client *client)
{
    drop_held(client);
    drop_delayed(client);
    captures_stop(client->captures);
    if (client->sink) {
        cdp_sink_destroy(TAKE(client->sink)); /* on_released follows */
    } else {
        endpoint_work(client->endpoint, end_on_worker, client);
    }
}

static void on_released(void *data)
{
    struct client *client = data;
    endpoint_work(client->endpoint, end_on_worker, client);
}

static void turn_away(struct client *client, unsigned code, const char *why)
{
    if (!client->end_code) {
        client->end_code = code;
        client->end_reason = xstrdup(why);
    }
    net_close(client->endpoint->listener, client->connection, code, why);
}

/* When the browser has ended, client_lose_all() follows, which says why. */
static bool has_lost_browser(const struct client *client)
{
    struct browser_life *life = view_life(client->view);
    browser_life_check(life);
    return !browser_life_is_open(life);
}

static void give_up(struct client *client, const struct br_error *err)
{
    /* What could not be written fails before the loop has seen the end. */
    if (err->code != BR_DISCONNECTED && !has_lost_browser(client)) {
        turn_away(client, CLOSE_FAILED, err->message);
    }
}

/* What comes from the browser. */

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
        turn_away(client, CLOSE_FAILED, "the page is not there any more");
        return;
    }
    cdp_sink_set_front(client->sink, session_id);
    begin(client);
}

static void on_closed(void *data, enum cdp_sink_end end, const char *reason)
{
    struct client *client = data;
    if (end == CDP_SINK_FULL) {
        turn_away(client, CLOSE_LIMIT, reason);
    } else if (!has_lost_browser(client)) {
        turn_away(client, CLOSE_RESTART, reason);
    }
}

static void on_ended(void *data, const char *session_id)
{
    static const char detached[] =
        "{\"method\":\"Inspector.detached\",\"params\":{\"reason\":\"target_closed\"}}";
    struct client *client = data;
    json_object_del(client->pages, session_id);
    if (client->kind == CLIENT_PAGE && !*session_id && client->is_opened) {
        on_text(client, xstrdup(detached), strlen(detached));
        turn_away(client, CLOSE_DONE, "target_closed");
    }
}

static void on_room(void *data)
{
    const struct client *client = data;
    net_pause(client->endpoint->listener, client->connection, false);
}

static void send_rest(struct client *client, const char *session_id, const char *method,
                      json_t *params)
{
    CLEANUP_FREE char *text = json_dumps(params, JSON_COMPACT);
    CLEANUP_FREE char *session =
        session_id ? xasprintf(",\"sessionId\":\"%s\"", session_id) : xstrdup("");
    CLEANUP_FREE char *rest = xasprintf("\"method\":\"%s\"%s,\"params\":%s", method, session, text);
    json_decref(params);
    cdp_sink_command(client->sink, rest, 0);
}

static void ignore_certificates(struct client *client, const char *session_id, bool is_on)
{
    send_rest(client, session_id, "Security.setIgnoreCertificateErrors",
              json_pack("{s:b}", "ignore", is_on));
}

/* Another client's tab: resume it at once, so that its owner does not wait for this client. */
static void let_go(struct client *client, struct cdp_slice parent, const char *session_id,
                   bool is_waiting)
{
    CLEANUP_FREE char *parent_id = parent.length ? xstrndup(parent.text, parent.length) : NULL;
    json_object_set_new(client->hidden, session_id, json_true());
    if (is_waiting) {
        send_rest(client, session_id, "Runtime.runIfWaitingForDebugger", json_object());
    }
    send_rest(client, parent_id, "Target.detachFromTarget",
              json_pack("{s:s}", "sessionId", session_id));
}

static void on_held_long(void *data)
{
    struct held *held = data;
    struct held **place = &held->client->held;
    while (*place != held) {
        place = &(*place)->next;
    }
    *place = held->next;
    if (held->client->sink) {
        send_rest(held->client, held->session_id, "Runtime.runIfWaitingForDebugger", json_object());
    }
    free(held->session_id);
    free(held);
}

/* Others wait for it, too. */
static void limit_hold(struct client *client, const char *session_id)
{
    struct held *held = xcalloc(1, sizeof(*held));
    held->client = client;
    held->session_id = xstrdup(session_id);
    held->timer = loop_timer_start(client->endpoint->loop, HOLD_MS, on_held_long, held);
    held->next = client->held;
    client->held = held;
}

enum sight { SEEN, UNSEEN, UNDECIDED };

/* Each client is a target of its own that stands for the browser. */
static enum sight look_at(struct client *client, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    if (type && strcmp(type, "browser") == 0) {
        return id && client->self && strcmp(id, client->self) == 0 ? SEEN : UNSEEN;
    }
    if (!id || !scope_sees(client->scope, target) || json_object_get(client->others, id)) {
        return UNSEEN;
    }
    enum owner owner = endpoint_owner(client->view, target);
    if (owner == OWNER_OURS) {
        /* Also when its session has ended: the tab follows. */
        json_object_set_new(client->others, id, json_true());
    }
    return owner == OWNER_OTHER ? SEEN : owner == OWNER_OURS ? UNSEEN : UNDECIDED;
}

static bool sees(struct client *client, const json_t *target)
{
    return look_at(client, target) == SEEN;
}

static bool take_attached(struct client *client, struct cdp_slice parent, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *session_id = json_member_string(params, "sessionId");
    const char *type = json_member_string(target, "type");
    bool is_waiting = json_is_true(json_object_get(params, "waitingForDebugger"));
    if (client->kind == CLIENT_PAGE && !client->is_opened) {
        return false; /* of our own attach */
    }
    if (!session_id) {
        return true;
    }
    if (type && strcmp(type, "browser") == 0) {
        scope_add_browser_session(client->scope, session_id);
    } else if (!sees(client, target)) {
        let_go(client, parent, session_id, is_waiting);
        return false;
    } else if (client->kind == CLIENT_PROFILE && is_waiting) {
        limit_hold(client, session_id);
    }
    if (type && strcmp(type, "page") == 0) {
        json_object_set_new(client->pages, session_id, json_true());
        if (scope_ignores_certificates(client->scope)) {
            ignore_certificates(client, session_id, true);
        }
    }
    return true;
}

static bool take_told(struct client *client, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    bool is_seen = id && (json_object_get(client->told, id) || sees(client, target));
    if (is_seen) {
        json_object_set_new(client->told, id, json_true());
    }
    return is_seen;
}

/* Whether the client receives the event. */
static bool take_target_event(struct client *client, struct cdp_slice method,
                              struct cdp_slice parent, const json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    const char *target_id = json_member_string(params, "targetId");
    if (cdp_slice_equals(method, "Target.attachedToTarget")) {
        return take_attached(client, parent, params);
    }
    if (cdp_slice_equals(method, "Target.detachedFromTarget")) {
        return !session_id || json_object_del(client->hidden, session_id) != 0;
    }
    if (cdp_slice_equals(method, "Target.targetCreated") ||
        cdp_slice_equals(method, "Target.targetInfoChanged")) {
        return take_told(client, json_object_get(params, "targetInfo"));
    }
    if (cdp_slice_equals(method, "Target.targetDestroyed")) {
        if (target_id) {
            json_object_del(client->others, target_id);
        }
        return target_id && json_object_del(client->told, target_id) == 0;
    }
    return !cdp_slice_equals(method, "Target.targetCrashed") ||
           (target_id && json_object_get(client->told, target_id));
}

/* What is delayed about a target that has gone is never told. */
static void forget_delayed(struct client *client, const char *target_id)
{
    struct delayed **place = &client->delayed;
    while (*place) {
        struct delayed *delayed = *place;
        const char *session_id = json_member_string(delayed->params, "sessionId");
        if (strcmp(delayed->target_id, target_id) != 0) {
            place = &delayed->next;
            continue;
        }
        if (session_id && strcmp(delayed->method, "Target.attachedToTarget") == 0) {
            json_object_set_new(client->hidden, session_id, json_true());
        } else if (session_id) {
            json_object_del(client->hidden, session_id);
        }
        *place = delayed->next;
        delayed_destroy(delayed);
    }
}

static struct cdp_slice slice(const char *text)
{
    return (struct cdp_slice){ text, strlen(text) };
}

/* Hands on what is delayed about targets that are known by now. */
static void decide(struct client *client)
{
    json_auto_t *open = json_object(); /* targets that are not */
    struct delayed **place = &client->delayed;
    while (*place) {
        struct delayed *delayed = *place;
        const json_t *target = json_object_get(delayed->params, "targetInfo");
        if (json_object_get(open, delayed->target_id) ||
            (target && !json_object_get(client->told, delayed->target_id) &&
             look_at(client, target) == UNDECIDED)) {
            json_object_set_new(open, delayed->target_id, json_true());
            place = &delayed->next;
            continue;
        }
        struct cdp_slice parent = slice(delayed->parent);
        *place = delayed->next;
        if (take_target_event(client, slice(delayed->method), parent, delayed->params)) {
            char *text = delayed_text(delayed, !cdp_sink_is_front(client->sink, parent));
            on_text(client, text, strlen(text));
        }
        delayed_destroy(delayed);
    }
}

static void on_look(void *data)
{
    struct client *client = data;
    client->delay = NULL;
    decide(client);
    if (client->delayed) {
        client->delay = loop_timer_start(client->endpoint->loop, LOOK_MS, on_look, client);
    }
}

/* Whether the event has to wait until it is known whose its target is. */
static bool is_early(struct client *client, const struct cdp_message *event, json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *session_id = json_member_string(params, "sessionId");
    const char *id = json_member_string(target ? target : params, "targetId");
    if (client->kind != CLIENT_PROFILE) {
        return false;
    }
    if (session_id && !target) { /* of one that was detached */
        id = delayed_target(client->delayed, session_id);
    }
    bool is_delayed = id && delayed_has(client->delayed, id);
    if (is_delayed && cdp_slice_equals(event->method, "Target.targetDestroyed")) {
        forget_delayed(client, id);
        return true;
    }
    if (!is_delayed && (!target || !id || json_object_get(client->told, id) ||
                        look_at(client, target) != UNDECIDED)) {
        return false;
    }
    delayed_add(&client->delayed, id, event->method, event->session_id, params);
    if (!client->delay) {
        client->delay = loop_timer_start(client->endpoint->loop, LOOK_MS, on_look, client);
    }
    return true;
}

static bool take_event(struct client *client, const struct cdp_message *event)
{
    json_auto_t *params =
        json_loadb(event->params.text, event->params.length, JSON_ALLOW_NUL, NULL);
    return !is_early(client, event, params) &&
           take_target_event(client, event->method, event->session_id, params);
}

static bool on_event(void *data, const struct cdp_message *event)
{
    static const char domain[] = "Target.";
    struct client *client = data;
    bool is_hidden =
        json_object_size(client->hidden) > 0 && event->session_id.length > 0 &&
        json_object_getn(client->hidden, event->session_id.text, event->session_id.length);
    bool is_of_target = event->method.length >= sizeof(domain) - 1 &&
                        memcmp(event->method.text, domain, sizeof(domain) - 1) == 0;
    return !is_hidden && (!is_of_target || take_event(client, event));
}

/* A tab of the client: Chrome tells of it before it replies, and so it has to be here. */
static void note_made(struct client *client, const json_t *result)
{
    const char *target_id = json_member_string(result, "targetId");
    if (target_id && client->kind == CLIENT_PROFILE) {
        view_settle(client->view, target_id);
        decide(client);
    }
}

static void ask_again(void *data, const char *text, size_t length)
{
    const struct client *client = data;
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length + 1);
    cdp_sink_send(client->sink, copy, length);
}

/* As endpoint_forbid_downloads(), in a context that the client has made, before the client learns
 * of it. */
static void forbid_downloads(struct client *client, const json_t *reply)
{
    const char *id = json_member_string(json_object_get(reply, "result"), "browserContextId");
    if (id && policy_files(client->endpoint->policy)) {
        send_rest(client, NULL, "Browser.setDownloadBehavior",
                  json_pack("{s:s, s:s}", "behavior", "deny", "browserContextId", id));
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
    if (tag == TAG_ATTACH) {
        on_attached_page(client, reply);
        free(text);
        return;
    }
    if (tag == TAG_SELF) {
        const json_t *info = json_object_get(json_object_get(reply, "result"), "targetInfo");
        client->self = xstrdup(json_member_string(info, "targetId"));
        free(text);
        begin(client);
        return;
    }
    scope_reply(client->scope, tag, reply);
    if (tag == SCOPE_NEW_CONTEXT || tag == SCOPE_OWN_CONTEXT) {
        forbid_downloads(client, reply);
    }
    if (tag == SCOPE_NEW_TARGET) {
        note_made(client, json_object_get(reply, "result"));
    }
    char *shown = reply ? json_dumps(reply, JSON_COMPACT) : NULL;
    if (shown) {
        free(text);
        text = shown;
        length = strlen(shown);
    }
    on_text(client, text, length);
    if (tag == SCOPE_CLOSE && json_object_get(reply, "result")) {
        turn_away(client, CLOSE_DONE, "");
    }
}

static void on_command(void *data, const struct raw_command *command, struct cdp_ruling *ruling)
{
    struct client *client = data;
    const char *session_id;
    const json_t *ignored;
    struct cdp_slice method = command->values[RAW_METHOD];
    bool did_ignore = scope_ignores_certificates(client->scope);
    scope_judge(client->scope, command, ruling);
    bool does_ignore = scope_ignores_certificates(client->scope);
    if (did_ignore != does_ignore) {
        json_object_foreach (client->pages, session_id, ignored) {
            ignore_certificates(client, session_id, does_ignore);
        }
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
    struct client *client = data;
    json_auto_t *target = view_copy_target(client->view, target_id);
    /* One that is not known may be so new that only the client has heard of it. */
    return target && json_object_get(target, "browserContextId") &&
           (!scope_sees(client->scope, target) || endpoint_is_ours(client->view, target));
}

static bool is_shown(void *data, const json_t *target)
{
    return sees(data, target);
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
    if (client->kind == CLIENT_PAGE) {
        CLEANUP_FREE char *rest =
            xasprintf("\"method\":\"Target.attachToTarget\",\"params\":{\"flatten\":true,"
                      "\"targetId\":\"%s\"}",
                      client->target_id);
        cdp_sink_command(client->sink, rest, TAG_ATTACH);
    } else {
        cdp_sink_command(client->sink, "\"method\":\"Target.getTargetInfo\",\"params\":{}",
                         TAG_SELF);
    }
}

/* The first tab of its context. */
static void on_tab(void *data, const json_t *result, const char *why)
{
    struct client *client = data;
    client->is_busy = false;
    if (client->is_gone) {
        end(client);
    } else if (!result) {
        struct br_error err;
        error_set(&err, BR_UNKNOWN_ERROR, "%s", why);
        give_up(client, &err);
    } else {
        join_relay(client);
    }
}

/* Which page each tab has. */
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
        give_up(client, &client->err);
    } else if (client->kind == CLIENT_OWN) {
        client->is_busy = true;
        view_call(
            client->view, "Target.createTarget",
            json_pack("{s:s, s:s}", "url", "about:blank", "browserContextId", client->context_id),
            on_tab, client);
    } else if (client->kind == CLIENT_PROFILE) {
        client->is_busy = true;
        view_learn_tabs(client->view, on_learned, client);
    } else {
        join_relay(client);
    }
}

/* Rules about hosts hold for a client by the way out of its context alone. */
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

/* A page's client has a context already: that of its page. */
static bool enter(struct client *client, struct br_error *err)
{
    struct cdp_endpoint *endpoint = client->endpoint;
    struct browser_life *life = view_life(client->view);
    bool is_own = client->kind == CLIENT_OWN;
    char *id = NULL;
    client->context =
        context_acquire(browser_contexts(endpoint->browser), NULL, is_own, endpoint->policy, err);
    if (!client->context ||
        !context_enter(client->context, life, deadline_in_ms(ENTER_MS), &id, err)) {
        return false;
    }
    if (is_own) {
        client->context_id = id;
        endpoint_forbid_downloads(endpoint, life, id);
    } else {
        targets_join_client(browser_life_targets(life), client, NULL);
        targets_settle(browser_life_targets(life));
        client->is_joined = true;
    }
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
        turn_away(client, has_ended ? CLOSE_RESTART : CLOSE_FAILED, err->message);
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
    if (client->kind == CLIENT_PROFILE) {
        client->context_id = xstrdup(view_profile_context(view));
    }
    client->is_busy = true;
    endpoint_work(client->endpoint, enter_on_worker, client);
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
    client->told = json_object();
    client->others = json_object();
    client->pages = json_object();
    client->hidden = json_object();
    client->captures = captures_create(endpoint->loop, ask_again, client);
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

void client_take(struct cdp_endpoint *endpoint, uint64_t connection, const char *text,
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
    for (struct client *client = endpoint->clients; client; client = client->next) {
        if (client->view == view) {
            turn_away(client, endpoint->is_ending ? CLOSE_GOING_AWAY : CLOSE_RESTART, reason);
        }
    }
}
