#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/dial.h"
#include "runner/cdp/transport.h"

#include <string.h>

/* The answer of Chrome has 400 bytes. */
enum { MAX_ANSWER = 64 * 1024 };

struct request {
    struct dial dial;
    struct strbuf answer; /* of the loop thread while the dial is on its way */
};

static int read_some(struct lws *wsi)
{
    char buf[LWS_PRE + 4096];
    char *at = buf + LWS_PRE;
    int size = sizeof(buf) - LWS_PRE;
    return lws_http_client_read(wsi, &at, &size) < 0 ? -1 : 0;
}

static int take_some(struct request *request, const char *bytes, size_t length)
{
    strbuf_add(&request->answer, bytes, length);
    if (request->answer.overflowed) {
        dial_set(&request->dial, DIAL_FAILED, "its answer is too large");
        return -1;
    }
    return 0;
}

static int take_status(struct dial *dial)
{
    dial_take_status(dial);
    if (dial->status != HTTP_STATUS_OK) {
        dial_set(dial, DIAL_FAILED, "refused");
        return -1;
    }
    return 0;
}

static int on_event(struct request *request, struct lws *wsi, enum lws_callback_reasons reason,
                    void *in, size_t length)
{
    struct dial *dial = &request->dial;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        return take_status(dial);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return read_some(wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return take_some(request, in, length);
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        dial_set(dial, DIAL_DONE, NULL);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        dial_set(dial, DIAL_FAILED, in);
        return 0;
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        dial->wsi = NULL;
        dial_set(dial, DIAL_FAILED, "the server closed the connection");
        return 0;
    default:
        return 0;
    }
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
    (void)user;
    struct dial *dial = wsi ? dial_of(wsi) : NULL;
    if (!dial) {
        return 0;
    }
    return on_event(lws_container_of(dial, struct request, dial), wsi, reason, in, length);
}

static const struct lws_protocols protocols[] = {
    { .name = "cdp-http", .callback = on_http, .rx_buffer_size = 4096 },
    { .name = NULL },
};

static void cut_on_loop(void *data)
{
    dial_cut(data);
}

/* The whole answer to a GET. Caller frees; NULL with the error. */
static char *get(struct loop *loop, const struct endpoint *endpoint, struct deadline deadline,
                 struct br_error *err)
{
    struct request request = { .answer = STRBUF_INIT(MAX_ANSWER) };
    dial_init(&request.dial, loop);
    bool is_done = dial_run(&request.dial, endpoint, protocols, "GET", deadline, err);
    loop_call(loop, cut_on_loop, &request.dial);
    char *answer = is_done ? strbuf_take(&request.answer) : NULL;
    strbuf_finish(&request.answer);
    dial_finish(&request.dial);
    return answer;
}

/* Puts /json/version behind the path that the user gave, in front of its query. */
static bool append_path(struct endpoint *endpoint, struct br_error *err)
{
    static const char name[] = "/json/version";
    char *path_end = endpoint->path + strcspn(endpoint->path, "?");
    size_t query_length = strlen(path_end);
    path_end -= path_end[-1] == '/';
    if ((size_t)(path_end - endpoint->path) + strlen(name) + query_length > ENDPOINT_MAX_PATH) {
        return error_set(err, BR_INVALID_ACTION, "the browser's address is too long");
    }
    char *query = endpoint->path + strcspn(endpoint->path, "?");
    memmove(path_end + strlen(name), query, query_length + 1);
    memcpy(path_end, name, strlen(name));
    return true;
}

/*
 * Of the URL that the browser names only the path is used: its host and port are those that it sees
 * itself, which inside a container are not the user's.
 */
static char *build_url(const struct endpoint *asked, const char *named, struct br_error *err)
{
    struct endpoint found;
    char host[ENDPOINT_MAX_HOST + 10];
    if (!endpoint_parse(named, &found, err)) {
        error_context(err, "the browser's own address");
        return NULL;
    }
    endpoint_format_host(asked->host, asked->port, host, sizeof(host));
    return xasprintf("%s://%s%s", asked->is_tls ? "wss" : "ws", host, found.path);
}

char *transport_websocket_discover(struct loop *loop, const char *url, struct deadline deadline,
                                   struct br_error *err)
{
    struct endpoint endpoint;
    if (!endpoint_parse(url, &endpoint, err) || !append_path(&endpoint, err)) {
        return NULL;
    }
    if (!endpoint.is_http) {
        error_set(err, BR_INVALID_ACTION, "%s is no http:// address of a browser", endpoint.host);
        return NULL;
    }
    CLEANUP_FREE char *answer = get(loop, &endpoint, deadline, err);
    json_auto_t *version =
        answer ? json_parse(answer, strlen(answer), "the browser's /json/version", err) : NULL;
    const char *named = json_member_string(version, "webSocketDebuggerUrl");
    if (named) {
        return build_url(&endpoint, named, err);
    }
    if (version) {
        error_set(err, BR_DISCONNECTED, "%s is no browser: its /json/version names no WebSocket",
                  endpoint.host);
    }
    return NULL;
}
