#include "runner/net/request.h"

#include <string.h>
#include <strings.h>

/* RFC 6455, 4.1: 16 bytes in base64. */
enum { KEY_LENGTH = 24 };

static const struct {
    const char *name;
    enum lws_token_indexes token;
} methods[] = {
    { "GET", WSI_TOKEN_GET_URI },         { "HEAD", WSI_TOKEN_HEAD_URI },
    { "POST", WSI_TOKEN_POST_URI },       { "PUT", WSI_TOKEN_PUT_URI },
    { "DELETE", WSI_TOKEN_DELETE_URI },   { "PATCH", WSI_TOKEN_PATCH_URI },
    { "OPTIONS", WSI_TOKEN_OPTIONS_URI },
};

/*
 * Copies the whole value of a header; NULL if it was not sent. The values of a header that was sent
 * twice are joined by a comma. Returns false if the value contains a NUL or cannot be read.
 */
static bool read_header(struct lws *wsi, enum lws_token_indexes token, char **ret_value)
{
    int length = lws_hdr_total_length(wsi, token);
    *ret_value = NULL;
    if (length <= 0) {
        return true;
    }
    char *value = xcalloc(1, (size_t)length + 1);
    if (lws_hdr_copy(wsi, value, length + 1, token) < 0 || strlen(value) != (size_t)length) {
        free(value);
        return false;
    }
    *ret_value = value;
    return true;
}

static bool header_is(struct lws *wsi, enum lws_token_indexes token, const char *expected)
{
    CLEANUP_FREE char *value = NULL;
    return read_header(wsi, token, &value) && value && strcasecmp(value, expected) == 0;
}

static bool read_target(struct request *request, struct lws *wsi)
{
    request->method = "";
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (lws_hdr_total_length(wsi, methods[i].token) > 0) {
            request->method = methods[i].name;
            return read_header(wsi, methods[i].token, &request->path) && request->path[0] == '/';
        }
    }
    return false;
}

/* Collects the parameters, which libwebsockets has decoded individually. */
static void read_query(struct request *request, struct lws *wsi, char **ret_token)
{
    int length = 0;
    for (int i = 0; (length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i)) > 0; i++) {
        CLEANUP_FREE char *parameter = xcalloc(1, (size_t)length + 1);
        if (lws_hdr_copy_fragment(wsi, parameter, length + 1, WSI_TOKEN_HTTP_URI_ARGS, i) < 0) {
            return;
        }
        const char *token = gate_add_parameter(&request->query, parameter);
        if (token && !*ret_token) {
            *ret_token = xstrdup(token);
        }
    }
}

static bool read_token(struct request *request, struct lws *wsi, const struct gate *gate)
{
    CLEANUP_FREE char *token = NULL;
    CLEANUP_FREE char *authorization = NULL;
    read_query(request, wsi, &token);
    if (!read_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &authorization)) {
        return false;
    }
    const char *bearer = authorization ? gate_bearer(authorization) : NULL;
    const char *given = bearer ? bearer : token;
    request->has_token = gate_allows_token(gate, given);
    request->token = request->has_token && gate->tokens[0] ? xstrdup(given) : NULL;
    request->leaves_token = gate->leaves_token;
    return true;
}

bool request_read(struct request *request, struct lws *wsi, const struct gate *gate,
                  struct request_refusal *ret_refusal)
{
    *request = (struct request){ .query = STRBUF_INIT(STRBUF_UNCAPPED),
                                 .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    if (!read_header(wsi, WSI_TOKEN_HOST, &request->host) || !request->host ||
        !gate_allows_host(gate, request->host)) {
        *ret_refusal = (struct request_refusal){
            403, "The Host header is neither an address nor localhost nor an allowed host.", ""
        };
        return false;
    }
    request->has_chunks = header_is(wsi, WSI_TOKEN_HTTP, "HTTP/1.1");
    bool is_read = read_header(wsi, WSI_TOKEN_ORIGIN, &request->origin);
    request->is_origin_allowed =
        is_read && (!request->origin || gate_allows_origin(gate, request->origin));
    if (!is_read || !read_target(request, wsi) || !read_token(request, wsi, gate)) {
        *ret_refusal = (struct request_refusal){ 400, "This is not a valid request.", "" };
        return false;
    }
    return true;
}

void request_finish(struct request *request)
{
    free(request->path);
    free(request->host);
    free(request->origin);
    free(request->token);
    strbuf_finish(&request->query);
    strbuf_finish(&request->body);
    for (size_t i = 0; i < NET_MAX_HEADERS; i++) {
        free(request->headers[i]);
    }
}

/* Returns libwebsockets' token of a header that it knows; it keeps the others by their names. */
static bool find_token(const char *name, enum lws_token_indexes *ret_token)
{
    for (int i = 0; i < WSI_TOKEN_COUNT; i++) {
        const unsigned char *known = lws_token_to_string((enum lws_token_indexes)i);
        if (known && strcmp((const char *)known, name) == 0) {
            *ret_token = (enum lws_token_indexes)i;
            return true;
        }
    }
    return false;
}

/* As read_header(), by the name. */
static bool read_named(struct lws *wsi, const char *name, char **ret_value)
{
    enum lws_token_indexes token;
    int name_length = (int)strlen(name);
    if (find_token(name, &token)) {
        return read_header(wsi, token, ret_value);
    }
    int length = lws_hdr_custom_length(wsi, name, name_length);
    if (length < 0) {
        return true;
    }
    *ret_value = xcalloc(1, (size_t)length + 1);
    return lws_hdr_custom_copy(wsi, *ret_value, length + 1, name, name_length) >= 0 &&
           strlen(*ret_value) == (size_t)length;
}

bool request_read_headers(struct request *request, struct lws *wsi, const char *const *names)
{
    for (size_t i = 0; names && names[i]; i++) {
        if (!read_named(wsi, names[i], &request->headers[i])) {
            return false;
        }
        char *value = request->headers[i];
        if (!value) {
            continue;
        }
        /* RFC 9110, 5.5: white space around a value is not part of it. */
        size_t start = strspn(value, " \t");
        size_t end = strlen(value);
        while (end > start && strchr(" \t", value[end - 1])) {
            end--;
        }
        memmove(value, value + start, end - start);
        value[end - start] = '\0';
    }
    return true;
}

int64_t request_body_length(struct lws *wsi)
{
    CLEANUP_FREE char *text = NULL;
    char *end = NULL;
    if (!read_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &text)) {
        return -1;
    }
    if (!text) {
        return header_is(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING, "chunked") ? -1 : 0;
    }
    long long length = strtoll(text, &end, 10);
    return end == text || *end || length < 0 ? -1 : length;
}

struct request_refusal request_refuse_origin(void)
{
    return (struct request_refusal){ 403, "The Origin header names a page that is not allowed.",
                                     "" };
}

static struct request_refusal refuse_token(void)
{
    return (struct request_refusal){
        401,
        "The token is missing or wrong: send \"Authorization: Bearer TOKEN\", or ?token=TOKEN.",
        "WWW-Authenticate: Bearer\r\n"
    };
}

bool request_is_safe(const struct request *request)
{
    return strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
}

static bool has_connection_upgrade(struct lws *wsi)
{
    CLEANUP_FREE char *value = NULL;
    return read_header(wsi, WSI_TOKEN_CONNECTION, &value) && value && strcasestr(value, "upgrade");
}

static bool has_key(struct lws *wsi)
{
    CLEANUP_FREE char *key = NULL;
    return read_header(wsi, WSI_TOKEN_KEY, &key) && key && strlen(key) == KEY_LENGTH;
}

bool request_allows_upgrade(const struct request *request, struct lws *wsi, const char *protocol,
                            struct request_refusal *ret_refusal)
{
    *ret_refusal = (struct request_refusal){ 0 };
    if (!request->is_origin_allowed) {
        *ret_refusal = request_refuse_origin();
    } else if (!request->has_token && !request->leaves_token) {
        *ret_refusal = refuse_token();
    } else if (strcasecmp(protocol, "websocket") != 0) {
        *ret_refusal =
            (struct request_refusal){ 403, "Only an upgrade to WebSocket is possible.", "" };
    } else if (!header_is(wsi, WSI_TOKEN_VERSION, "13")) {
        *ret_refusal = (struct request_refusal){ 426, "Use version 13 of WebSocket.",
                                                 "Sec-WebSocket-Version: 13\r\n" };
    } else if (strcmp(request->method, "GET") != 0 || !has_key(wsi) ||
               !has_connection_upgrade(wsi)) {
        *ret_refusal =
            (struct request_refusal){ 400, "This is not a valid WebSocket handshake.", "" };
    } else if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0) {
        *ret_refusal = (struct request_refusal){
            400, "There are no subprotocols: omit Sec-WebSocket-Protocol.", ""
        };
    }
    return ret_refusal->status == 0;
}

bool request_allows_answer(const struct request *request, bool needs_token,
                           struct request_refusal *ret_refusal)
{
    *ret_refusal = (struct request_refusal){ 0 };
    if (!request->is_origin_allowed && !request_is_safe(request)) {
        *ret_refusal = request_refuse_origin();
    } else if (needs_token && !request->has_token) {
        *ret_refusal = refuse_token();
    }
    return ret_refusal->status == 0;
}
