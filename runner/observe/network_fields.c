#include "runner/observe/network_fields.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/network_event.h"
#include "runner/base/utf8.h"

#include <ctype.h>
#include <string.h>

enum { MAX_HEADERS = 200 };

char *network_type_name(const char *type)
{
    char *name = xstrdup(type);
    for (char *at = name; at && *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return name;
}

static char *copy_text(const json_t *object, const char *key)
{
    const char *text = json_member_string(object, key);
    return text && *text ? xstrdup(text) : NULL;
}

/* Sets the initiator: the position in the page's source, or in the script. */
static void set_initiator(struct br_network_event *event, const json_t *initiator)
{
    const json_t *stack = json_object_get(initiator, "stack");
    const json_t *frame = json_array_get(json_object_get(stack, "callFrames"), 0);
    const json_t *place = frame ? frame : initiator;
    event->initiator_type = network_type_name(json_member_string(initiator, "type"));
    const char *url = json_member_string(place, "url");
    event->initiator_url = url && *url ? cut_text(url, CUT_URL) : NULL;
    /* The protocol counts lines from 0. */
    event->initiator_line = (int)json_member_number(place, "lineNumber", -1) + 1;
}

void network_event_begin(struct br_network_event *event, const json_t *params)
{
    const json_t *http = json_object_get(params, "request");
    const char *method = json_member_string(http, "method");
    const char *post_data = json_member_string(http, "postData");
    const char *url = json_member_string(http, "url");
    event->url = cut_text(url ? url : json_member_string(params, "url"), CUT_URL);
    event->method = xstrdup(method ? method : "GET");
    event->type = network_type_name(json_member_string(params, "type"));
    event->timestamp_ms = (int64_t)(json_member_number(params, "wallTime", 0) * 1000);
    if (post_data) {
        event->request_bytes = (int64_t)strlen(post_data);
    } else if (!json_member_bool(http, "hasPostData", false)) {
        event->request_bytes = 0;
    }
    set_initiator(event, json_object_get(params, "initiator"));
}

static double span(const json_t *timing, const char *from, const char *to)
{
    double start = json_member_number(timing, from, -1);
    double end = json_member_number(timing, to, -1);
    return start >= 0 && end >= start ? end - start : -1;
}

/* Source: the protocol's Network.ResourceTiming, milliseconds since its requestTime. */
static void set_timings(struct br_network_timings *timings, const json_t *timing)
{
    static const char *const first[] = { "dnsStart", "connectStart", "sendStart" };
    for (size_t i = 0; i < 3 && timings->blocked_ms < 0; i++) {
        timings->blocked_ms = json_member_number(timing, first[i], -1);
    }
    timings->dns_ms = span(timing, "dnsStart", "dnsEnd");
    timings->connect_ms = span(timing, "connectStart", "connectEnd");
    timings->tls_ms = span(timing, "sslStart", "sslEnd");
    timings->send_ms = span(timing, "sendStart", "sendEnd");
    timings->wait_ms = span(timing, "sendEnd", "receiveHeadersEnd");
}

static void set_address(struct br_network_event *event, const json_t *response)
{
    const char *ip = json_member_string(response, "remoteIPAddress");
    int port = (int)json_member_number(response, "remotePort", 0);
    if (ip && *ip) {
        bool is_bare_v6 = strchr(ip, ':') && *ip != '[';
        free(event->remote_address);
        event->remote_address =
            xasprintf("%s%s%s:%d", is_bare_v6 ? "[" : "", ip, is_bare_v6 ? "]" : "", port);
    }
}

void network_event_respond(struct br_network_event *event, const json_t *response,
                           double *ret_requested_at_s)
{
    const json_t *timing = json_object_get(response, "timing");
    /* Chrome reports 200 for files and other local resources, too; only HTTP has a status. */
    bool is_http = event->url && strncmp(event->url, "http", 4) == 0;
    event->status = is_http ? (int)json_member_number(response, "status", 0) : 0;
    free(event->mime_type);
    free(event->protocol);
    free(event->status_text);
    event->mime_type = copy_text(response, "mimeType");
    event->protocol = copy_text(response, "protocol");
    event->status_text = is_http ? copy_text(response, "statusText") : NULL;
    event->is_from_cache |= json_member_bool(response, "fromDiskCache", false) ||
                            json_member_bool(response, "fromPrefetchCache", false);
    event->is_service_worker = json_member_bool(response, "fromServiceWorker", false);
    event->response_bytes = (int64_t)json_member_number(response, "encodedDataLength", -1);
    set_address(event, response);
    set_timings(&event->timings, timing);
    *ret_requested_at_s = json_member_number(timing, "requestTime", 0);
}

void network_event_set_headers(struct br_network_event *event, bool is_response, const json_t *from)
{
    const char *name;
    json_t *value;
    json_t *object = json_object_get(from, "headers");
    struct br_header **headers = is_response ? &event->response_headers : &event->request_headers;
    size_t *count = is_response ? &event->response_header_count : &event->request_header_count;
    network_headers_free(*headers, *count);
    *headers = xcalloc(json_object_size(object) + 1, sizeof(**headers));
    *count = 0;
    json_object_foreach (object, name, value) {
        const char *text = json_string_value(value);
        if (text && *count < MAX_HEADERS) {
            (*headers)[(*count)++] =
                (struct br_header){ .name = xstrdup(name), .value = xstrdup(text) };
        }
    }
}

void network_event_drop_headers(struct br_network_event *event)
{
    network_headers_free(TAKE(event->request_headers), event->request_header_count);
    network_headers_free(TAKE(event->response_headers), event->response_header_count);
    event->request_header_count = 0;
    event->response_header_count = 0;
    free(TAKE(event->post_data));
}

/* Whether everything but the last, perhaps incomplete character is text. */
static bool is_text(const char *body, size_t length)
{
    size_t kept = length < NETWORK_MAX_BODY ? length : NETWORK_MAX_BODY;
    size_t at = 0;
    while (at < kept && body[at]) {
        size_t sequence = utf8_sequence(body + at, length - at);
        if (sequence == 0) {
            return false;
        }
        at += sequence;
    }
    return at >= kept;
}

void network_event_set_body(struct br_network_event *event, const char *body, size_t length)
{
    free(TAKE(event->body_omitted));
    if (!body || !is_text(body, length)) {
        event->body_omitted = xstrdup(body ? "it is binary" : "the browser did not keep it");
        return;
    }
    event->is_body_cut = length > NETWORK_MAX_BODY;
    event->body = xstrndup(body, event->is_body_cut ? utf8_cut(body, NETWORK_MAX_BODY) : length);
}
