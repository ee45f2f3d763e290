#include "runner/servers/cdp/server.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/servers/cdp/endpoint.h"

#include <string.h>

enum {
    CLOSE_MS = 3000,
    MAX_MESSAGE = 100 * 1024 * 1024, /* as at Chrome's port */
    MAX_QUEUE = 256 * 1024 * 1024,
    MAX_ID = 128,
};

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
    discovery_answer(data, request, answer);
}

/* Beginning and end. */

static void free_endpoint(struct cdp_endpoint *endpoint)
{
    browsers_return(sessions_browsers(endpoint->options.sessions), endpoint->browser);
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
    own_context_leave(endpoint, NULL);
    endpoint_leave_view(endpoint, "the server ends");
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
    endpoint->on_lost = client_lose_all;
    endpoint->work = mailbox_create(0);
    pthread_mutex_init(&endpoint->mutex, NULL);
    condition_init(&endpoint->changed);
    bool is_ready =
        policy_create(&options->policy, &endpoint->policy, err) && open_trail(endpoint, err);
    endpoint->browser = is_ready ? browsers_take(sessions_browsers(options->sessions),
                                                 &options->browser, &options->policy, err)
                                 : NULL;
    is_ready =
        endpoint->browser && check_rules(endpoint->policy, err) && take_contexts(endpoint, err);
    if (is_ready && endpoint_begin_work(endpoint, err)) {
        if (listen_on(endpoint, err)) {
            return endpoint;
        }
        endpoint_end_work(endpoint);
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
    endpoint_end_work(endpoint);
    loop_flush(endpoint->loop);
    release_contexts(endpoint);
    free_endpoint(endpoint);
}
