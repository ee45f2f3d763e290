#include "runner/servers/cdp/endpoint.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/hints/wording.h"
#include "runner/servers/cdp/parts.h"

#include <string.h>

enum {
    START_MS = 30000, /* limit for starting the browser */
    CLOSE_MS = 3000,
    FORBID_MS = 500,                 /* limit for writing a command */
    MAX_MESSAGE = 100 * 1024 * 1024, /* as at Chrome's port */
    MAX_QUEUE = 256 * 1024 * 1024,
    MAX_ID = 128,
};

/* The worker. */

struct piece {
    struct message link;
    void (*run)(void *data);
    void *data;
};

static void free_piece(struct message *message)
{
    free(message);
}

void endpoint_work(struct cdp_endpoint *endpoint, void (*run)(void *data), void *data)
{
    struct piece *piece = xcalloc(1, sizeof(*piece));
    piece->link.destroy = free_piece;
    piece->run = run;
    piece->data = data;
    mailbox_post(endpoint->work, &piece->link);
}

static void *work(void *data)
{
    struct cdp_endpoint *endpoint = data;
    for (;;) {
        struct message *message = mailbox_wait(endpoint->work, deadline_in_ms(INT64_MAX));
        struct piece *piece = (struct piece *)message;
        if (!piece || !piece->run) {
            message_destroy(message);
            return NULL;
        }
        piece->run(piece->data);
        message_destroy(message);
    }
}

void endpoint_hold(struct cdp_endpoint *endpoint)
{
    mutex_lock(&endpoint->mutex);
    endpoint->busy++;
    mutex_unlock(&endpoint->mutex);
}

void endpoint_release(struct cdp_endpoint *endpoint)
{
    mutex_lock(&endpoint->mutex);
    endpoint->busy--;
    pthread_cond_broadcast(&endpoint->changed);
    mutex_unlock(&endpoint->mutex);
}

static enum owner owner_of_page(struct view *view, const json_t *target)
{
    struct targets *targets = browser_life_targets(view_life(view));
    const char *id = json_member_string(target, "targetId");
    const char *opener_id = json_member_string(target, "openerId");
    bool is_making =
        view_is_making(view, target); /* before its owner, who may claim it meanwhile */
    if (id && targets_owner(targets, id, opener_id)) {
        return OWNER_OURS;
    }
    const char *type = json_member_string(target, "type");
    bool is_page = !type || strcmp(type, "page") == 0;
    bool is_open = is_page && id && *id && !opener_id && !view_is_settled(view, id);
    if (is_open && is_making) {
        return OWNER_UNKNOWN;
    }
    if (is_open) {
        view_settle(view, id); /* the next session that creates a tab leaves it as it is */
    }
    return OWNER_OTHER;
}

enum owner endpoint_owner(struct view *view, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    const char *context_id = json_member_string(target, "browserContextId");
    const char *profile_id = view_profile_context(view);
    bool is_tab = id && type && strcmp(type, "tab") == 0;
    if (!is_tab || !context_id || !profile_id || strcmp(context_id, profile_id) != 0) {
        return owner_of_page(view, target);
    }
    const char *page_id = view_page_of(view, id);
    const json_t *page = page_id ? json_object_get(view_targets(view), page_id) : NULL;
    json_auto_t *unlisted = json_pack("{s:s*}", "targetId", page_id);
    return page_id ? owner_of_page(view, page ? page : unlisted) : OWNER_UNKNOWN;
}

bool endpoint_is_ours(struct view *view, const json_t *target)
{
    return endpoint_owner(view, target) != OWNER_OTHER;
}

/* The browser. */

struct start {
    struct cdp_endpoint *endpoint;
    struct view *view; /* NULL with the error */
    struct br_error err;
};

static void call_waiters(struct waiter *waiter, struct view *view, const struct br_error *err)
{
    while (waiter) {
        struct waiter *next = waiter->next;
        waiter->on_view(waiter, view, err);
        waiter = next;
    }
}

static void on_ready(void *data)
{
    struct cdp_endpoint *endpoint = data;
    endpoint->is_ready = true;
    call_waiters(TAKE(endpoint->waiters), endpoint->view, NULL);
}

static void fail_waiters(struct cdp_endpoint *endpoint, struct waiter *waiters,
                         const struct br_error *err)
{
    struct br_error worded = *err;
    wording_error(browser_options(endpoint->browser)->wording, &worded);
    call_waiters(waiters, NULL, &worded);
}

static void release_on_worker(void *data)
{
    view_release(data);
}

void endpoint_release_view(struct cdp_endpoint *endpoint, struct view *view)
{
    endpoint_work(endpoint, release_on_worker, view);
}

static void end_view_on_worker(void *data)
{
    endpoint_release(data);
}

static void on_released(void *data, struct view *view)
{
    endpoint_work(data, release_on_worker, view);
    endpoint_work(data, end_view_on_worker, data);
}

/* A life of the browser that has ended, until clients and waiters have received the reason. */
struct loss {
    struct cdp_endpoint *endpoint;
    struct view *view;
    struct waiter *waiters;
    struct br_error err;
};

static void on_explained(void *data)
{
    struct loss *loss = data;
    struct cdp_endpoint *endpoint = loss->endpoint;
    client_lose_all(endpoint, loss->view, loss->err.message);
    fail_waiters(endpoint, loss->waiters, &loss->err);
    endpoint_release_view(endpoint, loss->view);
    free(loss);
    endpoint_release(endpoint);
}

static void explain_on_worker(void *data)
{
    struct loss *loss = data;
    browser_life_explain(view_life(loss->view), &loss->err);
    loop_post(loss->endpoint->loop, on_explained, loss);
}

static void leave_view(struct cdp_endpoint *endpoint, const char *reason)
{
    if (!endpoint->view) {
        return;
    }
    struct loss *loss = xcalloc(1, sizeof(*loss));
    loss->endpoint = endpoint;
    loss->view = TAKE(endpoint->view);
    loss->waiters = TAKE(endpoint->waiters);
    error_set(&loss->err, BR_DISCONNECTED, "%s", reason);
    endpoint->is_ready = false;
    free(TAKE(endpoint->http_context_id));
    endpoint->has_http_tab = false;
    view_unwatch(loss->view);
    endpoint_hold(endpoint);
    if (endpoint->is_ending) {
        on_explained(loss);
    } else {
        endpoint_work(endpoint, explain_on_worker, loss);
    }
}

static void on_lost(void *data, const char *reason)
{
    leave_view(data, reason);
}

static void on_started(void *data)
{
    struct start *start = data;
    struct cdp_endpoint *endpoint = start->endpoint;
    const struct view_handler handler = {
        .on_ready = on_ready,
        .on_lost = on_lost,
        .on_released = on_released,
        .data = endpoint,
    };
    endpoint->is_starting = false;
    if (start->view && endpoint->is_ending) {
        endpoint_work(endpoint, release_on_worker, TAKE(start->view));
        error_set(&start->err, BR_DISCONNECTED, "the server ends");
    }
    if (start->view) {
        endpoint->view = start->view;
        endpoint_hold(endpoint); /* until the watcher is released */
        view_watch(start->view, &handler);
    } else {
        fail_waiters(endpoint, TAKE(endpoint->waiters), &start->err);
    }
    endpoint_release(endpoint);
    free(start);
}

void endpoint_forbid_downloads(struct cdp_endpoint *endpoint, struct browser_life *life,
                               const char *context_id)
{
    struct br_error ignored;
    if (policy_files(endpoint->policy)) {
        cdp_connection_send(
            browser_life_connection(life), NULL, NULL, "Browser.setDownloadBehavior",
            json_pack("{s:s, s:s*}", "behavior", "deny", "browserContextId", context_id),
            deadline_in_ms(FORBID_MS), &ignored);
    }
}

/* Leaves the profile's downloads alone if one of our own sessions has set them. */
static void forbid_profile_downloads(struct cdp_endpoint *endpoint, struct browser_life *life)
{
    CLEANUP_FREE char *present = NULL;
    struct targets *targets = browser_life_targets(life);
    targets_join_client(targets, endpoint, NULL);
    targets_take_downloads(targets, endpoint, NULL, &present);
    targets_leave(targets, endpoint);
    if (!present) {
        endpoint_forbid_downloads(endpoint, life, NULL);
    }
}

static void start_on_worker(void *data)
{
    struct start *start = data;
    struct cdp_endpoint *endpoint = start->endpoint;
    struct browser_life *life =
        browser_ensure(endpoint->browser, 0, NULL, deadline_in_ms(START_MS), &start->err);
    if (life) {
        forbid_profile_downloads(endpoint, life);
        start->view = view_create(life, endpoint->loop);
    }
    loop_post(endpoint->loop, on_started, start);
}

/* The process may have ended while its pipe is still open. */
static void leave_ended_view(struct cdp_endpoint *endpoint)
{
    struct browser_life *life = endpoint->view ? view_life(endpoint->view) : NULL;
    if (life) {
        browser_life_check(life);
    }
    if (life && !browser_life_is_open(life)) {
        leave_view(endpoint, "the browser has ended");
    }
}

void endpoint_await(struct cdp_endpoint *endpoint, struct waiter *waiter)
{
    leave_ended_view(endpoint);
    if (endpoint->is_ready) {
        waiter->on_view(waiter, endpoint->view, NULL);
        return;
    }
    waiter->next = endpoint->waiters;
    endpoint->waiters = waiter;
    if (!endpoint->view && !endpoint->is_starting) {
        struct start *start = xcalloc(1, sizeof(*start));
        endpoint->is_starting = true;
        endpoint_hold(endpoint);
        start->endpoint = endpoint;
        endpoint_work(endpoint, start_on_worker, start);
    }
}

/* Connections. */

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether it has the form of Chrome's ids. */
static bool is_target_id(const char *id)
{
    static const char known[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";
    return *id && strlen(id) <= MAX_ID && !id[strspn(id, known)];
}

static bool is_open_page(struct cdp_endpoint *endpoint, const char *id)
{
    const json_t *target = endpoint->is_ready && is_target_id(id)
                               ? json_object_get(view_targets(endpoint->view), id)
                               : NULL;
    return target && !endpoint_is_ours(endpoint->view, target);
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    static const char browser[] = "/devtools/browser";
    static const char page[] = "/devtools/page/";
    struct cdp_endpoint *endpoint = data;
    char context[16] = "";
    net_query_param(peer->query, "context", context, sizeof(context));
    bool is_profile = strcmp(context, "profile") == 0;
    const char *behind = peer->path + strlen(browser);
    if (endpoint->is_ending || (*context && !is_profile)) {
        return false;
    }
    if (has_prefix(peer->path, browser) && (*behind == '\0' || *behind == '/')) {
        client_open(endpoint, id, peer, is_profile ? CLIENT_PROFILE : CLIENT_OWN, NULL);
        return true;
    }
    const char *target_id = peer->path + strlen(page);
    if (has_prefix(peer->path, page) && is_open_page(endpoint, target_id)) {
        client_open(endpoint, id, peer, CLIENT_PAGE, target_id);
        return true;
    }
    return false;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    client_receive(data, id, text, length);
}

static void on_closed(void *data, uint64_t id)
{
    client_close(data, id);
}

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    http_answer(data, request, answer);
}

/* Beginning and end. */

static void stop_worker(struct cdp_endpoint *endpoint)
{
    endpoint_work(endpoint, NULL, NULL);
    pthread_join(endpoint->worker, NULL);
}

static void free_endpoint(struct cdp_endpoint *endpoint)
{
    sessions_return_browser(endpoint->options.sessions, endpoint->browser);
    policy_destroy(endpoint->policy);
    trail_close(endpoint->trail);
    mailbox_destroy(endpoint->work);
    free(endpoint->http_context_id);
    free(endpoint->protocol);
    free(endpoint->protocol_version);
    pthread_cond_destroy(&endpoint->changed);
    pthread_mutex_destroy(&endpoint->mutex);
    free(endpoint);
}

/*
 * Acquires the profile's context for the endpoint's whole life: its way out has to exist when the
 * browser is launched.
 */
static bool take_contexts(struct cdp_endpoint *endpoint, struct br_error *err)
{
    struct contexts *contexts = browser_contexts(endpoint->browser);
    endpoint->profile_context = context_acquire(contexts, NULL, false, endpoint->policy, err);
    endpoint->http_context = endpoint->profile_context
                                 ? context_acquire(contexts, "cdp", false, endpoint->policy, err)
                                 : NULL;
    return endpoint->http_context;
}

static bool listen_on(struct cdp_endpoint *endpoint, struct br_error *err)
{
    struct net_listener_options listener = endpoint->options.listener;
    listener.name = "cdp";
    listener.framing = NET_WEBSOCKET;
    listener.limits.max_message = MAX_MESSAGE;
    listener.limits.max_queue = MAX_QUEUE;
    listener.limits.ping_ms =
        0; /* a client that is stopped in a debugger does not reply to a ping */
    listener.handler = (struct net_handler){
        .data = endpoint,
        .on_open = on_open,
        .on_message = on_message,
        .on_closed = on_closed,
        .on_request = on_request,
    };
    listener.ret_listener = &endpoint->listener;
    return net_listen(endpoint->loop, &listener, err);
}

static void leave_on_loop(void *data)
{
    struct cdp_endpoint *endpoint = data;
    endpoint->is_ending = true;
    leave_view(endpoint, "the server ends");
}

static void release_contexts(struct cdp_endpoint *endpoint)
{
    context_release(endpoint->http_context, endpoint->policy);
    context_release(endpoint->profile_context, endpoint->policy);
}

/* The SOCKS server does not see the scheme of a page's request. */
static bool check_rules(const struct policy *policy, struct br_error *err)
{
    if (policy_allows_web(policy)) {
        return true;
    }
    error_set(
        err, BR_INVALID_ACTION,
        "--schemes without http or https cannot be held for clients of --cdp: what their pages "
        "request is judged by host and port");
    return error_hint(err, "name both, and limit hosts and ports by --allow, such as https://*");
}

static bool open_trail(struct cdp_endpoint *endpoint, struct br_error *err)
{
    const struct cdp_endpoint_options *options = &endpoint->options;
    endpoint->trail =
        options->audit ? trail_open(options->audit, options->on_warning, options->data, err) : NULL;
    return !options->audit || endpoint->trail;
}

struct cdp_endpoint *cdp_endpoint_start(struct loop *loop,
                                        const struct cdp_endpoint_options *options,
                                        struct br_error *err)
{
    struct cdp_endpoint *endpoint = xcalloc(1, sizeof(*endpoint));
    endpoint->options = *options;
    endpoint->loop = loop;
    endpoint->work = mailbox_create(0);
    pthread_mutex_init(&endpoint->mutex, NULL);
    condition_init(&endpoint->changed);
    bool is_ready =
        policy_create(&options->policy, &endpoint->policy, err) && open_trail(endpoint, err);
    endpoint->browser = is_ready ? sessions_take_browser(options->sessions, &options->browser,
                                                         &options->policy, err)
                                 : NULL;
    is_ready =
        endpoint->browser && check_rules(endpoint->policy, err) && take_contexts(endpoint, err);
    int failure = is_ready ? thread_start(&endpoint->worker, work, endpoint) : 0;
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server's thread");
    } else if (is_ready && listen_on(endpoint, err)) {
        return endpoint;
    } else if (is_ready) {
        stop_worker(endpoint);
    }
    if (endpoint->browser) {
        release_contexts(endpoint);
    }
    free_endpoint(endpoint);
    return NULL;
}

struct net_listener *cdp_endpoint_listener(struct cdp_endpoint *endpoint)
{
    return endpoint->listener;
}

void cdp_endpoint_stop(struct cdp_endpoint *endpoint)
{
    if (!endpoint) {
        return;
    }
    loop_call(endpoint->loop, leave_on_loop, endpoint);
    net_listener_close(endpoint->listener, CLOSE_MS);
    mutex_lock(&endpoint->mutex);
    while (endpoint->busy > 0) {
        pthread_cond_wait(&endpoint->changed, &endpoint->mutex);
    }
    mutex_unlock(&endpoint->mutex);
    stop_worker(endpoint);
    loop_flush(endpoint->loop);
    release_contexts(endpoint);
    free_endpoint(endpoint);
}
