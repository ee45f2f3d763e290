#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/http_get.h"
#include "runner/cdp/transport.h"

#include <string.h>

/* Chrome's answer has 400 bytes. */
enum { MAX_ANSWER = 64 * 1024 };

/* Appends the name to the path that the user gave, before its query. */
static bool append_path(struct endpoint *endpoint, const char *name, struct br_error *err)
{
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
 * Uses only the path of the URL that the browser reports. Its host and port are as the browser sees
 * them; for a browser in a container, they differ from the user's.
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
    if (!endpoint_parse(url, &endpoint, err) || !append_path(&endpoint, "/json/version", err)) {
        return NULL;
    }
    if (!endpoint.is_http) {
        error_set(err, BR_INVALID_ACTION, "%s is no http:// address of a browser", endpoint.host);
        return NULL;
    }
    CLEANUP_FREE char *answer =
        http_get(loop, &endpoint, &endpoint_browser, MAX_ANSWER, deadline, err);
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

json_t *transport_list_tabs(struct loop *loop, const char *url, struct deadline deadline,
                            struct br_error *err)
{
    struct endpoint endpoint;
    if (!endpoint_parse(url, &endpoint, err)) {
        return NULL;
    }
    if (!endpoint.is_http) { /* the path is that of its WebSocket */
        endpoint.is_http = true;
        endpoint.path[1] = '\0';
    }
    CLEANUP_FREE char *answer =
        append_path(&endpoint, "/json/list", err)
            ? http_get(loop, &endpoint, &endpoint_browser, MAX_ANSWER, deadline, err)
            : NULL;
    json_t *tabs =
        answer ? json_parse(answer, strlen(answer), "the browser's /json/list", err) : NULL;
    if (tabs && !json_is_array(tabs)) {
        json_decref(tabs);
        error_set(err, BR_DISCONNECTED, "%s is no browser: its /json/list is no list",
                  endpoint.host);
        return NULL;
    }
    return tabs;
}
