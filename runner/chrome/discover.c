#include "runner/chrome/discover.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/net/http.h"

#include <string.h>

/* Chrome's answer has 400 bytes. */
enum { MAX_ANSWER = 64 * 1024 };

const struct server_kind discover_browser = {
    .name = "the browser",
    .start = "--remote-debugging-port=",
    .has_discovery = true,
};

/* Appends the name to the path that the user gave, before its query. */
static bool append_path(struct server_url *server, const char *name, struct br_error *err)
{
    char *path_end = server->path + strcspn(server->path, "?");
    size_t query_length = strlen(path_end);
    path_end -= path_end[-1] == '/';
    if ((size_t)(path_end - server->path) + strlen(name) + query_length > SERVER_URL_MAX_PATH) {
        return error_set(err, BR_INVALID_ACTION, "the browser's address is too long");
    }
    char *query = server->path + strcspn(server->path, "?");
    memmove(path_end + strlen(name), query, query_length + 1);
    memcpy(path_end, name, strlen(name));
    return true;
}

/*
 * Uses only the path of the URL that the browser reports. Its host and port are as the browser sees
 * them; for a browser in a container, they differ from the user's.
 */
static char *build_url(const struct server_url *asked, const char *named, struct br_error *err)
{
    struct server_url found;
    char host[SERVER_URL_MAX_HOST + 10];
    if (!server_url_parse(named, &found, err)) {
        error_context(err, "the browser's own address");
        return NULL;
    }
    server_url_format_host(asked->host, asked->port, host, sizeof(host));
    return xasprintf("%s://%s%s", asked->is_tls ? "wss" : "ws", host, found.path);
}

char *discover_websocket(struct loop *loop, const char *url, struct deadline deadline,
                         struct br_error *err)
{
    struct server_url server;
    if (!server_url_parse(url, &server, err) || !append_path(&server, "/json/version", err)) {
        return NULL;
    }
    if (!server.is_http) {
        error_set(err, BR_INVALID_ACTION, "%s is no http:// address of a browser", server.host);
        return NULL;
    }
    CLEANUP_FREE char *answer =
        http_get(loop, &server, &discover_browser, MAX_ANSWER, deadline, err);
    json_auto_t *version =
        answer ? json_parse(answer, strlen(answer), "the browser's /json/version", err) : NULL;
    const char *named = json_member_string(version, "webSocketDebuggerUrl");
    if (named) {
        return build_url(&server, named, err);
    }
    if (version) {
        error_set(err, BR_DISCONNECTED, "%s is no browser: its /json/version names no WebSocket",
                  server.host);
    }
    return NULL;
}

json_t *discover_tabs(struct loop *loop, const char *url, struct deadline deadline,
                      struct br_error *err)
{
    struct server_url server;
    if (!server_url_parse(url, &server, err)) {
        return NULL;
    }
    if (!server.is_http) { /* the path is that of its WebSocket */
        server.is_http = true;
        server.path[1] = '\0';
    }
    CLEANUP_FREE char *answer =
        append_path(&server, "/json/list", err)
            ? http_get(loop, &server, &discover_browser, MAX_ANSWER, deadline, err)
            : NULL;
    json_t *tabs =
        answer ? json_parse(answer, strlen(answer), "the browser's /json/list", err) : NULL;
    if (tabs && !json_is_array(tabs)) {
        json_decref(tabs);
        error_set(err, BR_DISCONNECTED, "%s is no browser: its /json/list is no list", server.host);
        return NULL;
    }
    return tabs;
}
