#include "runner/net/dial.h"

#include "runner/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dial_init(struct dial *dial, struct loop *loop, const struct server_kind *peer)
{
    dial->loop = loop;
    dial->peer = peer;
    condition_init(&dial->changed);
    pthread_mutex_init(&dial->mutex, NULL);
}

void dial_finish(struct dial *dial)
{
    pthread_cond_destroy(&dial->changed);
    pthread_mutex_destroy(&dial->mutex);
}

struct dial *dial_of(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

void dial_set(struct dial *dial, enum dial_state state, const char *reason)
{
    pthread_mutex_lock(&dial->mutex);
    if (dial->state == DIAL_TRYING) {
        dial->state = state;
        snprintf(dial->reason, sizeof(dial->reason), "%s", reason ? reason : "");
        pthread_cond_broadcast(&dial->changed);
    }
    pthread_mutex_unlock(&dial->mutex);
}

void dial_take_status(struct dial *dial)
{
    pthread_mutex_lock(&dial->mutex);
    dial->status = lws_http_client_http_response(dial->wsi);
    pthread_mutex_unlock(&dial->mutex);
}

void dial_cut(struct dial *dial)
{
    struct lws *wsi = TAKE(dial->wsi);
    if (wsi) {
        lws_set_opaque_user_data(wsi, NULL);
        /* The alternative, LWS_TO_KILL_SYNC, waits for unsent data. */
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
}

static void cut_on_loop(void *data)
{
    dial_cut(data);
}

/* Returns the virtual host of a table of protocols; it lives as long as the loop. */
static struct lws_vhost *get_vhost(struct loop *loop, const struct lws_protocols *protocols)
{
    struct lws_context *context = loop_context(loop);
    struct lws_vhost *vhost = lws_get_vhost_by_name(context, protocols[0].name);
    if (vhost) {
        return vhost;
    }
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .vhost_name = protocols[0].name,
        .protocols = protocols,
        .options = loop_has_tls(loop) ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
        /* Empty; otherwise libwebsockets would use the proxy of $http_proxy even for localhost. */
        .http_proxy_address = "",
#ifdef BROWSER_RUNNER_STATIC
        .client_ssl_ca_filepath = loop_has_tls(loop) ? file_of_certificates() : NULL,
#endif
    };
    return lws_create_vhost(context, &info);
}

struct attempt {
    struct dial *dial;
    const struct server_url *server;
    const struct lws_protocols *protocols;
    const char *http_method;
    const char *address;
    char host[SERVER_URL_MAX_HOST + 10]; /* value of the Host header */
};

static void start_on_loop(void *data)
{
    struct attempt *attempt = data;
    struct dial *dial = attempt->dial;
    int tls_flags = attempt->server->is_tls ? LCCSCF_USE_SSL : 0;
    struct lws_client_connect_info info = {
        .context = loop_context(dial->loop),
        .vhost = get_vhost(dial->loop, attempt->protocols),
        .address = attempt->address,
        .port = attempt->server->port,
        .path = attempt->server->path,
        .host = attempt->host,
        /* No origin, because Chrome refuses clients that send one. */
        .method = attempt->http_method,
        .alpn = "http/1.1",
        /* Following a redirection would resolve its host on the loop thread. */
        .ssl_connection = tls_flags | LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
        .ietf_version_or_minus_one = -1,
        .local_protocol_name = attempt->protocols[0].name,
        .opaque_user_data = dial,
        .pwsi = &dial->wsi,
    };
    if (!info.vhost || !lws_client_connect_via_info(&info)) {
        dial->wsi = NULL;
        dial_set(dial, DIAL_FAILED, "cannot connect");
    }
}

/* Waits for the outcome; returns DIAL_TRYING at the deadline. */
static enum dial_state await(struct dial *dial, struct deadline deadline)
{
    pthread_mutex_lock(&dial->mutex);
    while (dial->state == DIAL_TRYING && condition_wait(&dial->changed, &dial->mutex, deadline)) {
    }
    enum dial_state state = dial->state;
    pthread_mutex_unlock(&dial->mutex);
    return state;
}

static bool explain(const struct dial *dial, const struct server_url *server, struct br_error *err)
{
    const struct server_kind *peer = dial->peer;
    char where[SERVER_URL_MAX_HOST + 10];
    server_url_format_host(server->host, server->port, where, sizeof(where));
    unsigned accepted = server->is_http ? HTTP_STATUS_OK : 101;
    if (dial->status == 0 || dial->status == accepted) {
        error_set(err, BR_DISCONNECTED, "cannot connect to %s at %s: %s", peer->name, where,
                  dial->reason);
        return server->is_tls
                   ? error_hint(err, "is its certificate trusted? SSL_CERT_FILE names further ones")
                   : error_hint(err, "is it running, with %s%u?", peer->start,
                                (unsigned)server->port);
    }
    error_set(err, BR_DISCONNECTED, "%s at %s refuses with HTTP status %u", peer->name, where,
              dial->status);
    if (dial->status == HTTP_STATUS_NOT_FOUND && !server->is_http && peer->has_discovery) {
        error_hint(err, "the path is that of another browser; connect to http://%s to find it",
                   where);
    }
    return false;
}

/* Tries one address with one Host header. */
static enum dial_state try_once(struct attempt *attempt, const char *host, struct deadline deadline)
{
    struct dial *dial = attempt->dial;
    dial->state = DIAL_TRYING;
    dial->status = 0;
    server_url_format_host(host, attempt->server->port, attempt->host, sizeof(attempt->host));
    loop_call(dial->loop, start_on_loop, attempt);
    enum dial_state state = await(dial, deadline);
    if (state != DIAL_DONE) {
        loop_call(dial->loop, cut_on_loop, dial);
    }
    return state;
}

/*
 * Chrome serves only requests whose host is an address or localhost. A proxy in front of it may
 * need the name, so the name is tried first.
 */
static bool needs_address(const struct dial *dial, const struct server_url *server)
{
    return dial->status >= 400 && !server->is_tls && !server->is_numeric &&
           strcmp(server->host, "localhost") != 0;
}

bool dial_run(struct dial *dial, const struct server_url *server,
              const struct lws_protocols *protocols, const char *http_method,
              struct deadline deadline, struct br_error *err)
{
    struct lookup_addresses addresses;
    struct attempt attempt = {
        .dial = dial,
        .server = server,
        .protocols = protocols,
        .http_method = http_method,
    };
    if (server->is_tls && !loop_has_tls(dial->loop)) {
        return error_set(err, BR_INVALID_ACTION,
                         "the address of %s asks for TLS, which is switched off", dial->peer->name);
    }
    if (!server_url_resolve(server, deadline, &addresses, err)) {
        return false;
    }
    enum dial_state state = DIAL_FAILED;
    for (size_t i = 0; i < addresses.count && state == DIAL_FAILED; i++) {
        attempt.address = addresses.items[i];
        state = try_once(&attempt, server->host, deadline);
        if (state == DIAL_FAILED && needs_address(dial, server)) {
            state = try_once(&attempt, attempt.address, deadline);
        }
    }
    if (state == DIAL_DONE) {
        return true;
    }
    if (state == DIAL_FAILED) {
        return explain(dial, server, err);
    }
    return error_set(err, BR_TIMEOUT, "timed out connecting to %s at %s", dial->peer->name,
                     server->host);
}
