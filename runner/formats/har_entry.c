#include "runner/formats/har.h"

#include "runner/base/json.h"
#include "runner/base/rfc3339.h"
#include "runner/base/strbuf.h"
#include "runner/formats/response_json.h"
#include "runner/privacy/mask.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

json_t *har_time(int64_t timestamp_ms)
{
    char text[RFC3339_SIZE];
    rfc3339_format(timestamp_ms, true, text);
    return json_string(text);
}

static json_t *text_or_empty(const char *text)
{
    return json_text(text ? text : "");
}

/* Returns a text with URLs in it, masked unless secrets are kept. */
static json_t *shown_text(const char *text, bool is_url, bool keeps_secrets)
{
    CLEANUP_FREE char *shown = keeps_secrets ? NULL : mask_urls_copy(text, is_url);
    return text_or_empty(shown ? shown : text);
}

json_t *har_url(const char *url, bool keeps_secrets)
{
    return shown_text(url, true, keeps_secrets);
}

static json_t *headers_json(const struct br_header *headers, size_t count, bool keeps_secrets)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const char *value = headers[i].value;
        bool is_path = *value == '/'; /* the value of Location, or of :path */
        bool is_hidden = !keeps_secrets && mask_is_secret_name(headers[i].name);
        json_array_append_new(array,
                              json_pack("{s:o, s:o}", "name", json_text(headers[i].name), "value",
                                        is_hidden ? json_text(mask_text)
                                                  : shown_text(value, is_path, keeps_secrets)));
    }
    return array;
}

static const char *header_of(const struct br_header *headers, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(headers[i].name, name) == 0) {
            return headers[i].value;
        }
    }
    return NULL;
}

static int hex_digit(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
}

/* Decodes a name or value of a query: + is a space, %XX a byte. */
static json_t *query_text(const char *text, size_t length)
{
    CLEANUP_STRBUF struct strbuf plain = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < length; i++) {
        char character = text[i] == '+' ? ' ' : text[i];
        if (text[i] == '%' && i + 2 < length && isxdigit((unsigned char)text[i + 1]) &&
            isxdigit((unsigned char)text[i + 2])) {
            character = (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        }
        if (character) {
            strbuf_add(&plain, &character, 1);
        }
    }
    return json_text(plain.data);
}

static json_t *query_json(const char *url)
{
    json_t *array = json_array();
    const char *at = url ? strchr(url, '?') : NULL;
    size_t length = at ? strcspn(at, "#") : 0;
    const char *end = at ? at + length : NULL;
    while (at && ++at < end) {
        size_t pair = strcspn(at, "&#");
        const char *equals = memchr(at, '=', pair);
        size_t name = equals ? (size_t)(equals - at) : pair;
        size_t value = equals ? pair - name - 1 : 0;
        if (pair > 0) {
            json_array_append_new(array,
                                  json_pack("{s:o, s:o}", "name", query_text(at, name), "value",
                                            query_text(equals ? equals + 1 : at, value)));
        }
        at += pair;
    }
    return array;
}

/* Keeps "h2"; writes "http/1.1" as in a status line. */
static json_t *version_json(const char *protocol)
{
    CLEANUP_FREE char *name = xstrdup(protocol ? protocol : "");
    for (char *at = name; strncasecmp(name, "http/", 5) == 0 && *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    return json_text(name);
}

static json_t *post_data_json(const struct br_network_event *event, bool keeps_secrets)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *type =
        header_of(event->request_headers, event->request_header_count, "content-type");
    if (!event->post_data) {
        return NULL;
    }
    if (keeps_secrets) {
        strbuf_add_string(&shown, event->post_data);
    } else {
        mask_posted(&shown, event->post_data);
    }
    return json_pack("{s:o, s:[], s:o}", "mimeType", text_or_empty(type), "params", "text",
                     json_text(shown.data));
}

static json_t *request_json(const struct br_network_event *event, bool keeps_secrets)
{
    json_t *url = shown_text(event->url, true, keeps_secrets);
    return json_pack(
        "{s:o, s:o, s:o, s:[], s:o, s:o, s:i, s:I, s:o*}", "method", text_or_empty(event->method),
        "url", url, "httpVersion", version_json(event->protocol), "cookies", "headers",
        headers_json(event->request_headers, event->request_header_count, keeps_secrets),
        "queryString", query_json(json_string_value(url)), "headersSize", -1, "bodySize",
        (json_int_t)event->request_bytes, "postData", post_data_json(event, keeps_secrets));
}

static json_t *content_json(const struct br_network_event *event)
{
    const char *comment = event->is_body_cut ? "the first 4 KB" : event->body_omitted;
    int64_t size = event->decoded_bytes > 0 ? event->decoded_bytes : 0;
    return json_pack("{s:I, s:o, s:o*, s:o*}", "size", (json_int_t)size, "mimeType",
                     json_text(event->mime_type ? event->mime_type : "x-unknown"), "text",
                     event->body ? json_text(event->body) : NULL, "comment",
                     comment ? json_text(comment) : NULL);
}

static json_t *response_part_json(const struct br_network_event *event, bool keeps_secrets)
{
    const char *location =
        event->redirected_to
            ? event->redirected_to
            : header_of(event->response_headers, event->response_header_count, "location");
    return json_pack(
        "{s:i, s:o, s:o, s:[], s:o, s:o, s:o, s:i, s:i, s:o*, s:o*}", "status", event->status,
        "statusText", text_or_empty(event->status_text), "httpVersion",
        version_json(event->protocol), "cookies", "headers",
        headers_json(event->response_headers, event->response_header_count, keeps_secrets),
        "content", content_json(event), "redirectURL", shown_text(location, true, keeps_secrets),
        "headersSize", -1, "bodySize", event->is_from_cache ? 0 : -1, "_transferSize",
        event->response_bytes >= 0 ? json_integer(event->response_bytes) : NULL, "_error",
        event->error ? json_text(event->error) : NULL);
}

static json_t *milliseconds(double value)
{
    return json_number(value >= 0 ? value : -1, 1000);
}

/*
 * HAR's required timings cannot be unknown: if no parts are known, all of the time counts as
 * waiting.
 */
static json_t *timings_json(const struct br_network_event *event, double *ret_total_ms)
{
    const struct br_network_timings *known = &event->timings;
    bool is_known = known->wait_ms >= 0;
    double wait_ms = is_known ? known->wait_ms : event->duration_ms > 0 ? event->duration_ms : 0;
    double send_ms = known->send_ms >= 0 ? known->send_ms : 0;
    double receive_ms = known->receive_ms >= 0 ? known->receive_ms : 0;
    double optional[] = { known->blocked_ms, known->dns_ms, known->connect_ms };
    *ret_total_ms = wait_ms + send_ms + receive_ms;
    for (size_t i = 0; i < 3; i++) {
        optional[i] = is_known ? optional[i] : -1;
        *ret_total_ms += optional[i] > 0 ? optional[i] : 0;
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "blocked", milliseconds(optional[0]),
                     "dns", milliseconds(optional[1]), "connect", milliseconds(optional[2]), "ssl",
                     milliseconds(is_known ? known->tls_ms : -1), "send", milliseconds(send_ms),
                     "wait", milliseconds(wait_ms), "receive", milliseconds(receive_ms));
}

/* Returns the address without its port; NULL if there is none. */
static json_t *address_json(const char *address)
{
    const char *port = address ? strrchr(address, ':') : NULL;
    if (!port) {
        return NULL;
    }
    bool is_v6 = *address == '[';
    CLEANUP_FREE char *text = xstrndup(address + is_v6, (size_t)(port - address) - (is_v6 ? 2 : 0));
    return json_text(text);
}

static json_t *initiator_json(const struct br_network_event *event, bool keeps_secrets)
{
    return event->initiator_type
               ? json_pack("{s:o, s:o*, s:o*}", "type", json_text(event->initiator_type), "url",
                           event->initiator_url
                               ? shown_text(event->initiator_url, true, keeps_secrets)
                               : NULL,
                           "lineNumber",
                           event->initiator_line > 0 ? json_integer(event->initiator_line) : NULL)
               : NULL;
}

json_t *har_entry(const struct br_network_event *event, const char *page_id, bool keeps_secrets)
{
    double total_ms = 0;
    json_t *timings = timings_json(event, &total_ms);
    return json_pack("{s:s*, s:o, s:o, s:o, s:o, s:{}, s:o, s:o*, s:o*, s:o*, s:s*}", "pageref",
                     page_id, "startedDateTime", har_time(event->timestamp_ms), "time",
                     milliseconds(total_ms), "request", request_json(event, keeps_secrets),
                     "response", response_part_json(event, keeps_secrets), "cache", "timings",
                     timings, "serverIPAddress", address_json(event->remote_address),
                     "_resourceType", event->type ? json_text(event->type) : NULL, "_initiator",
                     initiator_json(event, keeps_secrets), "comment",
                     event->is_canceled ? "the page, or its leaving, ended the request" : NULL);
}
