#include "runner/observe/network.h"

#include "runner/base/clock.h"
#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/observe/network_fields.h"
#include "runner/observe/stream.h"

#include <string.h>

enum {
    FIRST_ERROR_STATUS = 400,
    MAX_REQUESTS = 2000,
    BODIES_MAX = 20, /* of failed responses, in one answer */
};

struct network_request {
    char *id;
    char *frame_id, *loader_id; /* of its frame and document; NULL if Chrome does not report them */
    struct br_network_event event; /* the fields that are known so far */
    double began_s;                /* by the protocol's clock */
    uint64_t number;               /* number of requests that began before it */
    double requested_at_s;         /* when its timings begin; 0: it has no timings */
    double received_bytes;         /* decoded bytes of the body */
    int64_t heard_at_ms; /* when its response or a part of the body arrived last; 0: not yet */
    bool is_document;
    bool is_worker_script; /* script of a worker, whose session reports the rest */
    bool is_told;          /* its event has been added */
    bool is_resource;   /* a resource of a document: a picture, style sheet, script and the like */
    bool may_stay_open; /* may stay open forever if the page does not read the response */
    bool is_event_source;  /* stays open as long as the page wants to receive events */
    bool blocks_paint;     /* blocks painting of its document: a style sheet, or a script before the
                              content */
    bool has_wire_headers; /* the response's headers are those on the wire */
    size_t hop; /* the event, from 1, of the previous hop, which lacks such headers; 0: none */
    unsigned hop_taken; /* value of `taken` at that time */
};

static void request_finish(struct network_request *request)
{
    free(request->id);
    free(request->frame_id);
    free(request->loader_id);
    network_event_finish(&request->event);
}

static struct network_request *find(struct network_recorder *recorder, const char *id)
{
    for (size_t i = 0; i < recorder->request_count; i++) {
        if (strcmp(recorder->requests[i].id, id) == 0) {
            return &recorder->requests[i];
        }
    }
    return NULL;
}

static struct network_request *find_of(struct network_recorder *recorder, const json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    return id ? find(recorder, id) : NULL;
}

/* Chrome's log entry about it may still follow. */
static void forget(struct network_recorder *recorder, struct network_request *request)
{
    free(recorder->ended_id);
    recorder->ended_id = xstrdup(request->id);
    recorder->is_ended_resource = request->is_resource;
    request_finish(request);
    *request = recorder->requests[--recorder->request_count];
}

static bool equals(const char *text, const char *other)
{
    return text && other && strcmp(text, other) == 0;
}

/* Ends the request, or this hop of it, at ended_s of the protocol's clock, 0 if unknown. */
static bool end_request(struct network_recorder *recorder, struct network_request *request,
                        double ended_s, int64_t details_ms, uint64_t *ret_ticket)
{
    struct br_network_event *event = &request->event;
    const struct br_network_timings *timings = &event->timings;
    if (ended_s > request->began_s && request->began_s > 0) {
        event->duration_ms = (ended_s - request->began_s) * 1000;
        double queued_ms = (request->requested_at_s - request->began_s) * 1000;
        if (request->requested_at_s > 0 && queued_ms > 0 && timings->blocked_ms >= 0) {
            event->timings.blocked_ms += queued_ms;
        }
        double known_ms = timings->blocked_ms + timings->send_ms + timings->wait_ms +
                          (timings->dns_ms > 0 ? timings->dns_ms : 0) +
                          (timings->connect_ms > 0 ? timings->connect_ms : 0);
        if (timings->wait_ms >= 0 && event->duration_ms >= known_ms) {
            event->timings.receive_ms = event->duration_ms - known_ms;
        }
    }
    event->navigation_id = xstrdup(recorder->navigation_id);
    event->is_navigation = request->is_document;
    recorder->transfer_bytes += event->response_bytes > 0 ? (double)event->response_bytes : 0;
    struct br_network_event complete = *event;
    *event = (struct br_network_event){ 0 };
    return network_log_add(&recorder->log, request->id, &complete, details_ms, ret_ticket);
}

static void begin_navigation(struct network_recorder *recorder, const char *id)
{
    free(recorder->navigation_id);
    recorder->navigation_id = xstrdup(id);
    recorder->transfer_bytes = 0;
}

static void keep_details(struct network_recorder *recorder, struct network_request *request,
                         const json_t *http)
{
    const char *post_data = json_member_string(http, "postData");
    network_event_set_headers(&request->event, false, http);
    request->event.post_data =
        post_data ? xstrndup(post_data, strnlen(post_data, NETWORK_MAX_POST_DATA)) : NULL;
    network_extras_take(&recorder->extras, request->id, &request->event);
}

static void respond(struct network_recorder *recorder, struct network_request *request,
                    const json_t *response)
{
    network_event_respond(&request->event, response, &request->requested_at_s);
    if (recorder->way_out_port &&
        (int)json_member_number(response, "remotePort", 0) == recorder->way_out_port) {
        free(TAKE(request->event.remote_address));
    }
}

/*
 * A redirect continues with the same id: the previous hop is complete. Returns the number of its
 * event, from 1, if the headers of its response are still missing; otherwise 0.
 */
static size_t end_hop(struct network_recorder *recorder, struct network_request *request,
                      json_t *params, const char *url)
{
    json_t *redirect = json_object_get(params, "redirectResponse");
    respond(recorder, request, redirect);
    request->event.redirected_to = cut_text(url, CUT_URL);
    if (network_log_gathers_headers(&recorder->log) && request->event.response_header_count == 0) {
        network_event_set_headers(&request->event, true, redirect);
    }
    bool is_waited_for = network_log_gathers_headers(&recorder->log) &&
                         !request->has_wire_headers &&
                         json_member_bool(params, "redirectHasExtraInfo", false);
    bool is_kept =
        end_request(recorder, request, json_member_number(params, "timestamp", 0), 0, NULL);
    forget(recorder, request);
    return is_kept && is_waited_for ? recorder->log.event_count : 0;
}

static bool is_resource(const char *type)
{
    static const char *const types[] = { "Image", "Stylesheet", "Script",   "Font",
                                         "Media", "TextTrack",  "Manifest", "Prefetch" };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (equals(type, types[i])) {
            return true;
        }
    }
    return false;
}

/* Older versions of Chrome do not report it. */
static bool blocks_paint(const char *type, const json_t *params)
{
    const char *behavior = json_member_string(params, "renderBlockingBehavior");
    return behavior ? equals(behavior, "Blocking")
                    : equals(type, "Stylesheet") || equals(type, "Script");
}

static void add_request(struct network_recorder *recorder, const char *id, const char *frame_id,
                        json_t *params)
{
    const char *loader_id = json_member_string(params, "loaderId");
    const char *type = json_member_string(params, "type");
    recorder->requests = array_reserve(recorder->requests, recorder->request_count,
                                       &recorder->request_capacity, sizeof(*recorder->requests));
    struct network_request *request = &recorder->requests[recorder->request_count++];
    *request = (struct network_request){
        .id = xstrdup(id),
        .frame_id = xstrdup(json_member_string(params, "frameId")),
        .loader_id = xstrdup(loader_id),
        .began_s = json_member_number(params, "timestamp", 0),
        .number = recorder->begun++,
        .is_document =
            equals(type, "Document") && equals(json_member_string(params, "frameId"), frame_id),
        .is_worker_script = equals(loader_id, "") && equals(type, "Script") && !strchr(id, '.'),
        .is_resource = is_resource(type),
        .may_stay_open = equals(type, "Fetch"),
        .is_event_source = equals(type, "EventSource"),
        .blocks_paint = blocks_paint(type, params),
    };
    network_event_init(&request->event);
    network_event_begin(&request->event, params);
    if (network_log_gathers_headers(&recorder->log)) {
        keep_details(recorder, request, json_object_get(params, "request"));
    }
    if (network_event_is_icon(&request->event)) {
        free(recorder->icon_id);
        recorder->icon_id = xstrdup(id);
    }
    network_log_tell(&recorder->log, BR_EVENT_REQUEST, id, &request->event, 0);
}

/* Prefixes of schemes that the browser itself loads; all others are for other programs. */
static const char *const own_schemes[] = {
    "http:",       "https:", "ws:",         "wss:",         "data:",         "blob:",     "file:",
    "filesystem:", "about:", "javascript:", "view-source:", "isolated-app:", "devtools:", "chrome:",
    "chrome-",     "edge:",  "brave:",      "opera:",       "vivaldi:"
};

bool network_is_about_icon(const struct network_recorder *recorder, const char *method,
                           const json_t *params)
{
    const json_t *entry = json_object_get(params, "entry");
    return strcmp(method, "Log.entryAdded") == 0 &&
           equals(recorder->icon_id, json_member_string(entry, "networkRequestId"));
}

void network_name_entry(struct network_recorder *recorder, const char *method, json_t *params)
{
    json_t *entry = json_object_get(params, "entry");
    const char *id = json_member_string(entry, "networkRequestId");
    if (strcmp(method, "Log.entryAdded") != 0 || !id) {
        return;
    }
    const struct network_request *request = find(recorder, id);
    bool is_ended = equals(recorder->ended_id, id);
    if (request ? request->is_resource : is_ended && recorder->is_ended_resource) {
        json_object_set_new(entry, NETWORK_IS_RESOURCE, json_true());
    }
}

bool network_is_external(const char *url)
{
    for (size_t i = 0; i < sizeof(own_schemes) / sizeof(own_schemes[0]); i++) {
        if (strncmp(url, own_schemes[i], strlen(own_schemes[i])) == 0) {
            return false;
        }
    }
    return *url != '\0';
}

static void on_request(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    if (!id || !url || strncmp(url, "data:", 5) == 0) {
        return;
    }
    size_t hop = 0;
    struct network_request *request = find(recorder, id);
    bool is_hop = json_is_object(json_object_get(params, "redirectResponse"));
    if (request && !is_hop) {
        return; /* reported in two sessions: that of the frame, and that of its parent */
    }
    if (request) {
        hop = end_hop(recorder, request, params, url);
    }
    if (equals(json_member_string(params, "type"), "Document") && network_is_external(url)) {
        return; /* its end is never reported */
    }
    bool is_document = equals(json_member_string(params, "type"), "Document") &&
                       equals(json_member_string(params, "frameId"), frame_id);
    if (is_document && !is_hop) {
        begin_navigation(recorder, id);
    }
    if (recorder->request_count < MAX_REQUESTS) {
        add_request(recorder, id, frame_id, params);
        recorder->requests[recorder->request_count - 1].hop = hop;
        recorder->requests[recorder->request_count - 1].hop_taken = recorder->log.taken;
    }
}

static void add_extra(struct network_recorder *recorder, struct br_network_event *event,
                      bool is_response, json_t *params)
{
    if (network_log_gathers_headers(&recorder->log)) {
        network_extras_add(&recorder->extras, event, is_response, params);
    }
}

static void on_request_extra(struct network_recorder *recorder, const char *frame_id,
                             json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    (void)frame_id;
    add_extra(recorder, request ? &request->event : NULL, false, params);
}

static void on_response_extra(struct network_recorder *recorder, const char *frame_id,
                              json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    int status = (int)json_member_number(params, "statusCode", 0);
    (void)frame_id;
    if (request && request->hop && status >= 300 && status < 400) {
        if (recorder->log.keeps_headers && request->hop_taken == recorder->log.taken) {
            add_extra(recorder, &recorder->log.events[request->hop - 1], true, params);
        }
        request->hop = 0;
        return;
    }
    if (request) {
        request->has_wire_headers = true;
    }
    add_extra(recorder, request ? &request->event : NULL, true, params);
    if (request && request->is_worker_script) {
        /* The page's session reports nothing more about it. */
        request->event.status = status;
        end_request(recorder, request, 0, 0, NULL);
        forget(recorder, request);
    }
}

static void set_document(struct network_recorder *recorder, const struct network_request *request)
{
    char *document_id = xstrdup(request->id);
    free(recorder->document_id);
    free(TAKE(recorder->document_failure));
    recorder->document_id = document_id;
    recorder->document_status = request->event.status;
    recorder->is_document_posted = equals(request->event.method, "POST");
}

static void on_response(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    json_t *response = json_object_get(params, "response");
    (void)frame_id;
    if (!request) {
        return;
    }
    request->heard_at_ms = clock_monotonic_ms();
    respond(recorder, request, response);
    if (network_log_gathers_headers(&recorder->log) && request->event.response_header_count == 0) {
        network_event_set_headers(&request->event, true, response);
    }
    if (request->is_document) {
        set_document(recorder, request);
    }
    network_log_tell(&recorder->log, BR_EVENT_REQUEST, request->id, &request->event, 0);
}

bool network_awaits_document(const struct network_recorder *recorder)
{
    for (size_t i = 0; i < recorder->request_count; i++) {
        const struct network_request *request = &recorder->requests[i];
        if (request->is_document && request->heard_at_ms == 0) {
            return true;
        }
    }
    return false;
}

static void on_from_cache(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    (void)frame_id;
    if (request) {
        request->event.is_from_cache = true;
    }
}

static void on_data(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    (void)frame_id;
    if (request) {
        request->heard_at_ms = clock_monotonic_ms();
        request->received_bytes += json_member_number(params, "dataLength", 0);
        request->event.decoded_bytes = (int64_t)request->received_bytes;
    }
}

/* Adds the event of a finished request, and requests its body if it is to be shown. */
static void conclude(struct network_recorder *recorder, struct network_request *request,
                     double ended_s)
{
    struct br_network_event *event = &request->event;
    uint64_t ticket = 0;
    bool has_body = event->status >= FIRST_ERROR_STATUS && network_event_has_failed(event) &&
                    request->received_bytes > 0 && !request->is_told;
    bool wants_body = has_body && network_log_count_bodies(&recorder->log) < BODIES_MAX;
    free(TAKE(recorder->wanted.request_id));
    if (has_body) {
        /* Remains unless the browser answers in time. */
        event->body_omitted =
            xstrdup(wants_body ? "it did not come in time" : "there are too many of them");
    }
    if (!request->is_told &&
        end_request(recorder, request, ended_s, wants_body ? STREAM_WAIT_MS : 0, &ticket) &&
        wants_body) {
        recorder->wanted = (struct network_wanted){
            .request_id = xstrdup(request->id),
            .event = recorder->log.event_count - 1,
            .ticket = ticket,
        };
    }
    forget(recorder, request);
}

static void on_finished(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    struct network_request *request = find_of(recorder, params);
    (void)frame_id;
    if (request) {
        double encoded = json_member_number(params, "encodedDataLength", -1);
        request->event.response_bytes =
            encoded >= 0 ? (int64_t)encoded : request->event.response_bytes;
        request->event.decoded_bytes = (int64_t)request->received_bytes;
        conclude(recorder, request, json_member_number(params, "timestamp", 0));
    }
}

bool network_is_answer(const char *error_text)
{
    return error_text && (strstr(error_text, "ERR_HTTP_RESPONSE_CODE_FAILURE") ||
                          strstr(error_text, "ERR_INVALID_AUTH_CREDENTIALS"));
}

const char *network_url(const struct network_recorder *recorder, const char *request_id,
                        bool *ret_is_document)
{
    const struct network_request *request = find((struct network_recorder *)recorder, request_id);
    *ret_is_document = request && request->is_document;
    return request ? request->event.url : NULL;
}

void network_refuse(struct network_recorder *recorder, const char *request_id, const char *reason)
{
    if (!recorder->refusals) {
        recorder->refusals = json_object();
    }
    if (json_object_size(recorder->refusals) >= MAX_REQUESTS) {
        json_object_clear(recorder->refusals);
    }
    json_object_set_new(recorder->refusals, request_id, json_text(reason));
}

/*
 * If we refused the request, our reason is its error, and it counts as a failure however it ended.
 */
static bool take_refusal(struct network_recorder *recorder, struct network_request *request)
{
    const char *reason = json_member_string(recorder->refusals, request->id);
    if (reason) {
        free(request->event.error);
        request->event.error = xstrdup(reason);
        request->event.is_canceled = false;
        json_object_del(recorder->refusals, request->id);
    }
    return reason;
}

static void on_failed(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *text = json_member_string(params, "errorText");
    const char *reason = json_member_string(params, "blockedReason");
    struct network_request *request = find_of(recorder, params);
    (void)frame_id;
    if (!request) {
        return;
    }
    struct br_network_event *event = &request->event;
    bool was_answered = network_is_answer(text);
    /* A request that was cancelled by the page, or by leaving it, is not a failure. */
    event->is_canceled = json_member_bool(params, "canceled", false);
    event->blocked_reason = xstrdup(reason);
    if (!was_answered && !event->is_canceled) {
        event->error =
            text && *text ? xstrdup(text) : xasprintf("blocked: %s", reason ? reason : "unknown");
    }
    if (!take_refusal(recorder, request) && event->error && request->is_document) {
        set_document(recorder, request);
        recorder->document_failure = xstrdup(event->error);
    }
    conclude(recorder, request, json_member_number(params, "timestamp", 0));
}

bool network_on_event(struct network_recorder *recorder, const char *main_frame_id,
                      const char *method, json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct network_recorder *recorder, const char *frame_id, json_t *params);
    } table[] = {
        { "Network.requestWillBeSent", on_request },
        { "Network.requestWillBeSentExtraInfo", on_request_extra },
        { "Network.responseReceived", on_response },
        { "Network.responseReceivedExtraInfo", on_response_extra },
        { "Network.requestServedFromCache", on_from_cache },
        { "Network.dataReceived", on_data },
        { "Network.loadingFinished", on_finished },
        { "Network.loadingFailed", on_failed },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(recorder, main_frame_id, params);
            return true;
        }
    }
    return network_sockets_on_event(&recorder->sockets, &recorder->log, recorder->navigation_id,
                                    method, params);
}

static bool is_failing(const struct network_request *request)
{
    return request->event.status >= FIRST_ERROR_STATUS && !request->is_told &&
           network_event_has_failed(&request->event);
}

bool network_has_bare_failing(const struct network_recorder *recorder)
{
    for (size_t i = 0; i < recorder->request_count; i++) {
        const struct network_request *request = &recorder->requests[i];
        if (is_failing(request) && request->received_bytes == 0) {
            return true;
        }
    }
    return false;
}

const char *network_failing(const struct network_recorder *recorder, size_t *index)
{
    while (*index < recorder->request_count) {
        const struct network_request *request = &recorder->requests[(*index)++];
        if (is_failing(request) && request->received_bytes > 0) {
            return request->id;
        }
    }
    return NULL;
}

void network_set_failing_body(struct network_recorder *recorder, const char *id, const char *body,
                              size_t length)
{
    struct network_request *request = find(recorder, id);
    if (request && is_failing(request)) {
        network_event_set_body(&request->event, body, length);
    }
}

void network_tell_failing(struct network_recorder *recorder)
{
    for (size_t i = 0; i < recorder->request_count; i++) {
        struct network_request *request = &recorder->requests[i];
        if (is_failing(request)) {
            if (!request->event.body && !request->event.body_omitted) {
                request->event.body_omitted = xstrdup("it had not come yet");
            }
            end_request(recorder, request, 0, 0, NULL);
            request->is_told = true;
        }
    }
}

bool network_take_wanted(struct network_recorder *recorder, struct network_wanted *ret_wanted)
{
    *ret_wanted = recorder->wanted;
    recorder->wanted.request_id = NULL;
    return ret_wanted->request_id;
}

void network_set_body(struct network_recorder *recorder, const struct network_wanted *wanted,
                      const char *body, size_t length)
{
    network_log_set_body(&recorder->log, wanted->event, wanted->ticket, body, length);
}

void network_leave_frame(struct network_recorder *recorder, const char *frame_id,
                         const char *loader_id)
{
    for (size_t i = recorder->request_count; frame_id && i-- > 0;) {
        struct network_request *request = &recorder->requests[i];
        if (equals(request->frame_id, frame_id) && !equals(request->loader_id, loader_id)) {
            request->event.is_canceled = true;
            if (!request->is_told) {
                end_request(recorder, request, 0, 0, NULL);
            }
            forget(recorder, request);
        }
    }
}

static bool is_busy(const struct network_request *request, int64_t now_ms, int64_t still_ms)
{
    bool is_still = request->heard_at_ms && now_ms - request->heard_at_ms >= still_ms;
    return !request->is_event_source && !(request->may_stay_open && is_still);
}

size_t network_count_busy(const struct network_recorder *recorder, int64_t still_ms)
{
    int64_t now_ms = clock_monotonic_ms();
    size_t count = 0;
    for (size_t i = 0; i < recorder->request_count; i++) {
        count += is_busy(&recorder->requests[i], now_ms, still_ms);
    }
    return count;
}

const struct br_network_event *network_oldest_busy(const struct network_recorder *recorder,
                                                   int64_t still_ms, uint64_t since, uint64_t end)
{
    int64_t now_ms = clock_monotonic_ms();
    const struct network_request *oldest = NULL;
    for (size_t i = 0; i < recorder->request_count; i++) {
        const struct network_request *request = &recorder->requests[i];
        bool is_meant =
            request->number >= since && request->number < end && is_busy(request, now_ms, still_ms);
        if (is_meant && (!oldest || request->began_s < oldest->began_s)) {
            oldest = request;
        }
    }
    return oldest ? &oldest->event : NULL;
}

const struct br_network_event *network_blocking_paint(const struct network_recorder *recorder,
                                                      const char *frame_id, const char *loader_id)
{
    const struct network_request *found = NULL;
    for (size_t i = 0; i < recorder->request_count; i++) {
        const struct network_request *request = &recorder->requests[i];
        bool is_of_document =
            equals(request->frame_id, frame_id) && equals(request->loader_id, loader_id);
        bool is_better =
            !found || (found->is_document && !request->is_document) ||
            (found->is_document == request->is_document && request->began_s < found->began_s);
        if (is_of_document && (request->is_document || request->blocks_paint) && is_better) {
            found = request;
        }
    }
    return found ? &found->event : NULL;
}

void network_forget_requests(struct network_recorder *recorder)
{
    while (recorder->request_count) {
        request_finish(&recorder->requests[--recorder->request_count]);
    }
}

void network_finish(struct network_recorder *recorder)
{
    network_forget_requests(recorder);
    network_sockets_finish(&recorder->sockets);
    network_extras_finish(&recorder->extras);
    network_log_finish(&recorder->log);
    free(recorder->requests);
    free(recorder->wanted.request_id);
    json_decref(recorder->refusals);
    free(recorder->icon_id);
    free(recorder->ended_id);
    free(recorder->navigation_id);
    free(recorder->document_id);
    free(recorder->document_failure);
    *recorder = (struct network_recorder){ 0 };
}

int network_document_status(const struct network_recorder *recorder, const char *loader_id)
{
    return equals(recorder->document_id, loader_id) ? recorder->document_status : 0;
}

const char *network_document_failure(const struct network_recorder *recorder, const char *loader_id)
{
    return equals(recorder->document_id, loader_id) ? recorder->document_failure : NULL;
}

void network_take_events(struct network_recorder *recorder, struct br_response *response)
{
    network_log_take(&recorder->log, response);
}
