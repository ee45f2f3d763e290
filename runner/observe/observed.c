#include "runner/observe/observed.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/privacy/mask.h"

static json_t *optional_text(const char *text)
{
    return text && *text ? json_text(text) : NULL;
}

/* For network events, which keep their complete URLs for the archive. */
static json_t *shown_url(const char *url)
{
    CLEANUP_FREE char *shown = mask_urls_copy(url, true);
    return optional_text(shown);
}

static json_t *metric(double value)
{
    return value >= 0 ? json_number(value, 10) : NULL;
}

static json_t *true_only(bool value)
{
    return value ? json_true() : NULL;
}

/* Takes ownership; returns NULL if it is empty. */
static json_t *unless_empty(json_t *object)
{
    if (json_object_size(object) == 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *timings_json(const struct br_network_timings *timings)
{
    return unless_empty(json_pack(
        "{s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}", "blocked", metric(timings->blocked_ms), "dns",
        metric(timings->dns_ms), "connect", metric(timings->connect_ms), "tls",
        metric(timings->tls_ms), "send", metric(timings->send_ms), "wait", metric(timings->wait_ms),
        "receive", metric(timings->receive_ms)));
}

static json_t *sizes_json(const struct br_network_event *event)
{
    return unless_empty(json_pack(
        "{s:o*, s:o*, s:o*}", "request", metric((double)event->request_bytes), "response",
        metric((double)event->response_bytes), "decoded", metric((double)event->decoded_bytes)));
}

static json_t *initiator_json(const struct br_network_event *event)
{
    json_t *line = event->initiator_line > 0 ? json_integer(event->initiator_line) : NULL;
    return unless_empty(json_pack("{s:o*, s:o*, s:o*}", "type",
                                  optional_text(event->initiator_type), "url",
                                  shown_url(event->initiator_url), "line", line));
}

json_t *observed_log(const struct br_log *log)
{
    json_t *count = log->count > 1 ? json_integer(log->count) : NULL;
    return json_pack(
        "{s:s, s:o, s:I, s:s, s:o*, s:s*, s:i, s:o*, s:o*, s:o*, s:o*}", "type",
        log_type_name(log->type), "message", json_text(log->message ? log->message : ""),
        "timestamp", (json_int_t)log->timestamp_ms, "source",
        log->source == BR_SOURCE_BROWSER ? "browser" : "tool", "category",
        optional_text(log->category), "kind", log->kind, "level", (int)log->type, "count", count,
        "location", optional_text(log->location), "stack", optional_text(log->stack),
        "generatedLocation", optional_text(log->generated_location));
}

json_t *observed_request(const struct br_network_event *event)
{
    CLEANUP_FREE char *url = mask_urls_copy(event->url ? event->url : "", true);
    json_t *status = event->status ? json_integer(event->status) : NULL;
    json_t *object = json_pack(
        "{s:o, s:o, s:o*, s:I, s:o*, s:o*, s:o*, s:o*, s:o*}", "url", json_text(url), "method",
        json_text(event->method ? event->method : ""), "status", status, "timestamp",
        (json_int_t)event->timestamp_ms, "error", optional_text(event->error), "type",
        optional_text(event->type), "mimeType", optional_text(event->mime_type), "durationMs",
        metric(event->duration_ms), "redirectedTo", shown_url(event->redirected_to));
    json_t *details =
        json_pack("{s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:s*}", "blockedReason",
                  optional_text(event->blocked_reason), "canceled", true_only(event->is_canceled),
                  "fromCache", true_only(event->is_from_cache), "fromServiceWorker",
                  true_only(event->is_service_worker), "protocol", optional_text(event->protocol),
                  "remoteAddress", optional_text(event->remote_address), "timings",
                  timings_json(&event->timings), "sizes", sizes_json(event), "initiator",
                  initiator_json(event), "webSocket", event->web_socket);
    json_t *body = json_pack(
        "{s:o*, s:o*, s:o*}", "body", event->body ? json_text(event->body) : NULL, "bodyCut",
        true_only(event->is_body_cut), "bodyOmitted", optional_text(event->body_omitted));
    json_object_update(object, details);
    json_object_update(object, body);
    json_decref(details);
    json_decref(body);
    return object;
}
